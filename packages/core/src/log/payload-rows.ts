/** Streamed payloads of one line: the first whole, then for each next one only the places that changed. */
export interface PayloadRows {
  readonly first: unknown;
  readonly paths: readonly Path[];
  /** `[path, value, path, value …]` with indexes into `paths`, or `{ $: payload }` where too much changed. */
  readonly rows: readonly unknown[];
}

type Path = readonly (string | number)[];
type Change = readonly [path: Path, value: unknown];

/** Vendors send one JSON chunk for a few characters; beyond this many changes a chunk is written whole. */
const MOST_CHANGES = 6;

export function packPayloads(payloads: readonly unknown[]): PayloadRows {
  const paths: Path[] = [];
  const known = new Map<string, number>();
  const rows = payloads.slice(1).map((payload, index) => {
    const changes: Change[] = [];
    if (!collectChanges(payloads[index], payload, { path: [], changes })) return { $: payload };
    return changes.flatMap(([path, value]) => [pathIndex(path, paths, known), value]);
  });
  return { first: payloads[0], paths, rows };
}

export function unpackPayloads({ first, paths, rows }: PayloadRows): unknown[] {
  let last = first;
  return [first, ...rows.map((row) => (last = nextPayload(last, row, paths)))];
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
    return path.length > 0 && changes.length <= MOST_CHANGES && after !== undefined;
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
