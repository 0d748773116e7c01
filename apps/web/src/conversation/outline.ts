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
  /** Index of the last change. */
  readonly ordinal: number;
}

export interface Outline {
  readonly prompts: readonly OutlinePrompt[];
  readonly files: readonly ChangedFile[];
  readonly subagents: readonly { readonly id: string; readonly name: string }[];
}

/** Only the last blocks are summarised: an outline of 100,000 blocks is useless. */
const MAX_BLOCKS = 4000;

/** Summarises the loaded blocks of a conversation. */
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

/** The nearest prompt before or after a row; undefined when there is none. */
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
  const change = changeOf(block);
  if (!change) return;
  const known = files.get(change.path);
  files.set(change.path, {
    path: change.path,
    added: (known?.added ?? 0) + change.added,
    removed: (known?.removed ?? 0) + change.removed,
    ordinal,
  });
}

type FileChange = Omit<ChangedFile, 'ordinal'>;
const CHANGES = new WeakMap<ConversationBlock, FileChange | undefined>();

/** Cached per call, because the outline is rebuilt with every delta. */
function changeOf(block: Extract<ConversationBlock, { type: 'tool_use' }>): FileChange | undefined {
  if (CHANGES.has(block)) return CHANGES.get(block);
  const { kind, diff, target, state } = describeTool(block);
  const isChange = (kind === 'edit' || kind === 'write') && state === 'success';
  const change =
    isChange && diff ? { path: target, added: diff.added, removed: diff.removed } : undefined;
  CHANGES.set(block, change);
  return change;
}

function promptText(block: Extract<ConversationBlock, { type: 'user_message' }>): string {
  const { content } = block;
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(' ');
}
