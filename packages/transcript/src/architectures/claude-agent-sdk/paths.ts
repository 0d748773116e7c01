import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { asString } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { isFileMissing } from '../file-missing.ts';
import type { SubagentFile, TranscriptLayout } from '../transcript-layout.ts';

/**
 * Since 2.1 subagents live in `<session>/subagents/agent-<id>.jsonl` with a `.meta.json` beside each; before, in
 * `agent-<id>.jsonl` beside the sessions of the whole project; before 2.0, inside the main file.
 */
export const claudeTranscriptLayout: TranscriptLayout = {
  async findSubagentFiles(path) {
    const folder = dirname(path);
    const sessionId = basename(path, '.jsonl');
    const nested = await agentFiles(join(folder, sessionId, 'subagents'));
    const beside = await agentFiles(folder);
    const own: SubagentFile[] = [];
    for (const file of beside) {
      if (file.path !== path && (await readSessionId(file.path)) === sessionId) own.push(file);
    }
    return [...nested, ...own];
  },
};

async function agentFiles(folder: string): Promise<readonly SubagentFile[]> {
  const names = await listFolder(folder);
  const present = new Set(names);
  return names.sort().flatMap((name) => {
    const id = /^agent-(.+)\.jsonl$/.exec(name)?.[1];
    if (id === undefined) return [];
    const metaName = `agent-${id}.meta.json`;
    const file = { id, path: join(folder, name) };
    return [present.has(metaName) ? { ...file, metaPath: join(folder, metaName) } : file];
  });
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot list transcripts in ${folder}`, { cause: error });
  }
}

/** The session a file belongs to stands in its first lines; the name does not say it. */
async function readSessionId(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
    const text = head.subarray(0, bytesRead).toString('utf8');
    for (const line of text.split('\n')) {
      const record = parseLine(line);
      if (typeof record === 'object') return asString(record.sessionId);
    }
    // A first line longer than the head is not parsed, but the id stands near its start.
    return /"sessionId":"([^"]+)"/.exec(text)?.[1];
  } finally {
    await file.close();
  }
}

const HEAD_BYTES = 1 << 16;
