import type { Message } from '@robota-sdk/agent-core';

export interface Mismatch {
  readonly recorded: string;
  readonly given: string;
}

/**
 * Finds where the conversation differs from the recording since the last assistant message. Earlier messages
 * were compared with earlier requests. Ids, times and system prompts may differ.
 */
export function findMismatch(
  recorded: readonly Message[],
  given: readonly Message[],
): Mismatch | undefined {
  const expected = sinceAssistant(recorded);
  const actual = sinceAssistant(given);
  const length = Math.max(expected.length, actual.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [expected[index], actual[index]];
    if (!isSame(left, right)) return { recorded: describe(left), given: describe(right) };
  }
  return undefined;
}

function sinceAssistant(messages: readonly Message[]): Message[] {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return messages.slice(last + 1).filter((message) => message.role !== 'system');
}

function isSame(left: Message | undefined, right: Message | undefined): boolean {
  if (!left || !right || left.role !== right.role) return false;
  return matches(left.content ?? '', right.content ?? '');
}

const REDACTED = /\[REDACTED(?::[^\]]*)?\]/;

/** A placeholder in a log matches any text, because logs contain no secrets. */
function matches(recorded: string, given: string): boolean {
  if (recorded === given) return true;
  const [first = '', ...rest] = recorded.split(REDACTED);
  const last = rest.pop();
  if (last === undefined || !given.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = given.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return given.length - last.length >= position && given.endsWith(last);
}

function describe(message: Message | undefined): string {
  if (!message) return 'nothing';
  const text = (message.content ?? '').replace(/\s+/g, ' ').trim();
  return `${message.role} "${text.length > 80 ? `${text.slice(0, 80)}…` : text}"`;
}
