import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentPart } from '../../blocks.ts';
import { carryParts, mediaTypeOf, textOfParts } from '../../hand-over/carry-parts.ts';
import type { CallOutcome, HandOverCall, ModelStep, PersonStep } from '../../hand-over/steps.ts';
import {
  dated,
  handOverNote,
  type NewTranscript,
  type TranscriptWriter,
} from '../../hand-over/transcript-writer.ts';
import { uuidOf } from '../../hand-over/wire-names.ts';
import { asRecord, asString, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { isFileMissing } from '../file-missing.ts';
import { chatName, projectName } from './profile.ts';
import { FILES_MARK } from './read-message.ts';

/**
 * `tmp/<project>/chats/session-<time>-<start of the id>.jsonl`. Calls are in the content and results in a message
 * after it; calls recorded the other way would get their results again on every resume.
 */
export const geminiTranscriptWriter: TranscriptWriter = {
  contextTokens: 1_000_000,

  async place({ id, cwd }, { home, environment }) {
    const root = join(environment.GEMINI_CLI_HOME || home, '.gemini');
    return join(root, 'tmp', await projectFolder(root, cwd), 'chats', chatName(id));
  },

  *lines(steps, session) {
    const chat = new Chat(session);
    yield JSON.stringify({
      sessionId: session.id,
      projectHash: createHash('sha256').update(session.cwd).digest('hex'),
      startTime: session.now.toISOString(),
      // The program deletes chats on start that were not changed for long.
      lastUpdated: session.now.toISOString(),
      kind: 'main',
      handedOver: { from: session.origin.agent, session: session.origin.id },
    });
    for (const step of steps) {
      if (step.role === 'summary') yield summaryLine(chat, step.text, step.at);
      if (step.role === 'user') yield userLine(chat, step);
      if (step.role === 'assistant') yield* modelLines(chat, step);
    }
  },
};

/** The program's folder for a workspace, or the one it would choose. */
async function projectFolder(root: string, cwd: string): Promise<string> {
  const { projects } = asRecord(parseLine((await textAt(join(root, 'projects.json'))) ?? '{}'));
  const known = asString(asRecord(projects)[cwd]);
  // A name, never a path out of the folder.
  if (known !== undefined && /^[^/\\]+$/.test(known) && !/^\.+$/.test(known)) return known;
  const wanted = projectName(cwd);
  for (let copy = 0; ; copy++) {
    const name = copy === 0 ? wanted : `${wanted}-${copy}`;
    const owner = await textAt(join(root, 'tmp', name, '.project_root'));
    if (owner === undefined || owner.trim() === cwd) return name;
  }
}

async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot read ${path}`, { cause: error });
  }
}

class Chat {
  readonly session: NewTranscript;
  #count = 0;
  #isNoted = false;

  constructor(session: NewTranscript) {
    this.session = session;
  }

  /** Appended to the first message: the program drops a message that begins with it. */
  note(): readonly object[] {
    if (this.#isNoted) return [];
    this.#isNoted = true;
    return [{ text: `<hook_context>${handOverNote(this.session)}</hook_context>` }];
  }

  message(type: 'user' | 'gemini', at: string, fields: object): string {
    const id = uuidOf(`${this.session.id}:${this.#count++}`);
    return JSON.stringify({ id, timestamp: dated(at, this.session), type, ...fields });
  }
}

function summaryLine(chat: Chat, text: string, at: string): string {
  const isSnapshot = text.trimStart().startsWith('<state_snapshot>');
  const snapshot = isSnapshot ? text : `<state_snapshot>\n${text}\n</state_snapshot>`;
  return chat.message('user', at, { content: [{ text: snapshot }, ...chat.note()] });
}

function userLine(chat: Chat, { parts, at }: PersonStep): string {
  const carried = carryInline(parts);
  const content = carried.map((part) =>
    part.type === 'text' ? { text: part.text } : inlinePart(part),
  );
  const text = textOfParts(carried);
  // Otherwise text after the mark would be taken for referenced files.
  const typed = text.includes(FILES_MARK)
    ? { displayContent: [{ text: isMarker(text) ? `${JOINER}${text}` : text }] }
    : {};
  return chat.message('user', at, {
    content: escapeMarker([...content, ...chat.note()]),
    ...typed,
  });
}

/** Escapes a user message that the program would take for a command or its own note, by all its text, and drop. */
function escapeMarker(content: readonly object[]): readonly object[] {
  const texts = content.map((part) => asString(Reflect.get(part, 'text')));
  if (!isMarker(texts.join(''))) return content;
  const first = texts.findIndex((text) => text !== undefined);
  const isNote = first === content.length - 1 && first > 0;
  // The note stays a part of its own, which is how it is recognised.
  if (isNote) return content.toSpliced(first, 0, { text: JOINER });
  return content.with(first, { text: `${JOINER}${texts[first] ?? ''}` });
}

function isMarker(text: string): boolean {
  return /^\s*(?:[/?]|<(?:session_context|hook_context|state_snapshot)>)/.test(text);
}

/** Invisible, and no white space. */
const JOINER = '\u2060';

function* modelLines(chat: Chat, step: ModelStep): Iterable<string> {
  const texts: string[] = [];
  const calls: HandOverCall[] = [];
  const thoughts: object[] = [];
  for (const piece of step.pieces) {
    if (piece.type === 'text') texts.push(piece.text);
    if (piece.type === 'call') calls.push(piece.call);
    if (piece.type !== 'thinking') continue;
    const timestamp = dated(piece.at, chat.session);
    thoughts.push({ subject: '', description: piece.text, timestamp });
  }
  const text = texts.length === 0 ? [] : [{ text: texts.join('\n\n') }];
  const requested = calls.map(({ id, name, input }) => ({
    functionCall: { id, name, args: input },
  }));
  const content = [...text, ...requested];
  if (content.length === 0 && thoughts.length === 0) return;
  const model = step.model === undefined ? {} : { model: step.model };
  yield chat.message('gemini', step.at, { content, thoughts, ...model });
  const last = calls.at(-1);
  if (last === undefined) return;
  const answers = calls.flatMap((call) => answerParts(call, call === last));
  yield chat.message('user', last.result.at, { content: answers });
}

/** Media go next to the last result, which every model accepts, and inside the others. */
function answerParts({ id, name, result }: HandOverCall, isLast: boolean): readonly object[] {
  const carried = carryInline(result.parts);
  const media = carried.filter(({ type }) => type !== 'text').map(inlinePart);
  const response = answerOf(result, textOfParts(carried));
  const answer = { id, name, response };
  if (media.length === 0 || isLast) return [{ functionResponse: answer }, ...media];
  return [{ functionResponse: { ...answer, parts: media } }];
}

function answerOf({ isError }: CallOutcome, text: string): JsonRecord {
  return isError ? { error: text } : { output: text };
}

function carryInline(parts: readonly ContentPart[]): readonly ContentPart[] {
  return carryParts(parts, ({ source }) => source.type === 'base64');
}

function inlinePart(part: ContentPart): object {
  if (part.type === 'text') return { text: part.text };
  const fallback = part.type === 'document' ? 'application/pdf' : mediaTypeOf(part.source);
  const mimeType = part.source.mediaType ?? fallback;
  return { inlineData: { mimeType, data: part.source.data } };
}
