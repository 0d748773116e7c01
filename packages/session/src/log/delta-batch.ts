import type { SessionLogData } from './session-logger.ts';

/** Streamed events that may share a line. */
const BATCHED = new Map<string, 'delta' | 'payload'>([
  ['provider_stream_raw_delta', 'delta'],
  ['provider_thinking_delta', 'delta'],
  ['text_delta', 'delta'],
  ['provider_native_raw_payload', 'payload'],
]);

export interface BatchedLine {
  readonly event: string;
  readonly data: SessionLogData;
}

interface OpenBatch {
  readonly event: string;
  readonly first: SessionLogData;
  readonly values: unknown[];
}

/** Collects streamed events until they are flushed: one line for each kind, in the order the kinds began. */
export class DeltaBatches {
  #open: OpenBatch[] = [];
  #size = 0;

  /** About how many characters are waiting. */
  get size(): number {
    return this.#size;
  }

  static accepts(event: string, data: SessionLogData): boolean {
    const field = BATCHED.get(event);
    if (field === 'delta') return typeof data.delta === 'string';
    return field === 'payload' && data.payloadKind === 'stream_event';
  }

  add(event: string, data: SessionLogData): void {
    const value = BATCHED.get(event) === 'delta' ? data.delta : data.payload;
    this.#size += typeof value === 'string' ? value.length + 1 : 200;
    for (const batch of this.#open) {
      if (batch.event === event && isSameStream(batch.first, data)) {
        batch.values.push(value);
        return;
      }
    }
    this.#open.push({ event, first: data, values: [value] });
  }

  take(): BatchedLine[] {
    const lines = this.#open.map(({ event, first, values }) => ({
      event,
      data: values.length === 1 ? first : joined(first, values),
    }));
    this.#open = [];
    this.#size = 0;
    return lines;
  }
}

function isSameStream(left: SessionLogData, right: SessionLogData): boolean {
  return left.executionId === right.executionId && left.round === right.round;
}

/** `count` events from one line: texts are joined and cut again by `lengths`, payloads stay a list. */
function joined(first: SessionLogData, values: readonly unknown[]): SessionLogData {
  if (typeof first.delta !== 'string') {
    const { payload: _payload, ...rest } = first;
    return { ...rest, count: values.length, payloads: [...values] };
  }
  const lengths = values.map((value) => String(value).length);
  return { ...first, count: values.length, delta: values.join(''), lengths };
}

/** The events a line stands for; a line that is no batch stands for itself. */
export function expandBatch(line: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  if (typeof line.count !== 'number') return [line as Record<string, unknown>];
  const { count: _count, lengths, payloads, ...rest } = line;
  if (Array.isArray(payloads)) {
    return payloads.map((payload, offset) => ({ ...withSequence(rest, offset), payload }));
  }
  if (!Array.isArray(lengths) || typeof rest.delta !== 'string') {
    return [line as Record<string, unknown>];
  }
  const pieces = cut(rest.delta, lengths);
  return pieces.map((delta, offset) => ({ ...withSequence(rest, offset), delta }));
}

function withSequence(rest: Record<string, unknown>, offset: number): Record<string, unknown> {
  return typeof rest.sequence === 'number' ? { ...rest, sequence: rest.sequence + offset } : rest;
}

/** Where redaction changed the length, the cuts no longer fit and the first piece carries all of it. */
function cut(text: string, lengths: readonly unknown[]): string[] {
  const sizes = lengths.map(Number);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total !== text.length) return sizes.map((_, index) => (index === 0 ? text : ''));
  let at = 0;
  return sizes.map((size) => {
    at += size;
    return text.slice(at - size, at);
  });
}
