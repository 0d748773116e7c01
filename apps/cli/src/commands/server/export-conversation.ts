import type { SessionExporter } from '@robota-sdk/agent-transport/http';
import { renderSession } from '../../export/render-session.ts';

/** Renders a session as one file, for people or for programs. */
export const exportForServer: SessionExporter = async (session, conversation, format) => {
  const { id, agent, name, cwd, updated_at: updatedAt, title } = session;
  const { blocks, subagents, superseded } = conversation;
  const exported = {
    id,
    agent,
    name: name ?? title,
    cwd,
    updatedAt,
    blocks,
    subagents,
    superseded,
  };
  return renderSession(exported, format === 'markdown' ? 'md' : format);
};
