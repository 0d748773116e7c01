import { constants, fstatSync, readFileSync } from 'node:fs';
import type { SessionLabel } from './labels.ts';
import { withRegularFile } from './regular-file.ts';

/** The content of a label file. */
export interface LabelDocument {
  /** By `type:id`; what is not a label is left out. */
  readonly labels: ReadonlyMap<string, SessionLabel>;
  /** Everything in the file, as written; a change keeps what it does not concern. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sessions: Readonly<Record<string, unknown>>;
}

/** Why a label file is not used. */
export interface UnusableLabels {
  readonly problem: string;
  /** True if it was read and holds no labels; false if it may be whole but cannot be read now. */
  readonly isDamaged: boolean;
}

const EMPTY: LabelDocument = { labels: new Map(), fields: {}, sessions: {} };

/** Far more than labels ever need. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Reads a label file; a missing one has no labels. Never blocks on a pipe or a device, and never throws. */
export function readLabelDocument(path: string): LabelDocument | UnusableLabels {
  let text: string | undefined;
  try {
    text = withRegularFile(path, constants.O_RDONLY, readText);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return EMPTY;
    return { problem: `cannot be read (${code ?? String(error)})`, isDamaged: false };
  }
  if (text === undefined) return { problem: 'is not a regular file', isDamaged: true };
  return parseLabels(text) ?? { problem: 'does not contain labels', isDamaged: true };
}

function readText(file: number): string {
  if (fstatSync(file).size > MAX_BYTES) throw new Error('it is too large');
  return readFileSync(file, 'utf8');
}

function parseLabels(text: string): LabelDocument | undefined {
  let fields: unknown;
  try {
    fields = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
  if (!isObject(fields)) return undefined;
  const { sessions = {} } = fields;
  if (!isObject(sessions)) return undefined;
  const labels = Object.entries(sessions).flatMap(([key, value]) =>
    isObject(value) ? [[key, labelOf(value)] as const] : [],
  );
  return { labels: new Map(labels), fields, sessions };
}

function labelOf({ name, isPinned, isArchived }: Readonly<Record<string, unknown>>): SessionLabel {
  return {
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(isPinned === true && { isPinned }),
    ...(isArchived === true && { isArchived }),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
