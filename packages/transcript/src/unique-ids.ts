import type { ConversationBlock } from './blocks.ts';

/** Gives blocks of one conversation ids of their own: an id that is taken gets `:2`, `:3` and so on. */
export class UniqueIds {
  readonly #taken = new Set<string>();

  give<Block extends ConversationBlock>(block: Block): Block {
    let { id } = block;
    for (let copy = 2; this.#taken.has(id); copy++) id = `${block.id}:${copy}`;
    this.#taken.add(id);
    return id === block.id ? block : { ...block, id };
  }
}
