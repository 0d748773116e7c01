import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { assertSessionId } from '@robota-sdk/agent-session';
import type { RawTranscripts } from '@robota-sdk/agent-transcript';
import type { TranscriptFiles } from '@robota-sdk/agent-transcript/architectures';
import type { ProfileFile } from './profile-files.ts';
import { mainLogFile, subagentLogFolder } from './robota-paths.ts';

/** The log files of a session; `main` is undefined until it has written something. */
export async function findLogs(logs: string, sessionId: string): Promise<TranscriptFiles> {
  const main = mainLogFile(logs, sessionId);
  if (!(await isFile(main))) return { main: undefined, subagents: [] };
  const folder = subagentLogFolder(logs, sessionId);
  const names = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const subagents = names.map((name) => ({
    id: basename(name, '.jsonl'),
    path: join(folder, name),
  }));
  return { main, subagents };
}

/** The logs from which a session is resumed. */
export function logFiles(
  logs: string,
  sessionId: string,
  { main, subagents = [] }: RawTranscripts,
): readonly ProfileFile[] {
  const files = main === undefined ? [] : [{ path: mainLogFile(logs, sessionId), content: main }];
  const folder = subagentLogFolder(logs, sessionId);
  for (const { id, transcript } of subagents) {
    assertSessionId(id);
    if (transcript !== undefined)
      files.push({ path: join(folder, `${id}.jsonl`), content: transcript });
  }
  return files;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw new Error(`Cannot list subagent logs in ${folder}`, { cause: error });
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw new Error(`Cannot look at the session log ${path}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
