import type { LedgerEntry } from './message-ledger.ts';

/** The program's own list of messages, in its order. Cutting its end costs as much as was cut. */
export class MessageList {
  readonly #entries: LedgerEntry[] = [];

  get entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  /** A message that is in the list keeps its place. */
  add(entry: LedgerEntry): void {
    if (this.#has(entry)) return;
    entry.place = this.#entries.length;
    this.#entries.push(entry);
  }

  /** Removes and returns the message and all after it; everything if it is not in the list. */
  cutFrom(entry: LedgerEntry | undefined): readonly LedgerEntry[] {
    return this.#entries.splice(entry !== undefined && this.#has(entry) ? entry.place : 0);
  }

  #has(entry: LedgerEntry): boolean {
    return this.#entries[entry.place] === entry;
  }
}
