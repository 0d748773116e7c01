import type { ConversationBlock } from '../blocks.ts';
import { PersistentList } from './persistent-list.ts';

/** The blocks of one conversation: immutable, with lookup by id. */
export class BlockList {
  /** A removed block leaves an empty slot, so that other positions do not change. */
  readonly #places: PersistentList<ConversationBlock | undefined>;
  /** Shared by all lists derived from one another, so every hit is checked against this list. */
  readonly #positions: Map<string, number>;
  #blocks: readonly ConversationBlock[] | undefined;

  private constructor(
    places: PersistentList<ConversationBlock | undefined>,
    positions: Map<string, number>,
  ) {
    this.#places = places;
    this.#positions = positions;
  }

  static from(blocks: readonly ConversationBlock[]): BlockList {
    const positions = new Map(blocks.map((block, index) => [block.id, index]));
    return new BlockList(PersistentList.from<ConversationBlock | undefined>(blocks), positions);
  }

  find(id: string): ConversationBlock | undefined {
    return this.#places.get(this.#positionOf(id));
  }

  /** Replaces the block with the same id in place, or appends. */
  put(block: ConversationBlock): BlockList {
    const position = this.#positionOf(block.id);
    if (position !== -1) return new BlockList(this.#places.set(position, block), this.#positions);
    const known = this.#positions.get(block.id);
    const isElsewhere = known !== undefined && known !== this.#places.length;
    const positions = isElsewhere ? new Map(this.#positions) : this.#positions;
    positions.set(block.id, this.#places.length);
    return new BlockList(this.#places.push(block), positions);
  }

  without(id: string): BlockList {
    const position = this.#positionOf(id);
    if (position === -1) return this;
    return new BlockList(this.#places.set(position, undefined), this.#positions);
  }

  /** The id of the block before `id`; `null` for the first. */
  before(id: string): string | null {
    for (let position = this.#positionOf(id) - 1; position >= 0; position--) {
      const block = this.#places.get(position);
      if (block !== undefined) return block.id;
    }
    return null;
  }

  toArray(): readonly ConversationBlock[] {
    this.#blocks ??= this.#places.toArray().filter((block) => block !== undefined);
    return this.#blocks;
  }

  /** Lists derived from the same list share positions; one whose entry was overwritten searches instead. */
  #positionOf(id: string): number {
    const position = this.#positions.get(id);
    if (position === undefined) return -1;
    if (this.#places.get(position)?.id === id) return position;
    return this.#places.toArray().findIndex((block) => block?.id === id);
  }
}
