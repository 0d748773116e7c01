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
  const { userContent, sent, snapshot } =
    type === 'user' ? readUserFields(record, parts) : NO_USER_FIELDS;
  return {
    id,
    type,
    timestamp: asString(record.timestamp) ?? UNDATED,
    userContent,
    sent,
    snapshot,
    text: type === 'user' ? '' : textOf(parts.shown).trim(),
    thoughts: thoughtsOf(record.thoughts, parts.thoughts),
    model: asString(record.model),
    usage: isRecord(record.tokens) ? readUsage(record.tokens) : undefined,
    calls: withRequested(recordedCalls(record.toolCalls), parts.calls),
    responses: parts.responses,
  };
}

/** `input` includes cached tokens, `output` does not include thoughts; `total` is the program's own sum. */
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

type UserFields = Pick<GeminiMessage, 'userContent' | 'sent' | 'snapshot'>;

function readUserFields(record: JsonRecord, { shown, responses }: MessageParts): UserFields {
  // Text next to tool results comes from the program, not from the user.
  if (responses.length > 0) return NO_USER_FIELDS;
  const own = shown.filter((part) => part.type !== 'text' || !isProgramContext(part.text));
  const text = textOf(own);
  if (text.trimStart().startsWith('<state_snapshot>')) return { ...NO_USER_FIELDS, snapshot: text };
  const typed = typedParts(record.displayContent, text);
  if (typed.length === 0) return { ...NO_USER_FIELDS, userContent: messageContent(own) };
  const media = own.filter((part) => part.type !== 'text');
  const sent = text === textOf(typed) ? undefined : text;
  return { userContent: messageContent([...typed, ...media]), sent, snapshot: undefined };
}

/** Since 0.25 the program records what was typed; before, referenced files follow the text after a mark. */
function typedParts(displayed: unknown, text: string): ContentPart[] {
  const texts = partsOf(displayed).map((part) => asString(part) ?? asString(asRecord(part).text));
  const marked = text.indexOf(FILES_MARK);
  if (texts.length === 0 && marked > 0) texts.push(text.slice(0, marked));
  return texts.flatMap((typed) => (typed ? [{ type: 'text' as const, text: typed }] : []));
}

export const FILES_MARK = '\n--- Content from referenced files ---';

/** Context about the workspace, or added by a hook. */
export function isProgramContext(text: string): boolean {
  return text.startsWith('<session_context>') || text.startsWith('<hook_context>');
}

function thoughtsOf(recorded: unknown, streamed: readonly Thought[]): readonly Thought[] {
  const list = asArray(recorded);
  return list.length === 0 ? streamed : [...list.flatMap(recordedThought), ...streamed];
}

function recordedThought(value: unknown): Thought[] {
  if (!isRecord(value)) return [];
  const subject = asString(value.subject) ?? '';
  const description = asString(value.description) ?? '';
  if (subject === '' && description === '') return [];
  return [{ subject, description, timestamp: asString(value.timestamp) }];
}

function recordedCalls(recorded: unknown): readonly ToolCall[] {
  const list = asArray(recorded);
  return list.length === 0 ? NO_CALLS : list.flatMap((call) => recordedCall(asRecord(call)));
}

const NO_CALLS: readonly ToolCall[] = [];

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
      agentId: asId(call.agentId),
      displayName: asString(call.displayName),
      description: asString(call.description),
      renderOutputAsMarkdown:
        typeof call.renderOutputAsMarkdown === 'boolean' ? call.renderOutputAsMarkdown : undefined,
      display: call.resultDisplay,
      response: ownResponse(id, responses) ?? plainResult(id, call),
    },
  ];
}

/** A result may have no id or the model's id; it belongs to the call it is recorded with. */
function ownResponse(callId: string, responses: readonly ToolResponse[]): ToolResponse | undefined {
  const response = responses.find((each) => each.callId === callId) ?? responses[0];
  return response === undefined || response.callId === callId ? response : { ...response, callId };
}

/** Some results are plain text instead of a functionResponse. */
function plainResult(callId: string, { result, name }: JsonRecord): ToolCall['response'] {
  const [first] = partsOf(result);
  const output = asString(first) ?? asString(asRecord(first).text);
  if (output === undefined) return undefined;
  return { callId, name: asString(name) ?? 'unknown', output, isError: false };
}

/** A call is in the record of calls or, in a rebuilt message, only among the parts. */
function withRequested(
  recorded: readonly ToolCall[],
  requested: readonly ToolCall[],
): readonly ToolCall[] {
  if (requested.length === 0) return recorded;
  const known = new Set(recorded.map(({ id }) => id));
  return [...recorded, ...requested.filter(({ id }) => !known.has(id))];
}

const NO_USER_FIELDS: UserFields = { userContent: undefined, sent: undefined, snapshot: undefined };

/** Timestamp of records without one; constant, so that every reading is equal. */
const UNDATED = new Date(0).toISOString();
