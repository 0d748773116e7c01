import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { openSavedSession, redact, SessionNotFoundError } from '@robota-sdk/agent-sdk';
import type { ExportedSession } from '../../export/exported-session.ts';
import { isOwn } from '../find-session.ts';

/** A session as it may leave the machine: read whole, secrets taken out. */
export async function loadExported(found: CatalogueSession): Promise<ExportedSession> {
  const { blocks, subagents } = isOwn(found) ? saved(found.id) : await parsed(found);
  return redact({
    id: found.id,
    agent: found.agent,
    name: found.name,
    cwd: found.cwd,
    updatedAt: new Date(found.updatedAt).toISOString(),
    blocks,
    subagents,
  });
}

/** Everything that was shown, what a compaction or `/clear` took out of the conversation included. */
function saved(id: string): Pick<ExportedSession, 'blocks' | 'subagents'> {
  const { blocks, subagents, superseded } = openSavedSession(id).blocks.state;
  const cleared = superseded.filter(({ reason }) => reason === 'reset');
  return { blocks: [...cleared.flatMap((branch) => branch.blocks), ...blocks], subagents };
}

async function parsed({
  type,
  path,
  id,
}: CatalogueSession): Promise<Pick<ExportedSession, 'blocks' | 'subagents'>> {
  const { isAgentArchitecture, parseTranscriptFile } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  if (!isAgentArchitecture(type)) throw new SessionNotFoundError(id);
  return parseTranscriptFile(type, path);
}
