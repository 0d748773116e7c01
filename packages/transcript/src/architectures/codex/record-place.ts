import type { RolloutLine } from './rollout-line.ts';

/** Position and time of a record in its thread. */
export interface RecordPlace {
  readonly timestamp: string;
  readonly ordinal: number;
  /** An id for a record without one; stable even if the start of the file is missing. */
  ownId(): string;
}

/** Numbers the lines of a thread and supplies missing timestamps. */
export class RecordPlaces {
  #timestamp = new Date(0).toISOString();
  #index = -1;
  #unnamedAt = '';
  #unnamed = 0;

  get timestamp(): string {
    return this.#timestamp;
  }

  next(line: RolloutLine): RecordPlace {
    this.#index += 1;
    this.#timestamp = line.timestamp ?? headerTime(line) ?? this.#timestamp;
    return new LinePlace(this, line, this.#index);
  }

  /** An id for a line that has no number. */
  idFor({ timestamp }: RolloutLine, index: number): string {
    if (timestamp === undefined) return `line:${index}`;
    this.#unnamed = this.#unnamedAt === timestamp ? this.#unnamed + 1 : 0;
    this.#unnamedAt = timestamp;
    return `at:${timestamp}:${this.#unnamed}`;
  }
}

class LinePlace implements RecordPlace {
  readonly timestamp: string;
  readonly ordinal: number;
  readonly #places: RecordPlaces;
  readonly #line: RolloutLine;
  readonly #index: number;

  constructor(places: RecordPlaces, line: RolloutLine, index: number) {
    this.timestamp = places.timestamp;
    this.ordinal = line.ordinal ?? index;
    this.#places = places;
    this.#line = line;
    this.#index = index;
  }

  ownId(): string {
    const { ordinal } = this.#line;
    return ordinal === undefined ? this.#places.idFor(this.#line, this.#index) : `line:${ordinal}`;
  }
}

/** Until 0.32 only the first line had a timestamp. */
function headerTime({ type, payload, isBare }: RolloutLine): string | undefined {
  if (!isBare || type !== 'session_meta') return undefined;
  return typeof payload.timestamp === 'string' ? payload.timestamp : undefined;
}
