import {
  type ConversationBlock,
  type ConversationState,
  neutraliseLine,
  type SubagentThread,
} from '@robota-sdk/agent-transcript';

/** A session for export; its blocks are already redacted. */
export interface ExportedSession {
  readonly id: string;
  readonly agent: string;
  readonly name: string | undefined;
  readonly cwd: string | undefined;
  /** ISO 8601. */
  readonly updatedAt: string | undefined;
  readonly blocks: readonly ConversationBlock[];
  readonly subagents: readonly SubagentThread[];
  /** Blocks that a rewind removed. */
  readonly superseded: ConversationState['superseded'];
}

export type ExportFormat = 'md' | 'html' | 'json';

export const EXPORT_FORMATS: readonly ExportFormat[] = ['md', 'html', 'json'];

const MAX_TITLE = 100;

/** The session name, or the start of the first prompt. */
export function exportTitle(session: ExportedSession): string {
  const first = session.name ?? firstPrompt(session);
  const title = neutraliseLine(first === '' ? `Session ${session.id}` : first);
  return title.length > MAX_TITLE ? `${title.slice(0, MAX_TITLE - 1).trimEnd()}…` : title;
}

function firstPrompt({ blocks }: ExportedSession): string {
  const prompt = blocks.find(({ type }) => type === 'user_message');
  if (prompt?.type !== 'user_message') return '';
  const { content } = prompt;
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : '')).join(' ');
  return text.replace(/\s+/g, ' ').trim();
}
