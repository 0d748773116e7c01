import {
  type ConversationBlock,
  neutraliseLine,
  type SubagentThread,
} from '@robota-sdk/agent-transcript';

/** A session as it leaves the machine: blocks already redacted. */
export interface ExportedSession {
  readonly id: string;
  readonly agent: string;
  readonly name: string | undefined;
  readonly cwd: string | undefined;
  /** ISO 8601. */
  readonly updatedAt: string | undefined;
  readonly blocks: readonly ConversationBlock[];
  readonly subagents: readonly SubagentThread[];
}

export type ExportFormat = 'md' | 'html' | 'json';

export const EXPORT_FORMATS: readonly ExportFormat[] = ['md', 'html', 'json'];

export function exportTitle(session: ExportedSession): string {
  return neutraliseLine(session.name ?? `Session ${session.id}`);
}
