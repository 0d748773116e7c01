import type { ConversationBlock } from './blocks.ts';
import type { SupersededReason } from './parsed-transcript.ts';
import type { SessionMetadata } from './session-metadata.ts';

/** A change to the blocks while an agent works. After `block_complete` a text block receives no more deltas. */
export type StreamEvent =
  | BlockStartEvent
  | TextDeltaEvent
  | BlockUpdateEvent
  | BlockCompleteEvent
  | MetadataUpdateEvent;

interface ConversationScope {
  /** `main`, or the id of a subagent's thread. */
  readonly conversationId: string;
}

/** A block begins; deltas and updates follow. */
export interface BlockStartEvent extends ConversationScope {
  readonly type: 'block_start';
  readonly block: ConversationBlock;
}

/** Appends to an `assistant_text` or `thinking` block. */
export interface TextDeltaEvent extends ConversationScope {
  readonly type: 'text_delta';
  readonly blockId: string;
  readonly delta: string;
}

/** Fields of a block have changed. */
export interface BlockUpdateEvent extends ConversationScope {
  readonly type: 'block_update';
  readonly blockId: string;
  readonly updates: BlockUpdates;
}

/**
 * Changed fields of a block. `superseded` removes the block from the conversation and keeps it separately; null puts
 * it back, after the present blocks.
 */
export type BlockUpdates = {
  readonly [Block in ConversationBlock as Block['type']]: Partial<Omit<Block, 'id' | 'type'>>;
}[ConversationBlock['type']] & { readonly superseded?: SupersededReason | null };

/** Blocks that arrive complete (user, tool result, system) have no `block_start`. */
export interface BlockCompleteEvent extends ConversationScope {
  readonly type: 'block_complete';
  readonly blockId: string;
  readonly block: ConversationBlock;
}

/** Totals of the session so far; a later value replaces an earlier one. */
export interface MetadataUpdateEvent extends ConversationScope {
  readonly type: 'metadata_update';
  readonly metadata: SessionMetadata;
}
