import { closeSync, readSync } from 'node:fs';
import { LineSplitter } from '../line-splitter.ts';
import type { ParsedTranscript } from '../parsed-transcript.ts';
import { registeredAgent } from './agents.ts';
import { openExistingNow, readExistingNow } from './existing-file.ts';
import type { TranscriptFamily } from './session-inventory.ts';
import type { TranscriptLayout } from './transcript-layout.ts';

/** Reads a session whose files are known: no file lookup, and synchronous reads. */
export async function readFamily(
  family: Pick<TranscriptFamily, 'type' | 'path' | 'parts'>,
): Promise<ParsedTranscript> {
  const { parser, layout } = registeredAgent(family.type);
  const reader = parser.start();
  await readWhole(layout, family.path, (line, offset) => reader.line(line, offset));
  for (const { id, path, metaPath } of family.parts) {
    const thread = reader.subagent(id, metaPath && readExistingNow(metaPath));
    await readWhole(layout, path, (line, offset) => thread.line(line, offset));
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
  const { restoreLine } = layout;
  if (restoreLine === undefined) readLinesNow(path, onLine);
  else readLinesNow(path, (line, offset) => onLine(restoreLine(path, line), offset));
}

function readLinesNow(path: string, onLine: OnLine): void {
  const file = openExistingNow(path);
  if (file === undefined) return;
  const splitter = new LineSplitter(onLine);
  const buffer = takeBuffer();
  try {
    for (;;) {
      const bytesRead = readSync(file, buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) break;
      splitter.write(buffer.subarray(0, bytesRead));
    }
  } catch (error) {
    throw new Error(`Cannot read transcript ${path}`, { cause: error });
  } finally {
    spare = buffer;
    closeSync(file);
  }
  splitter.end();
}

/** Reused by consecutive readings; a nested reading allocates its own. */
let spare: Buffer | undefined;

function takeBuffer(): Buffer {
  const buffer = spare ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  spare = undefined;
  return buffer;
}

const CHUNK_BYTES = 1 << 20;
