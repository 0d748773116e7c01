import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ParsedTranscript } from '@robota-sdk/agent-transcript';
import {
  type FinderPlace,
  type HandOverOrigin,
  locateTranscript,
  parseTranscriptFile,
  registeredAgent,
} from '@robota-sdk/agent-transcript/architectures';
import { toAgentName, toAgentType } from '@robota-sdk/agent-transcript/blocks';
import { userPaths } from '../../paths.ts';
import { SessionNotFoundError } from '../session-errors.ts';

/** A session of any agent, by id or by file. */
export interface HandOverSource {
  /** The agent's short name or its type: `claude`, `codex`, `gemini`, `pi`, `opencode`, `robota`. */
  readonly agent: string;
  readonly id?: string | undefined;
  readonly path?: string | undefined;
}

export interface ReadSource {
  readonly type: string;
  readonly origin: HandOverOrigin;
  readonly path: string;
  /** The session's directory, if known. */
  readonly cwd: string | undefined;
  readonly parsed: ParsedTranscript;
}

/** Reads the session to hand over, without changing it. */
export async function readSource(
  source: HandOverSource,
  place: Partial<FinderPlace>,
): Promise<ReadSource> {
  const type = toAgentType(source.agent);
  if (type === undefined) throw new TypeError(`There is no agent "${source.agent}".`);
  const path = source.path ?? (await findFile(type, source, place));
  const parsed = await parseTranscriptFile(type, path);
  const recorded = parsed.metadata.sessionId;
  const id =
    source.id ??
    (typeof recorded === 'string' ? recorded : basename(path).replace(/\.jsonl?$/, ''));
  if (parsed.blocks.length === 0) throw new SessionNotFoundError(id);
  const { title } = registeredAgent(type);
  return {
    type,
    origin: { agent: toAgentName(type), title, id },
    path,
    cwd: await cwdOf(type, path, parsed),
    parsed,
  };
}

async function findFile(
  type: string,
  { id }: HandOverSource,
  place: Partial<FinderPlace>,
): Promise<string> {
  if (id === undefined) throw new TypeError('A hand-over needs the id or the path of a session.');
  const own = join(userPaths().logs, `${basename(id)}.jsonl`);
  const isOurs = type === 'robota';
  const found = isOurs ? existsSync(own) && own : await locateTranscript(type, id, place);
  if (!found) throw new SessionNotFoundError(id);
  return found;
}

async function cwdOf(
  type: string,
  path: string,
  { metadata }: ParsedTranscript,
): Promise<string | undefined> {
  if (typeof metadata.cwd === 'string' && metadata.cwd !== '') return metadata.cwd;
  if (type !== 'gemini-cli') return undefined;
  // Gemini CLI stores the workspace path next to its chats; it may be missing.
  const note = await readFile(join(dirname(dirname(path)), '.project_root'), 'utf8').catch(
    () => '',
  );
  return note.trim() || undefined;
}
