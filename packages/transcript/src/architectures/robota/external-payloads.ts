import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { asString, isRecord } from '../../json-record.ts';

/** Restores large values that the log stores in separate files; unreadable ones stay references. */
export function restoreExternalPayloads(path: string, line: string): string {
  if (!line.includes('"external-payload"')) return line;
  try {
    return JSON.stringify(restore(JSON.parse(line), dirname(path)));
  } catch {
    // A damaged line is counted by the reader.
    return line;
  }
}

function restore(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => restore(item, folder));
  if (!isRecord(value)) return value;
  if (value.kind === 'external-payload')
    return readPayload(asString(value.relativePath), folder) ?? value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, restore(field, folder)]),
  );
}

/** Reads only files that the log itself could have written. */
function readPayload(relativePath: string | undefined, folder: string): unknown {
  if (relativePath === undefined || !PAYLOAD_PATH.test(relativePath)) return undefined;
  try {
    return restore(JSON.parse(readFileSync(join(folder, relativePath), 'utf8')), folder);
  } catch {
    // Missing or damaged: the reference stays.
    return undefined;
  }
}

const PAYLOAD_PATH = /^[A-Za-z0-9][A-Za-z0-9._-]*\.payloads\/[0-9a-f]{64}\.json$/;
