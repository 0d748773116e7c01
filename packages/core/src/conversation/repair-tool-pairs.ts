import {
  type AssistantMessage,
  createToolMessage,
  type Message,
  type ToolCall,
  type ToolMessage,
} from '../messages/message.ts';

/** Tool result for the model when a session ended before the real one was recorded. */
export const OUTCOME_UNKNOWN_TEXT =
  'Error: The outcome of this tool call is unknown: the session ended before a result was recorded. Check before running it again.';

/**
 * Returns a history in which each tool call has exactly one result, right after its assistant message and in call
 * order, and call ids are unique. Results without a call are dropped. A valid history is returned as it is.
 */
export function repairToolPairs(messages: readonly Message[]): readonly Message[] {
  const repaired: Message[] = [];
  const takenIds = new Set<string>();
  for (let index = 0; index < messages.length; ) {
    const message = messages[index] as Message;
    index += 1;
    if (message.role === 'tool') continue;
    if (message.role !== 'assistant' || !message.toolCalls?.length) {
      repaired.push(message);
      continue;
    }
    const group = groupAt(messages, index);
    repaired.push(...repairGroup(message, group.results, takenIds));
    repaired.push(...group.between);
    index = group.end;
  }
  return isSame(messages, repaired) ? messages : repaired;
}

interface ToolGroup {
  readonly results: readonly ToolMessage[];
  /** Messages between a call and its results; they are moved after the results. */
  readonly between: readonly Message[];
  readonly end: number;
}

/** Results up to the next assistant message belong to this one. */
function groupAt(messages: readonly Message[], start: number): ToolGroup {
  const results: ToolMessage[] = [];
  const between: Message[] = [];
  let end = start;
  for (; end < messages.length; end++) {
    const message = messages[end] as Message;
    if (message.role === 'assistant') break;
    if (message.role === 'tool') results.push(message);
    else between.push(message);
  }
  return { results, between, end };
}

function repairGroup(
  message: AssistantMessage,
  results: readonly ToolMessage[],
  takenIds: Set<string>,
): readonly Message[] {
  const waiting = [...results];
  const calls: ToolCall[] = [];
  const answers: ToolMessage[] = [];
  for (const call of message.toolCalls ?? []) {
    const id = freeId(call.id, takenIds);
    takenIds.add(id);
    calls.push(id === call.id ? call : { ...call, id });
    answers.push(answerTo(call, id, waiting));
  }
  const isUnchanged = calls.every((call, index) => call === message.toolCalls?.[index]);
  return [isUnchanged ? message : { ...message, toolCalls: calls }, ...answers];
}

function answerTo(call: ToolCall, id: string, waiting: ToolMessage[]): ToolMessage {
  const at = waiting.findIndex((result) => result.toolCallId === call.id);
  const [found] = at < 0 ? [] : waiting.splice(at, 1);
  if (found === undefined) return unknownOutcome(id, call.function.name);
  return found.toolCallId === id ? found : { ...found, toolCallId: id };
}

function unknownOutcome(toolCallId: string, toolName: string): ToolMessage {
  return createToolMessage(OUTCOME_UNKNOWN_TEXT, toolCallId, {
    name: toolName,
    metadata: { success: false, toolName, errorCode: 'outcome_unknown' },
  });
}

/** The id, or a variant of it that is not taken; models restart their call numbers in every reply. */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  const wanted = id.trim() === '' ? 'call' : id;
  if (!taken.has(wanted)) return wanted;
  // Starting at the count finds a free suffix quickly, however often a model repeats ids.
  let suffix = taken.size + 1;
  while (taken.has(`${wanted}_${suffix}`)) suffix += 1;
  return `${wanted}_${suffix}`;
}

function isSame(left: readonly Message[], right: readonly Message[]): boolean {
  return left.length === right.length && left.every((message, index) => message === right[index]);
}
