import type { Entry } from '@robota-sdk/agent-core/log';
import { isAppendOf, messagesBefore } from '@robota-sdk/agent-session';
import type { OpenedSession } from './open-session.ts';

/**
 * Truncates a session for a fork at one of its blocks: before a prompt, so that it can be asked differently, or after
 * any other block and its tool results. In a part replaced by a summary, the cut is at the next turn boundary.
 */
export function cutAt(opened: OpenedSession, blockId: string, logFile: string | undefined): void {
  const { fold, blocks } = opened;
  const messageId = blocks.messageOf(blockId);
  const { messages } = fold.state;
  const index = messages.findIndex(({ id }) => id === messageId);
  if (messageId !== undefined && index >= 0) {
    let end = messages[index]?.role === 'user' ? index : index + 1;
    while (end > index && messages[end]?.role === 'tool') end += 1;
    apply(opened, { event: 'history_mutation', mutation: 'truncate', length: end });
    return;
  }
  const to = promptFrom(opened, blockId);
  const past = to && logFile && messagesBefore(logFile, isAppendOf(to));
  if (!to || !past) throw unknownBlock(opened.id, blockId);
  apply(opened, { event: 'rewound', id: '', to, what: 'conversation', files: [] });
  apply(opened, {
    event: 'history_mutation',
    mutation: 'replace_all',
    reason: 'rewind',
    messages: past,
  });
}

/** The block itself if it is a prompt, otherwise the next prompt after it. */
function promptFrom({ fold, blocks }: OpenedSession, blockId: string): string | undefined {
  const all = blocks.state.blocks;
  const from = all.findIndex(({ id }) => id === blockId);
  if (from < 0) return undefined;
  const prompts = new Set(fold.state.prompts.map(({ id }) => id));
  return all.slice(from).find(({ id }) => prompts.has(id))?.id;
}

function apply({ fold, blocks }: OpenedSession, fields: Omit<Entry, 'n' | 'time'>): void {
  const { n, updatedAt: time } = fold.state;
  const entry = { ...fields, n, time } as Entry;
  fold.apply(entry);
  blocks.apply(entry);
}

function unknownBlock(id: string, blockId: string): Error {
  const message = `Session ${id} has no block ${blockId} that a fork could end at.`;
  return Object.assign(new Error(message), { code: 'unknown_block' });
}
