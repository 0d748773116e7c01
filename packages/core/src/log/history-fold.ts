/** As much of a message as folding needs; the rest is carried along. */
export interface FoldedMessage {
  readonly id?: unknown;
  readonly role?: unknown;
}

/** The fields of a `history_mutation` entry. */
export interface HistoryChange<Item> {
  readonly mutation?: unknown;
  readonly index?: unknown;
  readonly length?: unknown;
  readonly message?: Item | null;
  readonly messages?: readonly Item[];
}

/**
 * The conversation that a row of history mutations leads to, exactly as the engine changes it. An epoch is a
 * stretch in which messages were only appended, so "the first N messages of epoch E" never changes its meaning.
 */
export class HistoryFold<Item extends FoldedMessage> {
  #epoch: number;
  #messages: Item[];
  #system: Item | undefined;

  constructor(start: { epoch: number; messages: readonly Item[]; hasSystem: boolean } = EMPTY) {
    this.#epoch = start.epoch;
    this.#messages = [...start.messages];
    this.#system = start.hasSystem ? this.#messages[0] : undefined;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Append-only while the epoch lasts; a new epoch has a new array. */
  get messages(): readonly Item[] {
    return this.#messages;
  }

  get hasSystem(): boolean {
    return this.#system !== undefined;
  }

  apply(change: HistoryChange<Item>): void {
    switch (change.mutation) {
      case 'append_message':
      case 'inject_message':
        if (change.message) this.#append(change.message, change.index);
        break;
      case 'clear':
        this.#begin([]);
        break;
      case 'replace_all':
        this.#replace(change.messages ?? []);
        break;
      case 'truncate':
        if (typeof change.length === 'number') this.#truncate(change.length);
        break;
      case 'set_system_message':
        this.#setSystem(change.message ?? undefined);
        break;
      default:
    }
  }

  /** Goes on under another epoch number, with the first `length` messages. */
  beginEpoch(epoch: number, length = this.#messages.length): void {
    this.#epoch = epoch;
    this.#messages = this.#messages.slice(0, length);
    if (this.#messages[0] !== this.#system) this.#system = undefined;
  }

  #append(message: Item, index: unknown): void {
    // A smaller index means that the conversation was begun anew without saying so.
    if (typeof index === 'number' && index < this.#messages.length) this.#truncate(index);
    this.#messages.push(message);
  }

  #truncate(length: number): void {
    const kept = this.#messages.slice(0, length);
    if (kept[0] !== this.#system) this.#system = undefined;
    this.#epoch += 1;
    this.#messages = kept;
  }

  #setSystem(system: Item | undefined): void {
    const rest = this.#rest();
    this.#system = system;
    this.#begin(rest);
  }

  /** A leading system message counts only where the conversation has none. */
  #replace(messages: readonly Item[]): void {
    const [first] = messages;
    const startsWithSystem = first?.role === 'system';
    if (startsWithSystem && this.#system === undefined) this.#system = first;
    this.#begin(startsWithSystem ? messages.slice(1) : messages);
  }

  #rest(): Item[] {
    const hasSystem = this.#system !== undefined && this.#messages[0] === this.#system;
    return hasSystem ? this.#messages.slice(1) : this.#messages;
  }

  #begin(rest: readonly Item[]): void {
    this.#epoch += 1;
    this.#messages = this.#system === undefined ? [...rest] : [this.#system, ...rest];
  }
}

const EMPTY = { epoch: 0, messages: [], hasSystem: false };
