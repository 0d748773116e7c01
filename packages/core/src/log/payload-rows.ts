import { cutByRuns, runLengths } from './piece-lengths.ts';

/** Streamed payloads of one line: the first in full, each next one as its changed values. */
export interface PayloadRows {
  readonly first: unknown;
  readonly paths: readonly Path[];
  /**
   * `[path, value, path, value …]` with indexes into `paths`; `{ p, t, l }` for consecutive payloads that differ in one
   * text each, with the texts joined; `{ $: payload }` where too much changed.
   */
  readonly rows: readonly unknown[];
}

type Path = readonly (string | number)[];
type Change = readonly [path: Path, value: unknown];

/** Vendors send a JSON chunk for a few characters; a chunk with more changes is written in full. */
const MAX_CHANGES = 6;

/** Packs raw events of one kind, so that their keys are written once. */
export function packPayloads(payloads: readonly unknown[]): PayloadRows {
  const paths: Path[] = [];
  const known = new Map<string, number>();
  const rows = payloads.slice(1).map((payload, index) => {
    const changes: Change[] = [];
    if (!collectChanges(payloads[index], payload, { path: [], changes })) return { $: payload };
    return changes.flatMap(([path, value]) => [pathIndex(path, paths, known), value]);
  });
  return { first: payloads[0], paths, rows: joinTexts(rows) };
}

/** Shorter runs of rows are not joined. */
const MIN_JOINED = 3;

function joinTexts(rows: readonly unknown[]): unknown[] {
  const joined: unknown[] = [];
  for (let index = 0; index < rows.length; ) {
    const path = pathOfText(rows[index]);
    let end = index + 1;
    while (path !== undefined && end < rows.length && pathOfText(rows[end]) === path) end += 1;
    const run = rows.slice(index, end);
    if (path === undefined || run.length < MIN_JOINED) joined.push(...run);
    else {
      const texts = run.map((row) => (row as readonly unknown[])[1]);
      joined.push({ p: path, t: texts.join(''), l: runLengths(texts) });
    }
    index = end;
  }
  return joined;
}

/** The path index of a row that changes a single text. */
function pathOfText(row: unknown): number | undefined {
  if (!Array.isArray(row) || row.length !== 2 || typeof row[1] !== 'string') return undefined;
  return row[0] as number;
}

function splitTexts(rows: readonly unknown[]): unknown[] {
  return rows.flatMap((row) => {
    const { p, t, l } = (row ?? {}) as {
      readonly p?: unknown;
      readonly t?: unknown;
      readonly l?: unknown;
    };
    if (Array.isArray(row) || typeof p !== 'number' || typeof t !== 'string') return [row];
    return cutByRuns(t, Array.isArray(l) ? l : []).map((text) => [p, text]);
  });
}

/** The raw provider events of packed payload rows. */
export function unpackPayloads({ first, paths, rows }: PayloadRows): unknown[] {
  let last = first;
  return [first, ...splitTexts(rows).map((row) => (last = nextPayload(last, row, paths)))];
}

function nextPayload(last: unknown, row: unknown, paths: readonly Path[]): unknown {
  if (!Array.isArray(row)) return (row as { readonly $: unknown }).$;
  let payload = last;
  for (let index = 0; index < row.length; index += 2) {
    payload = withValue(payload, paths[row[index] as number] ?? [], row[index + 1]);
  }
  return payload;
}

function pathIndex(path: Path, paths: Path[], known: Map<string, number>): number {
  const key = JSON.stringify(path);
  const index = known.get(key) ?? paths.push(path) - 1;
  known.set(key, index);
  return index;
}

/** False when the payloads differ in shape or in too many places. */
function collectChanges(
  before: unknown,
  after: unknown,
  into: { readonly path: Path; readonly changes: Change[] },
): boolean {
  if (before === after) return true;
  const { path, changes } = into;
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const isList = Array.isArray(after);
  if (!old || !now || Array.isArray(before) !== isList || !hasSameKeys(old, now)) {
    changes.push([path, after]);
    return path.length > 0 && changes.length <= MAX_CHANGES && after !== undefined;
  }
  return Object.keys(now).every((key) => {
    const step = isList ? Number(key) : key;
    return collectChanges(old[key], now[key], { path: [...path, step], changes });
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function hasSameKeys(before: object, after: object): boolean {
  const [old, keys] = [Object.keys(before), Object.keys(after)];
  return old.length === keys.length && keys.every((key, index) => key === old[index]);
}

function withValue(payload: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const copy = (
    Array.isArray(payload) ? [...payload] : { ...(payload as object | undefined) }
  ) as Record<string | number, unknown>;
  copy[step] = withValue(copy[step], rest, value);
  return copy;
}
