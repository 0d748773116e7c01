import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type { Token } from 'marked';
import {
  type GrowingMarkdown,
  IncrementalMarkdown,
  readMarkdown,
} from '../markdown/incremental-markdown.ts';
import type { BlockReader } from './row-plan.ts';

/** A row of the list: a block, or one top-level Markdown block of an answer that streamed in view. */
export type ListRow =
  | { readonly kind: 'block'; readonly key: string; readonly ordinal: number }
  | {
      readonly kind: 'token';
      readonly key: string;
      readonly ordinal: number;
      readonly token: Token;
      readonly isOpen: boolean;
    };

/** Rows by index, created on demand, so that the cost does not depend on the length. */
export interface ListRows {
  readonly length: number;
  at(index: number): ListRow;
  indexOf(ordinal: number): number;
}

/**
 * Splits a streaming answer into one row per Markdown block, so that text added below does not move a reader who has
 * scrolled up. It stays split once complete, so that nothing jumps then either.
 */
export class LiveRows {
  readonly #readers = new Map<string, IncrementalMarkdown>();
  #firstSplit: number | undefined;

  /** `growing` is the block that is streaming. */
  rows(reader: BlockReader, growing: ConversationBlock | undefined): ListRows {
    const last = reader.total - 1;
    if (growing?.type === 'assistant_text' && !this.#readers.has(growing.id)) {
      this.#readers.set(growing.id, new IncrementalMarkdown());
      this.#firstSplit ??= last;
    }
    const first = Math.min(this.#firstSplit ?? reader.total, reader.total);
    const tail: ListRow[] = [];
    const starts: number[] = [];
    for (let ordinal = first; ordinal < reader.total; ordinal++) {
      starts.push(first + tail.length);
      tail.push(...this.#rowsOf(reader.at(ordinal), ordinal, growing?.id));
    }
    return {
      length: first + tail.length,
      at: (index) => tail[index - first] ?? { kind: 'block', key: `b${index}`, ordinal: index },
      indexOf: (ordinal) => (ordinal < first ? ordinal : (starts[ordinal - first] ?? ordinal)),
    };
  }

  #rowsOf(block: ConversationBlock | undefined, ordinal: number, growing?: string): ListRow[] {
    const markdown = block && this.#readers.get(block.id);
    if (block?.type !== 'assistant_text' || !markdown) {
      return [{ kind: 'block', key: `b${ordinal}`, ordinal }];
    }
    const isGrowing = block.id === growing;
    // A complete text is parsed again as a whole: a definition at its end changes text before it.
    const tokens = isGrowing ? allOf(markdown.read(block.content)) : readMarkdown(block.content);
    if (tokens.length === 0) return [{ kind: 'block', key: `b${ordinal}`, ordinal }];
    return tokens.map((token, index) => ({
      kind: 'token',
      key: `b${ordinal}.${index}`,
      ordinal,
      token,
      isOpen: isGrowing && index === tokens.length - 1,
    }));
  }
}

function allOf({ final, open }: GrowingMarkdown): readonly Token[] {
  return [...final, ...open];
}
