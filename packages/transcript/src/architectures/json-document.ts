import { stat } from 'node:fs/promises';
import { readExisting } from './existing-file.ts';
import { isFileMissing } from './file-missing.ts';
import type { WholeTranscript } from './transcript-layout.ts';

/** A JSON document that its program rewrites on every change. */
export function openJsonDocument(path: string): WholeTranscript {
  return {
    async version() {
      const found = await orMissing(() => stat(path));
      return found && `${found.ino}/${found.size}/${found.mtimeMs}`;
    },
    async readLines() {
      const text = await readExisting(path);
      return text === undefined ? [] : text.split('\n');
    },
  };
}

async function orMissing<Result>(look: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}
