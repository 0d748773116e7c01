/** The fields of a message that folding reads; all others are kept as they are. */
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
 * The conversation after a series of history mutations, exactly as the engine changes it. Within an epoch messages are
 * only appended, so "the first N messages of epoch E" never changes its meaning.
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

  /** Append-only within an epoch; a new epoch has a new array. */
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
        if (isMessage(change.message)) this.#append(change.message, change.index);
        break;
      case 'clear':
        this.#begin([]);
        break;
      case 'replace_all':
        if (Array.isArray(change.messages)) this.#replace(change.messages.filter(isMessage));
        break;
      case 'truncate':
        if (typeof change.length === 'number') this.#truncate(change.length);
        break;
      case 'set_system_message':
        this.#setSystem(isMessage(change.message) ? change.message : undefined);
        break;
      default:
    }
  }

  /** Starts epoch `epoch` with the first `length` messages. */
  beginEpoch(epoch: number, length = this.#messages.length): void {
    this.#epoch = epoch;
    this.#messages = this.#messages.slice(0, length);
    if (this.#messages[0] !== this.#system) this.#system = undefined;
  }

  #append(message: Item, index: unknown): void {
    // A smaller index means that the conversation was restarted without an entry for it.
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

  /** A leading system message is used only if the conversation has none. */
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

/** False for whatever a damaged line holds in place of a message. */
export function isMessage<Item>(value: Item | null | undefined): value is Item & object {
  return typeof value === 'object' && value !== null;
}

const EMPTY = { epoch: 0, messages: [], hasSystem: false };
