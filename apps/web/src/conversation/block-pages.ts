import type { ConversationBlock, ToolResultBlock } from '@robota-sdk/agent-transcript';
import type { BlockPage } from '../api-types.ts';
import type { BlockReader } from './row-plan.ts';

export interface BlockPagesOptions {
  readonly total: number;
  readonly fetchPage: (from: number, limit: number) => Promise<BlockPage>;
  readonly onProblem: (error: unknown) => void;
}

const PAGE_BLOCKS = 200;
/** Pages kept in memory; the least recently used are dropped. */
const MAX_PAGES = 40;

/** A long conversation of which only the pages near the viewport are loaded. */
export class BlockPages implements BlockReader {
  readonly #options: BlockPagesOptions;
  readonly #pages = new Map<number, readonly ConversationBlock[]>();
  readonly #asked = new Set<number>();
  readonly #results = new Map<string, ToolResultBlock>();
  readonly #listeners = new Set<() => void>();
  #total: number;
  #version = 0;

  constructor(options: BlockPagesOptions) {
    this.#options = options;
    this.#total = options.total;
  }

  get total(): number {
    return this.#total;
  }

  /** Increases with every change, so that views know when to render. */
  readonly getVersion = (): number => this.#version;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  at(ordinal: number): ConversationBlock | undefined {
    const page = this.#pages.get(Math.floor(ordinal / PAGE_BLOCKS));
    return page?.[ordinal % PAGE_BLOCKS];
  }

  resultOf(toolUseId: string): ToolResultBlock | undefined {
    return this.#results.get(toolUseId);
  }

  /** Fetches the missing pages from block `first` to `last`. */
  need(first: number, last: number): void {
    const from = Math.floor(Math.max(0, first) / PAGE_BLOCKS);
    const to = Math.floor(Math.min(last, this.#total - 1) / PAGE_BLOCKS);
    for (let page = from; page <= to; page++) {
      const known = this.#pages.get(page);
      if (known) this.#markRecent(page, known);
      else if (!this.#asked.has(page)) void this.#fetch(page);
    }
  }

  async #fetch(page: number): Promise<void> {
    this.#asked.add(page);
    try {
      const { blocks, total } = await this.#options.fetchPage(page * PAGE_BLOCKS, PAGE_BLOCKS);
      this.#total = total;
      this.#put(page, blocks);
    } catch (error) {
      this.#options.onProblem(error);
    } finally {
      this.#asked.delete(page);
    }
  }

  #put(page: number, blocks: readonly ConversationBlock[]): void {
    this.#pages.set(page, blocks);
    for (const block of blocks) {
      if (block.type === 'tool_result') this.#results.set(block.toolUseId, block);
    }
    for (const [oldest, gone] of this.#pages) {
      if (this.#pages.size <= MAX_PAGES) break;
      this.#pages.delete(oldest);
      for (const block of gone) {
        if (block.type === 'tool_result') this.#results.delete(block.toolUseId);
      }
    }
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Maps keep insertion order, so reinserting makes a page the most recent. */
  #markRecent(page: number, blocks: readonly ConversationBlock[]): void {
    this.#pages.delete(page);
    this.#pages.set(page, blocks);
  }
}
