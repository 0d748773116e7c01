import type { ConversationBlock } from '../../blocks.ts';

/** The blocks of one thread as they are found: later records complete, rename or withdraw earlier ones. */
export class BlockSequence {
  readonly #blocks: (ConversationBlock | undefined)[] = [];
  /** For each block the number of the line it came from. */
  readonly #ordinals: number[] = [];
  readonly #taken = new Set<string>();

  get length(): number {
    return this.#blocks.length;
  }

  /** A block whose id is taken gets `:2`, `:3` and so on; its place is returned. */
  push(block: ConversationBlock, ordinal: number): number {
    this.#ordinals.push(ordinal);
    return this.#blocks.push(this.#unique(block)) - 1;
  }

  get(place: number): ConversationBlock | undefined {
    return this.#blocks[place];
  }

  set(place: number, block: ConversationBlock): void {
    const before = this.#blocks[place];
    this.#blocks[place] = before?.id === block.id ? block : this.#unique(block);
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
    for (let place = end - 1; place >= from; place--) {
      const block = this.#blocks[place];
      if (block !== undefined && matches(block)) return place;
    }
    return undefined;
  }

  /** Withdraws everything from `place` on and hands it out. */
  cutFrom(place: number): ConversationBlock[] {
    const gone = this.#blocks.slice(place).filter((block) => block !== undefined);
    this.#blocks.fill(undefined, place);
    return gone;
  }

  /** The id of the last block in front of `place`. */
  idBefore(place: number): string | null {
    const before = this.#blocks.slice(0, place).findLast((block) => block !== undefined);
    return before?.id ?? null;
  }

  /** Blocks of lines up to and without `endOrdinal`, and those after it. */
  split(endOrdinal: number): {
    readonly kept: ConversationBlock[];
    readonly rest: ConversationBlock[];
  } {
    const kept: ConversationBlock[] = [];
    const rest: ConversationBlock[] = [];
    for (const [place, block] of this.#blocks.entries()) {
      if (block === undefined) continue;
      ((this.#ordinals[place] ?? 0) < endOrdinal ? kept : rest).push(block);
    }
    return { kept, rest };
  }

  toArray(from = 0): ConversationBlock[] {
    return this.#blocks.slice(from).filter((block) => block !== undefined);
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
