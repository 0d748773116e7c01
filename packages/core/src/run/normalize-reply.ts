import { randomUUID } from 'node:crypto';
import type { AssistantMessage, MessagePart, ToolCall } from '../messages/message.ts';
import { ProviderError } from '../provider-error.ts';
import { parseCallArguments } from './parse-call-arguments.ts';
import type { Run } from './run.ts';
import { legalToolName } from './tool-name.ts';

export interface ReplyFacts {
  readonly round: number;
  readonly streamedText: string;
  readonly isInterrupted: boolean;
}

/** Turns a provider's reply into a valid history message: unique call ids, legal tool names, no streamed text lost. */
export function normalizeReply(run: Run, reply: unknown, facts: ReplyFacts): AssistantMessage {
  const raw = checkedReply(run, reply);
  const isInterrupted = facts.isInterrupted || raw.state === 'interrupted';
  const toolCalls = (raw.toolCalls ?? [])
    .map((call) => readCall(run, call))
    .filter((call) => !isInterrupted || parseCallArguments(call.function.arguments).ok)
    .map((call) => legalCall(run, call));
  const { toolCalls: _calls, content: _content, ...rest } = raw;
  return {
    ...rest,
    id: typeof raw.id === 'string' && raw.id !== '' ? raw.id : randomUUID(),
    timestamp: raw.timestamp instanceof Date ? raw.timestamp : new Date(),
    role: 'assistant',
    content: contentOf(raw, facts.streamedText, { hasCalls: toolCalls.length > 0, isInterrupted }),
    state: isInterrupted ? 'interrupted' : 'complete',
    metadata: {
      ...raw.metadata,
      round: facts.round,
      ...(isInterrupted && { interruptedBy: facts.isInterrupted ? 'abort' : 'error' }),
    },
    ...(toolCalls.length > 0 && { toolCalls }),
  };
}

function checkedReply(run: Run, reply: unknown): Partial<AssistantMessage> {
  if (typeof reply !== 'object' || reply === null) throw malformed(run, 'is not a message');
  const { role, content, toolCalls } = reply as Readonly<Record<string, unknown>>;
  if (role !== 'assistant') throw malformed(run, `has the role ${JSON.stringify(role)}`);
  if (toolCalls !== undefined && !Array.isArray(toolCalls)) {
    throw malformed(run, 'has tool calls that are not a list');
  }
  if (typeof content !== 'string' && content !== null && content !== undefined) {
    throw malformed(run, 'has content that is not text');
  }
  return reply as Partial<AssistantMessage>;
}

function malformed(run: Run, problem: string): ProviderError {
  return new ProviderError(
    `The reply of provider "${run.provider.name}" ${problem}; an assistant message was expected.`,
    { provider: run.provider.name, kind: 'malformed_reply', isRetryable: false },
  );
}

/** The first that is not empty: the reply's text, the text of its parts, the streamed text. */
function contentOf(
  raw: Partial<AssistantMessage>,
  streamedText: string,
  { hasCalls, isInterrupted }: { readonly hasCalls: boolean; readonly isInterrupted: boolean },
): string | null {
  const text = raw.content || textOf(raw.parts) || streamedText;
  // An interrupted provider may return less than it streamed.
  if (isInterrupted && streamedText.length > text.length) return streamedText;
  return text === '' && hasCalls ? null : text;
}

function textOf(parts: readonly MessagePart[] = []): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function readCall(run: Run, call: unknown): ToolCall {
  const { id, function: wanted, vendor } = (call ?? {}) as Partial<ToolCall>;
  if (typeof wanted !== 'object' || wanted === null) {
    throw malformed(run, 'has a tool call without a function');
  }
  const { name, arguments: text } = wanted as { name?: unknown; arguments?: unknown };
  return {
    id: typeof id === 'string' ? id : '',
    type: 'function',
    function: {
      name: typeof name === 'string' ? name : '',
      arguments: typeof text === 'string' ? text : (JSON.stringify(text) ?? ''),
    },
    ...(vendor !== undefined && { vendor }),
  };
}

/** Vendors reject a history with a repeated call id or illegal characters in a tool name. */
function legalCall(run: Run, call: ToolCall): ToolCall {
  const { name } = call.function;
  const isRegistered = run.tools.get(name) !== undefined;
  return {
    ...call,
    id: run.conversation.claimCallId(call.id),
    function: isRegistered ? call.function : { ...call.function, name: legalToolName(name) },
  };
}
