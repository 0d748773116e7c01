import { LineSplitter } from '../line-splitter.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import type { TranscriptParser } from '../transcript-parser.ts';
import { openExisting, readExisting } from './existing-file.ts';
import type { TranscriptLayout } from './transcript-layout.ts';

/** What is needed to read one agent's sessions from disk. */
export interface TranscriptSource {
  readonly parser: TranscriptParser;
  readonly layout: TranscriptLayout;
}

/**
 * Reads a session and its subagents from disk, a chunk at a time. A file that does not exist is a
 * session in which nothing has happened yet.
 */
export async function readTranscriptFile(
  { parser, layout }: TranscriptSource,
  path: string,
): Promise<ParsedTranscript> {
  const reader = parser.start();
  await readWhole(layout, path, (line, offset) => reader.line(line, offset));
  for (const { id, path: file, metaPath } of await layout.findSubagentFiles(path)) {
    const thread = reader.subagent(id, await readMeta(metaPath));
    await readWhole(layout, file, (line, offset) => thread.line(line, offset));
  }
  return reader.end();
}

type OnLine = (line: string, offset: number) => void;

async function readWhole(layout: TranscriptLayout, path: string, onLine: OnLine): Promise<void> {
  const whole = layout.openWhole?.(path);
  if (whole !== undefined) {
    for (const line of await whole.readLines()) onLine(line, 0);
    return;
  }
  if (layout.restoreLine === undefined) return readLines(path, onLine);
  return readLines(path, (line, offset) =>
    onLine(layout.restoreLine?.(path, line) ?? line, offset),
  );
}

/** The text of a metadata file; `undefined` if there is none. */
export async function readMeta(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : readExisting(path);
}

async function readLines(path: string, onLine: OnLine): Promise<void> {
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
