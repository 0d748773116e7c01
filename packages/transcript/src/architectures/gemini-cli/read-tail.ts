import type { ConversationBlock } from '../../blocks.ts';
import { asArray, asString, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { isSubagent, isUnnamed } from './match-prompts.ts';
import { ThreadReading } from './thread-reading.ts';

/**
 * The last blocks from the last lines, if earlier lines cannot change them: nothing in
 * these lines may refer to earlier ones.
 */
export function readTail(
  lines: readonly string[],
  limit: number,
): readonly ConversationBlock[] | undefined {
  const records = lines.map(parseLine).filter((line) => typeof line === 'object');
  const messages = sinceLastChange(records);
  if (messages === undefined || refersBack(messages)) return undefined;
  const reading = new ThreadReading('full', () => undefined);
  for (const message of messages) reading.add(message);
  const { blocks, offsets } = reading.assemble();
  const settled = offsets[SETTLED_AFTER];
  if (settled === undefined || blocks.length - settled < limit) return undefined;
  const last = blocks.slice(-limit);
  // The thread of such a call is only known from the whole session.
  return last.filter(isSubagent).some(isUnnamed) ? undefined : last;
}

/** Messages after the last record that can change earlier ones; `undefined` for other file formats. */
function sinceLastChange(records: readonly JsonRecord[]): readonly JsonRecord[] | undefined {
  const change = records.findLastIndex((record) => !isPlain(record));
  const messages = records.slice(change + 1).filter(({ id }) => id !== undefined);
  return messages.length === 0 ? undefined : messages;
}

function isPlain(record: JsonRecord): boolean {
  if (typeof record.$rewindTo === 'string') return false;
  if (typeof record.id === 'string') return true;
  const fields = Object(record.$set) as JsonRecord;
  return record.$set !== undefined && fields.messages === undefined;
}

/** A record older than its predecessor updates a message that may be before the cut. */
function refersBack(messages: readonly JsonRecord[]): boolean {
  const seen = new Set<string>();
  const calls = new Set<string>();
  let latest = '';
  for (const [index, message] of messages.entries()) {
    const timestamp = asString(message.timestamp) ?? '';
    const id = asString(message.id) ?? '';
    if (timestamp < latest && !seen.has(id)) return true;
    if (index > SETTLED_AFTER && answersUnknownCall(message, calls)) return true;
    for (const call of asArray(message.toolCalls)) {
      calls.add(asString((Object(call) as JsonRecord).id) ?? '');
    }
    seen.add(id);
    latest = timestamp > latest ? timestamp : latest;
  }
  return false;
}

function answersUnknownCall(message: JsonRecord, calls: ReadonlySet<string>): boolean {
  return asArray(message.content).some((part) => {
    const { functionResponse } = Object(part) as JsonRecord;
    if (functionResponse === undefined) return false;
    return !calls.has(asString((Object(functionResponse) as JsonRecord).id) ?? '');
  });
}

/** Number of messages at the start of the window that may continue earlier ones. */
const SETTLED_AFTER = 4;
