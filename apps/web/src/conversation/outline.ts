import { type ConversationBlock, describeTool } from '@robota-sdk/agent-transcript';
import type { BlockReader } from './row-plan.ts';

export interface OutlinePrompt {
  readonly ordinal: number;
  readonly text: string;
}

interface ChangedFile {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** Where it was changed last. */
  readonly ordinal: number;
}

export interface Outline {
  readonly prompts: readonly OutlinePrompt[];
  readonly files: readonly ChangedFile[];
  readonly subagents: readonly { readonly id: string; readonly name: string }[];
}

/** Only what is near the end is summed up: an outline of 100,000 blocks helps nobody. */
const MAX_BLOCKS = 4000;

/** What happened in a conversation, at a glance; of blocks that are here. */
export function outlineOf(reader: BlockReader): Outline {
  const prompts: OutlinePrompt[] = [];
  const files = new Map<string, ChangedFile>();
  const subagents: { id: string; name: string }[] = [];
  for (let ordinal = Math.max(0, reader.total - MAX_BLOCKS); ordinal < reader.total; ordinal++) {
    const block = reader.at(ordinal);
    if (block?.type === 'user_message') prompts.push({ ordinal, text: promptText(block) });
    else if (block?.type === 'tool_use') addChange(files, block, ordinal);
    else if (block?.type === 'subagent') {
      subagents.push({ id: block.subagentId, name: block.name ?? 'Subagent' });
    }
  }
  return { prompts, files: [...files.values()], subagents };
}

/** The nearest prompt before or after a place; undefined when there is none. */
export function promptBeside(
  prompts: readonly OutlinePrompt[],
  ordinal: number,
  direction: 'next' | 'previous',
): OutlinePrompt | undefined {
  if (direction === 'next') return prompts.find((prompt) => prompt.ordinal > ordinal);
  return prompts.findLast((prompt) => prompt.ordinal < ordinal);
}

function addChange(
  files: Map<string, ChangedFile>,
  block: Extract<ConversationBlock, { type: 'tool_use' }>,
  ordinal: number,
): void {
  const { kind, diff, target, state } = describeTool(block);
  if ((kind !== 'edit' && kind !== 'write') || !diff || state !== 'success') return;
  const known = files.get(target);
  files.set(target, {
    path: target,
    added: (known?.added ?? 0) + diff.added,
    removed: (known?.removed ?? 0) + diff.removed,
    ordinal,
  });
}

function promptText(block: Extract<ConversationBlock, { type: 'user_message' }>): string {
  const { content } = block;
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
}
