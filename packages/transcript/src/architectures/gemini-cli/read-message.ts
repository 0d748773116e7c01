import type { ContentPart } from '../../blocks.ts';
import {
  asArray,
  asId,
  asNumber,
  asRecord,
  asString,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import type { TokenUsage } from '../../session-metadata.ts';
import type {
  GeminiMessage,
  OnSkipped,
  Thought,
  ToolCall,
  ToolResponse,
} from './gemini-message.ts';
import {
  type MessageParts,
  messageContent,
  partsOf,
  readParts,
  readResponses,
  textOf,
} from './message-parts.ts';

/** A message record of a chat file. */
export function readMessage(record: JsonRecord, id: string, onSkipped: OnSkipped): GeminiMessage {
  const parts = readParts(record.content, id, onSkipped);
  const type = asString(record.type) ?? 'untyped';
  const recorded = asArray(record.toolCalls).flatMap((call) => recordedCall(asRecord(call)));
  return {
    id,
    type,
    timestamp: asString(record.timestamp) ?? UNDATED,
    ...(type === 'user' ? readPerson(record, parts) : NOBODY),
    text: type === 'user' ? '' : textOf(parts.shown).trim(),
    thoughts: thoughtsOf(record.thoughts, parts.thoughts),
    model: asString(record.model),
    usage: isRecord(record.tokens) ? readUsage(record.tokens) : undefined,
    calls: withRequested(recorded, parts.calls),
    responses: parts.responses,
  };
}

/** `input` holds the cached tokens too, `output` not the thoughts; `total` is the program's own sum. */
function readUsage(tokens: JsonRecord): TokenUsage {
  const inputTokens = asNumber(tokens.input) ?? 0;
  const outputTokens = asNumber(tokens.output) ?? 0;
  const thinkingTokens = asNumber(tokens.thoughts) ?? 0;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: asNumber(tokens.cached) ?? 0,
    thinkingTokens,
    totalTokens: asNumber(tokens.total) ?? inputTokens + outputTokens + thinkingTokens,
  };
}

type PersonsWords = Pick<GeminiMessage, 'said' | 'sent' | 'snapshot'>;

function readPerson(record: JsonRecord, { shown, responses }: MessageParts): PersonsWords {
  // What stands beside tool results comes from the program, not from a person.
  if (responses.length > 0) return NOBODY;
  const own = shown.filter((part) => part.type !== 'text' || !isProgramsContext(part.text));
  const text = textOf(own);
  if (text.trimStart().startsWith('<state_snapshot>')) return { ...NOBODY, snapshot: text };
  const typed = typedParts(record.displayContent, text);
  if (typed.length === 0) return { ...NOBODY, said: messageContent(own) };
  const media = own.filter((part) => part.type !== 'text');
  const sent = text === textOf(typed) ? undefined : text;
  return { said: messageContent([...typed, ...media]), sent, snapshot: undefined };
}

/** Since 0.25 the program records what was typed; before, files that were mentioned follow it behind a mark. */
function typedParts(displayed: unknown, text: string): ContentPart[] {
  const texts = partsOf(displayed).map((part) => asString(part) ?? asString(asRecord(part).text));
  const marked = text.indexOf(FILES_MARK);
  if (texts.length === 0 && marked > 0) texts.push(text.slice(0, marked));
  return texts.flatMap((typed) => (typed ? [{ type: 'text' as const, text: typed }] : []));
}

export const FILES_MARK = '\n--- Content from referenced files ---';

/** What the program tells the model about the workspace, or a hook adds. */
export function isProgramsContext(text: string): boolean {
  return text.startsWith('<session_context>') || text.startsWith('<hook_context>');
}

function thoughtsOf(recorded: unknown, spoken: readonly Thought[]): readonly Thought[] {
  const list = asArray(recorded);
  return list.length === 0 ? spoken : [...list.flatMap(recordedThought), ...spoken];
}

function recordedThought(value: unknown): Thought[] {
  if (!isRecord(value)) return [];
  const subject = asString(value.subject) ?? '';
  const description = asString(value.description) ?? '';
  if (subject === '' && description === '') return [];
  return [{ subject, description, timestamp: asString(value.timestamp) }];
}

function recordedCall(call: JsonRecord): ToolCall[] {
  const id = asId(call.id);
  if (id === undefined) return [];
  const result = partsOf(call.result);
  const responses = readResponses(result);
  return [
    {
      id,
      name: asString(call.name) ?? 'unknown',
      args: call.args,
      status: asString(call.status),
      timestamp: asString(call.timestamp),
      agentId: asString(call.agentId),
      displayName: asString(call.displayName),
      description: asString(call.description),
      renderOutputAsMarkdown:
        typeof call.renderOutputAsMarkdown === 'boolean' ? call.renderOutputAsMarkdown : undefined,
      display: call.resultDisplay,
      response: ownResponse(id, responses) ?? plainResult(id, call),
    },
  ];
}

/** A result may lack the id, or carry the one the model gave; it belongs to the call it is recorded with. */
function ownResponse(callId: string, responses: readonly ToolResponse[]): ToolResponse | undefined {
  const response = responses.find((each) => each.callId === callId) ?? responses[0];
  return response && { ...response, callId };
}

/** Some results are a bare text instead of a functionResponse. */
function plainResult(callId: string, { result, name }: JsonRecord): ToolCall['response'] {
  const [first] = partsOf(result);
  const output = asString(first) ?? asString(asRecord(first).text);
  if (output === undefined) return undefined;
  return { callId, name: asString(name) ?? 'unknown', output, isError: false };
}

/** A call stands in the record of calls or, in a rebuilt message, only among the parts. */
function withRequested(
  recorded: readonly ToolCall[],
  requested: readonly ToolCall[],
): readonly ToolCall[] {
  if (requested.length === 0) return recorded;
  const known = new Set(recorded.map(({ id }) => id));
  return [...recorded, ...requested.filter(({ id }) => !known.has(id))];
}

const NOBODY: PersonsWords = { said: undefined, sent: undefined, snapshot: undefined };

/** A record without a time; the same in every reading. */
const UNDATED = new Date(0).toISOString();
