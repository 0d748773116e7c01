import type { SupersededBranch } from '../parsed-transcript.ts';
import type { SessionMetadata } from '../session-metadata.ts';
import { BlockList } from './block-list.ts';
import type { ConversationState } from './conversation-state.ts';

/** The internals of a state: persistent lists, and aliases of threads. */
export interface FoldedConversation {
  readonly main: BlockList;
  readonly threads: ReadonlyMap<string, BlockList>;
  /** Tool-use id of a subagent to the id of its thread. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly superseded: readonly SupersededBranch[];
  readonly metadata: SessionMetadata;
}

/** The internals of a state, including a plain one from a parser or the network. */
export function foldedFrom(state: ConversationState): FoldedConversation {
  return (state as ConversationState & Partial<Folded>)[FOLDED] ?? foldPlain(state);
}

/** A state that looks like a plain object; its arrays are created on access. */
export function stateOf(folded: FoldedConversation): ConversationState {
  const state: ConversationState = {
    get blocks() {
      return folded.main.toArray();
    },
    get subagents() {
      return Array.from(folded.threads, ([id, list]) => ({ id, blocks: list.toArray() }));
    },
    superseded: folded.superseded,
    metadata: folded.metadata,
  };
  return Object.defineProperty(state, FOLDED, { value: folded });
}

const FOLDED: unique symbol = Symbol('folded');

interface Folded {
  readonly [FOLDED]: FoldedConversation;
}

function foldPlain(state: ConversationState): FoldedConversation {
  const threads = new Map(state.subagents.map(({ id, blocks }) => [id, BlockList.from(blocks)]));
  const aliases = new Map<string, string>();
  for (const blocks of [state.blocks, ...state.subagents.map((thread) => thread.blocks)]) {
    for (const block of blocks) {
      if (block.type !== 'subagent' || block.toolUseId === undefined) continue;
      if (block.toolUseId !== block.subagentId) aliases.set(block.toolUseId, block.subagentId);
    }
  }
  return {
    main: BlockList.from(state.blocks),
    threads,
    aliases,
    superseded: state.superseded,
    metadata: state.metadata,
  };
}
