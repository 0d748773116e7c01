import type { ConversationBlock } from '../../blocks.ts';
import { UniqueIds } from '../../unique-ids.ts';

/** Final changes to the blocks at the end of input; the sequence itself is not modified. */
export interface Settlement {
  readonly removed: ReadonlySet<number>;
  readonly replaced: ReadonlyMap<number, ConversationBlock>;
}

export interface PlacedBlock {
  readonly block: ConversationBlock;
  /** Byte offset of its line. */
  readonly offset: number;
}

/** The blocks of one thread; later records complete, rename or withdraw earlier ones. */
export class BlockSequence {
  readonly #blocks: (ConversationBlock | undefined)[] = [];
  /** For each block the number of its line. */
  readonly #ordinals: number[] = [];
  readonly #offsets: number[] = [];
  readonly #ids = new UniqueIds();
  /** Ranges that were not cut, so that rolled-back turns are never scanned again. */
  readonly #ranges: { readonly from: number; to: number }[] = [];
  /** Byte offset of the line being read. */
  offset = -1;

  get length(): number {
    return this.#blocks.length;
  }

  /** Returns the block's position. A duplicate id gets the suffix `:2`, `:3` and so on. */
  push(block: ConversationBlock, ordinal: number): number {
    this.#ordinals.push(ordinal);
    this.#offsets.push(this.offset);
    const place = this.#blocks.push(this.#ids.assign(block)) - 1;
    const last = this.#ranges.at(-1);
    if (last?.to === place) last.to = place + 1;
    else this.#ranges.push({ from: place, to: place + 1 });
    return place;
  }

  get(place: number): ConversationBlock | undefined {
    return this.#blocks[place];
  }

  set(place: number, block: ConversationBlock): void {
    const before = this.#blocks[place];
    this.#blocks[place] = before?.id === block.id ? block : this.#ids.assign(block);
  }

  /** Like `set`, and the current line becomes the block's line. */
  replace(place: number, block: ConversationBlock): void {
    this.set(place, block);
    this.#offsets[place] = this.offset;
  }

  remove(place: number): void {
    this.#blocks[place] = undefined;
  }

  /** The position of the last matching block in `from` (inclusive) to `end` (exclusive). */
  findLast(
    matches: (block: ConversationBlock) => boolean,
    from = 0,
    end = this.#blocks.length,
  ): number | undefined {
    for (let index = this.#rangeBefore(end); index >= 0; index--) {
      const range = this.#ranges[index];
      if (range === undefined || range.to <= from) return undefined;
      const first = Math.max(from, range.from);
      for (let place = Math.min(end, range.to) - 1; place >= first; place--) {
        const block = this.#blocks[place];
        if (block !== undefined && matches(block)) return place;
      }
    }
    return undefined;
  }

  /** The last range with a position before `end`; -1 if there is none. */
  #rangeBefore(end: number): number {
    let [low, high] = [0, this.#ranges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ranges[middle]?.from ?? end) < end) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Removes and returns all blocks from `place` on. */
  cutFrom(place: number): ConversationBlock[] {
    const cut: ConversationBlock[][] = [];
    for (let last = this.#ranges.at(-1); last && last.to > place; last = this.#ranges.at(-1)) {
      const from = Math.max(place, last.from);
      cut.push(this.#blocks.slice(from, last.to).filter((block) => block !== undefined));
      this.#blocks.fill(undefined, from, last.to);
      if (from > last.from) last.to = from;
      else this.#ranges.pop();
    }
    return cut.reverse().flat();
  }

  /** The id of the last block before `place` that is left at the end of input. */
  idBefore(place: number, { removed }: Settlement): string | null {
    let before = this.findLast(() => true, 0, place);
    while (before !== undefined && removed.has(before)) {
      before = this.findLast(() => true, 0, before);
    }
    return before === undefined ? null : (this.#blocks[before]?.id ?? null);
  }

  /** Splits the blocks into those of lines before `endOrdinal` and the rest. */
  split(
    settlement: Settlement,
    endOrdinal: number,
  ): { readonly kept: PlacedBlock[]; readonly rest: PlacedBlock[] } {
    const kept: PlacedBlock[] = [];
    const rest: PlacedBlock[] = [];
    for (const place of this.#blocks.keys()) {
      const block = this.#settled(settlement, place);
      if (block === undefined) continue;
      const isKept = (this.#ordinals[place] ?? 0) < endOrdinal;
      (isKept ? kept : rest).push({ block, offset: this.#offsets[place] ?? -1 });
    }
    return { kept, rest };
  }

  /** The remaining blocks from a position on. */
  placed(settlement: Settlement, from = 0): PlacedBlock[] {
    const found: PlacedBlock[] = [];
    for (let place = from; place < this.#blocks.length; place++) {
      const block = this.#settled(settlement, place);
      if (block !== undefined) found.push({ block, offset: this.#offsets[place] ?? -1 });
    }
    return found;
  }

  #settled({ removed, replaced }: Settlement, place: number): ConversationBlock | undefined {
    const block = this.#blocks[place];
    if (block === undefined || removed.has(place)) return undefined;
    return replaced.get(place) ?? block;
  }
}
