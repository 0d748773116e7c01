import type { TranscriptFiles } from '../architectures/agent-architecture-adapter.ts';
import type { RawSubagentTranscript, RawTranscripts } from '../parsed-transcript.ts';
import { TranscriptConflictError } from '../persistence/errors.ts';
import type { AgentHome } from './agent-home.ts';

/** Reads the transcripts of a session from a home. */
export async function readTranscripts(
  home: AgentHome,
  files: TranscriptFiles,
): Promise<RawTranscripts> {
  const read = async (path: string | undefined) =>
    path === undefined ? undefined : (await home.readFile(path))?.toString('utf8');
  const subagents = files.subagents.map(
    async ({ id, path, metaPath }): Promise<RawSubagentTranscript> => ({
      id,
      transcript: await read(path),
      meta: await read(metaPath),
    }),
  );
  return { main: await read(files.main), subagents: await Promise.all(subagents) };
}

/**
 * The saved transcripts a home lacks; `undefined` when it lacks none. A home that has more than the saved text
 * keeps it; one with different text is refused, because one of the two would be lost.
 */
export function missingTranscripts(
  sessionId: string,
  saved: RawTranscripts,
  present: RawTranscripts,
): RawTranscripts | undefined {
  const lacks = (text: string | undefined, there: string | undefined) => {
    if (text === undefined || text === '' || there?.startsWith(text)) return false;
    if (there === undefined || text.startsWith(there)) return true;
    throw new TranscriptConflictError(sessionId, 'the home of the agent has another one');
  };
  const others = new Map(present.subagents?.map((one) => [one.id, one.transcript]));
  const main = lacks(saved.main, present.main) ? saved.main : undefined;
  const subagents = saved.subagents?.filter(({ id, transcript }) =>
    lacks(transcript, others.get(id)),
  );
  if (main === undefined && (subagents ?? []).length === 0) return undefined;
  return { main, subagents };
}
