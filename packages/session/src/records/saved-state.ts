import type { SessionRecord } from './session-record.ts';

/** What is on disk for one record, so that the next save writes only what is new. */
export interface SavedState {
  readonly revision: string;
  readonly wholeBytes: number;
  readonly tailBytes: number;
  readonly messages: SavedArray;
  readonly history: SavedArray;
  readonly fields: ReadonlyMap<string, SavedField>;
  readonly stamp: string;
}

interface SavedArray {
  readonly length: number;
  readonly first: unknown;
  readonly last: unknown;
}

interface SavedField {
  readonly value: unknown;
  readonly json: string | undefined;
}

export interface FieldChanges {
  readonly set: Readonly<Record<string, unknown>>;
  readonly unset: readonly string[];
}

const ARRAYS = new Set(['messages', 'history']);

export function rememberArray(values: readonly unknown[]): SavedArray {
  return { length: values.length, first: values[0], last: values.at(-1) };
}

/** Entries are never changed in place, so the two ends tell whether `values` goes on where `saved` stopped. */
export function extendsSaved(saved: SavedArray, values: readonly unknown[]): boolean {
  if (values.length < saved.length) return false;
  if (saved.length === 0) return true;
  return isSame(values[0], saved.first) && isSame(values[saved.length - 1], saved.last);
}

export function rememberFields(record: SessionRecord): ReadonlyMap<string, SavedField> {
  const fields = new Map<string, SavedField>();
  for (const [name, value] of Object.entries(record)) {
    if (!ARRAYS.has(name) && value !== undefined) {
      fields.set(name, { value, json: JSON.stringify(value) });
    }
  }
  return fields;
}

export function changedFields(
  saved: ReadonlyMap<string, SavedField>,
  current: ReadonlyMap<string, SavedField>,
): FieldChanges {
  const set: Record<string, unknown> = {};
  for (const [name, field] of current) {
    if (saved.get(name)?.json !== field.json) set[name] = field.value;
  }
  return { set, unset: [...saved.keys()].filter((name) => !current.has(name)) };
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const [leftId, rightId] = [idOf(left), idOf(right)];
  return leftId !== undefined && leftId === rightId;
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined;
}
