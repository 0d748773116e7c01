import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { openSavedSession, redact } from '@robota-sdk/agent-sdk';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { contentText } from '../../export/block-text.ts';
import { silentOutput } from '../../output.ts';
import type { PickableSession, SessionPreview } from '../../terminal/state/overlay.ts';
import { findSession, isOwn } from '../find-session.ts';

/** Number of blocks to read; more for a session that ends with many calls. */
const LAST_BLOCKS = [50, 1000] as const;

/** The last prompt and answer of a session of any agent; read-only. */
export async function previewSession({
  agent,
  id,
}: Pick<PickableSession, 'agent' | 'id'>): Promise<SessionPreview> {
  const reference = agent === 'robota' ? id : `${agent}:${id}`;
  const found = await findSession(reference, silentOutput());
  let preview: SessionPreview = { prompt: undefined, answer: undefined };
  for (const limit of LAST_BLOCKS) {
    preview = lastSaid(await lastBlocks(found, limit));
    if (preview.prompt !== undefined) break;
  }
  return redact(preview);
}

async function lastBlocks(
  { type, path, id }: CatalogueSession,
  limit: number,
): Promise<readonly ConversationBlock[]> {
  if (isOwn({ type })) return openSavedSession(id).blocks.state.blocks.slice(-limit);
  const { isAgentArchitecture, readLastBlocks } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  return isAgentArchitecture(type) ? readLastBlocks(type, path, limit) : [];
}

function lastSaid(blocks: readonly ConversationBlock[]): SessionPreview {
  const at = blocks.findLastIndex(
    (block) => block.type === 'user_message' && wordsOf(block) !== '',
  );
  const answer = blocks
    .slice(at + 1)
    .findLast((block) => block.type === 'assistant_text' && wordsOf(block) !== '');
  const asked = blocks[at];
  return { prompt: asked && wordsOf(asked), answer: answer && wordsOf(answer) };
}

function wordsOf(block: ConversationBlock): string {
  if (block.type !== 'user_message' && block.type !== 'assistant_text') return '';
  return contentText(block.content).trim();
}
