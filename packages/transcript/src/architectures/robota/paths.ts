import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isFileMissing } from '../file-missing.ts';
import type { TranscriptLayout } from '../transcript-layout.ts';
import { restoreExternalPayloads } from './external-payloads.ts';

/** The log of a session is `logs/<id>.jsonl`; its subagents log to `logs/<id>/subagents/<agentId>.jsonl`. */
export const robotaTranscriptLayout: TranscriptLayout = {
  restoreLine: restoreExternalPayloads,
  async findSubagentFiles(path) {
    const folder = join(dirname(path), basename(path, '.jsonl'), 'subagents');
    const names = await listFolder(folder);
    return names
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => ({ id: basename(name, '.jsonl'), path: join(folder, name) }));
  },
};

async function listFolder(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot list subagent logs in ${folder}`, { cause: error });
  }
}
