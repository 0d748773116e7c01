import type { ConversationBlock } from '../../blocks.ts';

/** How blocks look once no more lines come; the sequence itself stays as it is. */
export interface Settlement {
  readonly removed: ReadonlySet<number>;
  readonly replaced: ReadonlyMap<number, ConversationBlock>;
}

export interface PlacedBlock {
  readonly block: ConversationBlock;
  /** The byte at which its line begins. */
  readonly offset: number;
}

/** The blocks of one thread as they are found: later records complete, rename or withdraw earlier ones. */
export class BlockSequence {
  readonly #blocks: (ConversationBlock | undefined)[] = [];
  /** For each block the number of the line it came from. */
  readonly #ordinals: number[] = [];
  readonly #offsets: number[] = [];
  readonly #taken = new Set<string>();
  /** Stretches of places that were not cut, so that turns taken back are never walked again. */
  readonly #standing: { readonly from: number; to: number }[] = [];
  /** Where the line begins that is being read. */
  offset = -1;

  get length(): number {
    return this.#blocks.length;
  }

  /** A block whose id is taken gets `:2`, `:3` and so on; its place is returned. */
  push(block: ConversationBlock, ordinal: number): number {
    this.#ordinals.push(ordinal);
    this.#offsets.push(this.offset);
    const place = this.#blocks.push(this.#unique(block)) - 1;
    const last = this.#standing.at(-1);
    if (last?.to === place) last.to = place + 1;
    else this.#standing.push({ from: place, to: place + 1 });
    return place;
  }

  get(place: number): ConversationBlock | undefined {
    return this.#blocks[place];
  }

  set(place: number, block: ConversationBlock): void {
    const before = this.#blocks[place];
    this.#blocks[place] = before?.id === block.id ? block : this.#unique(block);
  }

  /** Like `set`, and from now on the line being read is the one the block comes from. */
  replace(place: number, block: ConversationBlock): void {
    this.set(place, block);
    this.#offsets[place] = this.offset;
  }

  remove(place: number): void {
    this.#blocks[place] = undefined;
  }

  /** The place of the last block that `matches`, looking from `from` up to and without `end`. */
  findLast(
    matches: (block: ConversationBlock) => boolean,
    from = 0,
    end = this.#blocks.length,
  ): number | undefined {
    for (let index = this.#standing.length - 1; index >= 0; index--) {
      const stretch = this.#standing[index];
      if (stretch === undefined || stretch.to <= from) return undefined;
      const first = Math.max(from, stretch.from);
      for (let place = Math.min(end, stretch.to) - 1; place >= first; place--) {
        const block = this.#blocks[place];
        if (block !== undefined && matches(block)) return place;
      }
    }
    return undefined;
  }

  /** Withdraws everything from `place` on and hands it out. */
  cutFrom(place: number): ConversationBlock[] {
    const gone: ConversationBlock[][] = [];
    for (let last = this.#standing.at(-1); last && last.to > place; last = this.#standing.at(-1)) {
      const from = Math.max(place, last.from);
      gone.push(this.#blocks.slice(from, last.to).filter((block) => block !== undefined));
      this.#blocks.fill(undefined, from, last.to);
      if (from > last.from) last.to = from;
      else this.#standing.pop();
    }
    return gone.reverse().flat();
  }

  /** The id of the last block in front of `place`. */
  idBefore(place: number): string | null {
    const before = this.findLast(() => true, 0, place);
    return before === undefined ? null : (this.#blocks[before]?.id ?? null);
  }

  /** Blocks of lines up to and without `endOrdinal`, and those after it. */
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

  /** All that stands, from a place on. */
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

  #unique(block: ConversationBlock): ConversationBlock {
    const known = this.#taken.size;
    if (this.#taken.add(block.id).size > known) return block;
    let copy = 2;
    while (this.#taken.has(`${block.id}:${copy}`)) copy++;
    const id = `${block.id}:${copy}`;
    this.#taken.add(id);
    return { ...block, id };
  }
}
