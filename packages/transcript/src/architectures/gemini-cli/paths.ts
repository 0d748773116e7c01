import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openExisting } from '../existing-file.ts';
import { isFileMissing } from '../file-missing.ts';
import { openJsonDocument } from '../json-document.ts';
import type { SubagentFile, TranscriptLayout } from '../transcript-layout.ts';

/**
 * A chat is `chats/session-<time>-<start of the id>.jsonl` (`.json` until 0.38); its subagents are in
 * `chats/<full id>/<agent id>.jsonl`, and nested ones in a folder named after their parent.
 */
export const geminiTranscriptLayout: TranscriptLayout = {
  async foldersToWatch(path) {
    const sessionId = await readSessionId(path);
    const own = dirname(path);
    if (sessionId === undefined) return [own];
    const agents = await geminiTranscriptLayout.findSubagentFiles(path);
    return [
      own,
      join(own, basename(sessionId)),
      ...agents.map(({ id }) => join(own, basename(id))),
    ];
  },

  openWhole: (path) => (path.endsWith('.json') ? openJsonDocument(path) : undefined),

  /** A resume may rename or rewrite the chat and leave an almost empty file; the largest one is used. */
  async findCurrentFile(path) {
    const sessionId = await readSessionId(path);
    const wanted = sessionId ?? basename(path).replace(/^session-.*-|\.jsonl?$/g, '');
    const found: { readonly file: string; readonly size: number }[] = [];
    for (const name of await listFolder(dirname(path))) {
      const file = join(dirname(path), name);
      if (!name.includes(`-${wanted.slice(0, 8)}.json`)) continue;
      const id = await readSessionId(file);
      if (sessionId !== undefined && id !== sessionId) continue;
      found.push({ file, size: (await stat(file).catch(() => undefined))?.size ?? 0 });
    }
    const largest = found.sort((one, other) => other.size - one.size)[0];
    return largest === undefined || largest.file === path ? path : largest.file;
  },

  async findSubagentFiles(path) {
    const sessionId = await readSessionId(path);
    if (sessionId === undefined) return [];
    const files: SubagentFile[] = [];
    const seen = new Set([sessionId]);
    // Grows during iteration, so that agents of agents are found too.
    for (const parent of seen) {
      const folder = join(dirname(path), basename(parent));
      for (const name of await listFolder(folder)) {
        const id = /^(.+)\.jsonl?$/.exec(name)?.[1];
        if (id === undefined || seen.has(id)) continue;
        seen.add(id);
        files.push({ id, path: join(folder, name) });
      }
    }
    return files;
  },
};

async function listFolder(folder: string): Promise<readonly string[]> {
  try {
    // A migrated chat exists as .json and .jsonl; the latter is current.
    return (await readdir(folder)).sort().reverse().sort(byNameWithoutEnding);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot list subagent chats in ${folder}`, { cause: error });
  }
}

function byNameWithoutEnding(one: string, other: string): number {
  return one.replace(/\.jsonl?$/, '').localeCompare(other.replace(/\.jsonl?$/, ''));
}

/** The file name contains only the start of the id; the first lines contain all of it. */
async function readSessionId(path: string): Promise<string | undefined> {
  const file = await openExisting(path);
  if (file === undefined) return undefined;
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    return /"sessionId"\s*:\s*"([^"]+)"/.exec(head.toString('utf8', 0, bytesRead))?.[1];
  } finally {
    await file.close();
  }
}

const HEAD_BYTES = 1 << 12;
