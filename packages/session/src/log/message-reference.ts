import { isKind } from './history-reference.ts';

export interface MessageLike {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Stands for the message with this id that was written shortly before, with some fields changed. */
interface MessageReference {
  readonly kind: 'message-reference';
  readonly id: string;
  readonly changed?: Readonly<Record<string, unknown>>;
  readonly removed?: readonly string[];
}

/** Shorter messages are repeated, so that the log stays easy to read. */
const REFERENCE_MIN_LENGTH = 512;

export function isMessageLike(value: unknown): value is MessageLike {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { id?: unknown }).id === 'string'
  );
}

export function isMessageReference(value: unknown): value is MessageReference {
  return isKind(value, 'message-reference');
}

/** How `value` differs from `known`; undefined when writing it out is about as short. */
export function referToMessage(
  known: MessageLike,
  value: MessageLike,
): MessageReference | undefined {
  const changed: Record<string, unknown> = {};
  let [size, changedSize] = [0, 0];
  for (const key of Object.keys(value)) {
    const json = JSON.stringify(value[key]) ?? '';
    size += json.length;
    if (known[key] === value[key] || JSON.stringify(known[key]) === json) continue;
    changed[key] = value[key];
    changedSize += json.length;
  }
  if (size < REFERENCE_MIN_LENGTH || changedSize > size / 2) return undefined;
  const removed = Object.keys(known).filter((key) => !(key in value));
  return {
    kind: 'message-reference',
    id: value.id,
    ...(changedSize > 0 && { changed }),
    ...(removed.length > 0 && { removed }),
  };
}

export function resolveMessage(reference: MessageReference, known: MessageLike): MessageLike {
  const whole: Record<string, unknown> & { id: string } = { ...known, ...reference.changed };
  for (const key of reference.removed ?? []) delete whole[key];
  return whole;
}
