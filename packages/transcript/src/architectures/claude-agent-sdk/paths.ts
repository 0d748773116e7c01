import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openExisting } from '../existing-file.ts';
import { isFileMissing } from '../file-missing.ts';
import type { SubagentFile, TranscriptLayout } from '../transcript-layout.ts';

/**
 * Since 2.1 subagents are in `<session>/subagents/agent-<id>.jsonl`, each with a `.meta.json`; before, in
 * `agent-<id>.jsonl` in the project folder; before 2.0, inside the main file.
 */
export const claudeTranscriptLayout: TranscriptLayout = {
  async findSubagentFiles(path) {
    const folder = dirname(path);
    const sessionId = basename(path, '.jsonl');
    const nested = await agentFiles(nestedFolder(path));
    const beside = await agentFilesBeside(folder);
    const own = beside.files.filter(({ file, owner }) => owner === sessionId && file.path !== path);
    return [...nested, ...own.map(({ file }) => file)];
  },

  foldersToWatch: async (path) => [dirname(path), nestedFolder(path)],
};

/** Subagent files in a project whose session does not exist. */
export async function orphansIn(project: string): Promise<readonly SubagentFile[]> {
  const { files, sessions } = await agentFilesBeside(project);
  const orphans = files.filter(({ owner }) => owner === undefined).map(({ file }) => file);
  for (const name of await listFolder(project)) {
    if (/\.jsonl?$/.test(name) || sessions.has(name)) continue;
    orphans.push(...(await agentFiles(join(project, name, 'subagents'))));
  }
  return orphans;
}

function nestedFolder(path: string): string {
  return join(dirname(path), basename(path, '.jsonl'), 'subagents');
}

interface OwnedFiles {
  readonly sessions: ReadonlySet<string>;
  readonly files: readonly { readonly file: SubagentFile; readonly owner: string | undefined }[];
}

/** A cache warm-up agent first names a session that does not exist, and the real one later. */
async function agentFilesBeside(folder: string): Promise<OwnedFiles> {
  const names = (await listFolder(folder)).filter((name) => name.endsWith('.jsonl'));
  const sessions = new Set(
    names.filter((name) => !AGENT_FILE.test(name)).map((name) => basename(name, '.jsonl')),
  );
  const files: { file: SubagentFile; owner: string | undefined }[] = [];
  for (const file of await agentFiles(folder)) {
    const named = await readSessionIds(file.path);
    files.push({ file, owner: named.findLast((id) => sessions.has(id)) });
  }
  return { sessions, files };
}

async function agentFiles(folder: string): Promise<readonly SubagentFile[]> {
  const names = await listFolder(folder);
  const present = new Set(names);
  return names.sort().flatMap((name) => {
    const id = AGENT_FILE.exec(name)?.[1];
    if (id === undefined) return [];
    const metaName = `agent-${id}.meta.json`;
    const file = { id, path: join(folder, name) };
    return [present.has(metaName) ? { ...file, metaPath: join(folder, metaName) } : file];
  });
}

const AGENT_FILE = /^agent-(.+)\.jsonl$/;

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot list transcripts in ${folder}`, { cause: error });
  }
}

/** The session ids in the head of a file, in order; the file name does not contain them. */
async function readSessionIds(path: string): Promise<readonly string[]> {
  const file = await openExisting(path);
  if (file === undefined) return [];
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    const text = head.toString('utf8', 0, bytesRead);
    return [...text.matchAll(/"sessionId":"([^"]+)"/g)].map((match) => match[1] ?? '');
  } finally {
    await file.close();
  }
}

const HEAD_BYTES = 1 << 16;
