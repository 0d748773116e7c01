import type { ConversationBlock } from './blocks.ts';

/**
 * Makes block ids unique within a conversation: a duplicate gets the suffix `:2`, `:3` and so on. The cost of an id does
 * not depend on how often it was used before.
 */
export class UniqueIds {
  readonly #taken = new Set<string>();
  /** The last suffix that was tried for a repeated id. */
  readonly #copies = new Map<string, number>();

  assign<Block extends ConversationBlock>(block: Block): Block {
    const known = this.#taken.size;
    if (this.#taken.add(block.id).size > known) return block;
    return { ...block, id: this.#copyOf(block.id) };
  }

  #copyOf(id: string): string {
    let copy = (this.#copies.get(id) ?? 1) + 1;
    while (this.#taken.has(`${id}:${copy}`)) copy++;
    this.#copies.set(id, copy);
    this.#taken.add(`${id}:${copy}`);
    return `${id}:${copy}`;
  }
}
