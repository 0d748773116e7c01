import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { openSavedSession, redact, SessionNotFoundError } from '@robota-sdk/agent-sdk';
import type { ExportedSession } from '../../export/exported-session.ts';
import { isOwn } from '../find-session.ts';

type Conversation = Pick<ExportedSession, 'blocks' | 'subagents' | 'superseded'>;

/** The complete session with secrets redacted, safe to leave the machine. */
export async function loadExported(found: CatalogueSession): Promise<ExportedSession> {
  const { blocks, subagents, superseded } = isOwn(found) ? saved(found.id) : await parsed(found);
  return redact({
    id: found.id,
    agent: found.agent,
    name: found.name,
    cwd: found.cwd,
    updatedAt: new Date(found.updatedAt).toISOString(),
    blocks,
    subagents,
    superseded,
  });
}

/** Everything that was shown, including blocks removed by a compaction or `/clear`. */
function saved(id: string): Conversation {
  const { blocks, subagents, superseded } = openSavedSession(id).blocks.state;
  const cleared = superseded.filter(({ reason }) => reason === 'reset');
  return {
    blocks: [...cleared.flatMap((branch) => branch.blocks), ...blocks],
    subagents,
    superseded: superseded.filter(({ reason }) => reason !== 'reset'),
  };
}

async function parsed({ type, path, id }: CatalogueSession): Promise<Conversation> {
  const { isAgentArchitecture, parseTranscriptFile } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  if (!isAgentArchitecture(type)) throw new SessionNotFoundError(id);
  return parseTranscriptFile(type, path);
}
