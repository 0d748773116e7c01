/** Position of an event: the number of its log entry, and its index among the frames of that entry. */
export interface EventPosition {
  readonly seq: number;
  readonly part: number;
}

/** `45.3`; a bare number means after the whole entry, and 0 the beginning. */
export function parsePosition(text: string): EventPosition {
  const [seq = '0', part] = text.split('.');
  if (part !== undefined) return { seq: Number(seq), part: Number(part) };
  return { seq: Number(seq), part: Number(seq) === 0 ? 0 : Number.POSITIVE_INFINITY };
}

export function formatPosition({ seq, part }: EventPosition): string {
  return `${seq}.${part}`;
}

/** Negative when `one` comes first. */
export function comparePositions(one: EventPosition, other: EventPosition): number {
  return one.seq === other.seq ? one.part - other.part : one.seq - other.seq;
}
