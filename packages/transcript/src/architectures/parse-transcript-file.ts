import { readFile } from 'node:fs/promises';
import type { AgentArchitectureType } from '../architecture-type.ts';
import { LineSplitter } from '../line-splitter.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import { openExisting } from './existing-file.ts';
import { isFileMissing } from './file-missing.ts';
import { transcriptFormat } from './formats.ts';
import { transcriptLayout } from './layouts.ts';
import type { TranscriptLayout } from './transcript-layout.ts';

/**
 * Reads a session from the file the agent wrote, with its subagents, a chunk at a time. A file that does not
 * exist is a session in which nothing has happened yet.
 */
export async function parseTranscriptFile(
  type: AgentArchitectureType,
  path: string,
): Promise<ParsedTranscript> {
  const layout = transcriptLayout(type);
  const reader = transcriptFormat(type).parser.start();
  await readWhole(layout, path, (line) => reader.line(line));
  for (const { id, path: file, metaPath } of await layout.findSubagentFiles(path)) {
    const thread = reader.subagent(id, await readMeta(metaPath));
    await readWhole(layout, file, (line) => thread.line(line));
  }
  return reader.end();
}

function readWhole(
  layout: TranscriptLayout,
  path: string,
  onLine: (line: string) => void,
): Promise<void> {
  if (layout.restoreLine === undefined) return readLines(path, onLine);
  return readLines(path, (line) => onLine(layout.restoreLine?.(path, line) ?? line));
}

async function readMeta(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot read ${path}`, { cause: error });
  }
}

async function readLines(path: string, onLine: (line: string) => void): Promise<void> {
  const file = await openExisting(path);
  if (file === undefined) return;
  const splitter = new LineSplitter(onLine);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      splitter.write(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    throw new Error(`Cannot read transcript ${path}`, { cause: error });
  } finally {
    await file.close();
  }
  splitter.end();
}

const CHUNK_BYTES = 1 << 21;
