import type { ConversationBlock } from '../blocks.ts';
import { PersistentList } from './persistent-list.ts';

/** The blocks of one conversation, immutable, found by id without a search. */
export class BlockList {
  /** A block that was taken out leaves its place empty, so that the places of the others stay. */
  readonly #places: PersistentList<ConversationBlock | undefined>;
  /** Shared by all lists grown from one another, so every hit is checked against this list. */
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

  /** Replaces the block of the same id where it stands, or appends. */
  put(block: ConversationBlock): BlockList {
    const position = this.#positionOf(block.id);
    if (position !== -1) return new BlockList(this.#places.set(position, block), this.#positions);
    const rival = this.#positions.get(block.id);
    const isElsewhere = rival !== undefined && rival !== this.#places.length;
    const positions = isElsewhere ? new Map(this.#positions) : this.#positions;
    positions.set(block.id, this.#places.length);
    return new BlockList(this.#places.push(block), positions);
  }

  without(id: string): BlockList {
    const position = this.#positionOf(id);
    if (position === -1) return this;
    return new BlockList(this.#places.set(position, undefined), this.#positions);
  }

  /** The id of the block in front of `id`; `null` when it is the first. */
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

  /** Two futures grown from one past share positions; the one that lost an entry looks for itself. */
  #positionOf(id: string): number {
    const position = this.#positions.get(id);
    if (position === undefined) return -1;
    if (this.#places.get(position)?.id === id) return position;
    return this.#places.toArray().findIndex((block) => block?.id === id);
  }
}
