import type { LineEffects } from './line-effects.ts';
import type { Value } from './link.ts';
import type { Tables } from './tables.ts';

/** Lines of one session that are written together or not at all. */
export interface Batch {
  readonly sid: number;
  readonly fence: number;
  /** Position of the last line before them. */
  readonly expected: number;
  readonly lines: readonly (LineEffects & { readonly data: string })[];
  readonly payloads: readonly { readonly hash: string; readonly data: string }[];
  /** Encrypted lines of the session's vault, in base64. */
  readonly secrets: readonly string[];
}

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

/** Lines of one session up to this number are sent as single values, of which every number has its own statement. */
const MAX_SINGLE_LINES = 8;

/**
 * One statement for the lines of many sessions. The guard - fence, owner, expected position and the node's lease - is
 * the condition of the update that moves each session's head; its row lock serialises appends and take-overs. All other
 * writes join the heads that moved. It returns the sessions that were written, maybe more than once.
 */
export class AppendStatements {
  /** By number of lines. */
  readonly #single: readonly string[];
  readonly #plain: string;
  readonly #full: string;

  constructor(tables: Tables) {
    this.#single = Array.from({ length: MAX_SINGLE_LINES + 1 }, (_unused, count) =>
      singleSession(tables, count),
    );
    this.#plain = `${head(tables, '')}, ${lines(tables)} SELECT sid FROM head`;
    this.#full = `${head(tables, unlessTaken(tables))}, ${lines(tables)}, ${sideEffects(tables)} SELECT sid FROM head`;
  }

  write(batches: readonly Batch[], node: string): Statement {
    const isPlain = batches.every(
      ({ lines: all, payloads, secrets }) =>
        payloads.length === 0 && secrets.length === 0 && all.every(hasNoEffect),
    );
    const [first] = batches;
    const single = batches.length === 1 ? this.#single[first?.lines.length ?? 0] : undefined;
    if (isPlain && first !== undefined && single !== undefined)
      return { text: single, values: singleValues(first, node) };
    const values = [...headValues(batches), node, ...lineValues(batches)];
    if (isPlain) return { text: this.#plain, values };
    return { text: this.#full, values: [...values, ...sideEffectValues(batches)] };
  }
}

function hasNoEffect({ takes, ends, asks, settles }: LineEffects): boolean {
  return !takes && !ends && !asks && !settles;
}

/** For the most common append, a few lines of one session without effects: a fifth less work than with arrays. */
function singleSession({ session, node, event }: Tables, count: number): string {
  const places = Array.from({ length: count }, (_unused, index) => 7 + 3 * index);
  const rows = places.map(
    (first, index) => `(${index + 1}, $${first}::bigint, $${first + 1}::text, $${first + 2}::text)`,
  );
  const numbers = places.map((first) => `$${first}::bigint`);
  return `WITH head AS (UPDATE ${session} s SET last_seq = s.last_seq + ${count}, bytes = s.bytes + $5::bigint,
      last_n = greatest(${['s.last_n', ...numbers].join(', ')}), updated_at = clock_timestamp(),
      is_open_turn = CASE $6::text WHEN 'open' THEN true WHEN 'ended' THEN false ELSE s.is_open_turn END
      FROM ${node} n WHERE s.sid = $1::bigint AND s.fence = $2::bigint AND s.last_seq = $3::bigint AND s.owner = $4::uuid
        AND n.id = $4::uuid AND n.until > clock_timestamp() RETURNING s.sid)
    INSERT INTO ${event} (sid, seq, fence, n, kind, data)
      SELECT head.sid, $3::bigint + l.place, $2::bigint, l.n, l.kind, l.data
      FROM head, (VALUES ${rows.join(', ')}) AS l(place, n, kind, data) RETURNING sid`;
}

function singleValues(batch: Batch, node: string): Value[] {
  const { sid, fence, expected, lines: all } = batch;
  const values: Value[] = [sid, fence, expected, node, sizeOf(batch), turnOf(batch)];
  for (const { n, kind, data } of all) values.push(n ?? null, kind, data);
  return values;
}

function head({ session, node }: Tables, also: string): string {
  return `WITH g AS (SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[])
      AS g(sid, fence, expected, count, size, n, turn)),
    head AS (UPDATE ${session} s SET last_seq = s.last_seq + g.count, bytes = s.bytes + g.size, last_n = greatest(s.last_n, g.n),
      is_open_turn = CASE g.turn WHEN 'open' THEN true WHEN 'ended' THEN false ELSE s.is_open_turn END, updated_at = clock_timestamp()
      FROM g, ${node} n WHERE s.sid = g.sid AND s.fence = g.fence AND s.last_seq = g.expected AND s.owner = $8::uuid
        AND n.id = $8::uuid AND n.until > clock_timestamp()${also}
      RETURNING s.sid, g.expected, g.fence)`;
}

/** Rejects an append that takes an inbox item already taken. */
function unlessTaken({ inbox }: Tables): string {
  return ` AND NOT EXISTS (SELECT FROM unnest($14::bigint[], $15::text[]) AS t(sid, id) JOIN ${inbox} i
        ON i.sid = t.sid AND i.message_id = t.id WHERE t.sid = s.sid AND i.taken_seq IS NOT NULL)`;
}

/** Kinds and lines come as one text each, because arrays of texts are escaped here and parsed there; a line has no line break. */
function lines({ event }: Tables): string {
  return `written AS (INSERT INTO ${event} (sid, seq, fence, n, kind, data)
      SELECT head.sid, head.expected + l.place, head.fence, l.n, l.kind, l.data
      FROM unnest($9::bigint[], $10::bigint[], $11::bigint[], string_to_array($12::text, ' '), string_to_array($13::text, E'\\n'))
        AS l(sid, place, n, kind, data) JOIN head USING (sid))`;
}

function sideEffects({ inbox, question, payload, vault }: Tables): string {
  return `taken AS (UPDATE ${inbox} i SET taken_seq = head.expected + t.place, taken_fence = head.fence, body = ''
      FROM unnest($14::bigint[], $15::text[], $16::bigint[]) AS t(sid, id, place) JOIN head USING (sid)
      WHERE i.sid = t.sid AND i.message_id = t.id AND i.taken_seq IS NULL),
    ended AS (UPDATE ${inbox} i SET status = e.status, response = e.response
      FROM unnest($17::bigint[], $18::text[], $19::text[]) AS e(sid, status, response) JOIN head USING (sid)
      WHERE i.sid = e.sid AND i.kind = 'prompt' AND i.taken_seq IS NOT NULL AND i.status IS NULL),
    asked AS (INSERT INTO ${question} (sid, request_id, asked_seq)
      SELECT head.sid, q.id, head.expected + q.place FROM unnest($20::bigint[], $21::text[], $22::bigint[]) AS q(sid, id, place)
      JOIN head USING (sid) ON CONFLICT DO NOTHING),
    settled AS (UPDATE ${question} q SET taken_seq = head.expected + a.place
      FROM unnest($23::bigint[], $24::text[], $25::bigint[]) AS a(sid, id, place) JOIN head USING (sid)
      WHERE q.sid = a.sid AND q.request_id = a.id AND q.taken_seq IS NULL),
    kept AS (INSERT INTO ${payload} (sid, hash, data)
      SELECT head.sid, p.hash, p.data FROM unnest($26::bigint[], $27::text[], $28::text[]) AS p(sid, hash, data)
      JOIN head USING (sid) ON CONFLICT DO NOTHING),
    hidden AS (INSERT INTO ${vault} (sid, data) SELECT head.sid, decode(v.data, 'base64')
      FROM unnest($29::bigint[], $30::text[]) WITH ORDINALITY AS v(sid, data, place) JOIN head USING (sid) ORDER BY v.place)`;
}

function headValues(batches: readonly Batch[]): Value[] {
  return [
    batches.map(({ sid }) => sid),
    batches.map(({ fence }) => fence),
    batches.map(({ expected }) => expected),
    batches.map(({ lines: all }) => all.length),
    batches.map(sizeOf),
    batches.map(lastNumberOf),
    batches.map(turnOf),
  ];
}

function lineValues(batches: readonly Batch[]): Value[] {
  const sids: number[] = [];
  const places: number[] = [];
  const numbers: (number | null)[] = [];
  const kinds: string[] = [];
  const data: string[] = [];
  for (const { sid, lines: own } of batches) {
    for (const [index, line] of own.entries()) {
      sids.push(sid);
      places.push(index + 1);
      numbers.push(line.n ?? null);
      kinds.push(line.kind);
      data.push(line.data);
    }
  }
  return [sids, places, numbers, kinds.join(' '), data.join('\n')];
}

function sideEffectValues(batches: readonly Batch[]): Value[] {
  const all = batches.flatMap(({ sid, lines: own }) =>
    own.map((line, index) => ({ ...line, sid, place: index + 1 })),
  );
  const placed = (field: 'takes' | 'asks' | 'settles') => {
    const found = all.filter((line) => line[field] !== undefined);
    return [
      found.map(({ sid }) => sid),
      found.map((line) => line[field] ?? null),
      found.map(({ place }) => place),
    ];
  };
  const ended = all.flatMap(({ sid, ends }) => (ends ? [{ sid, ...ends }] : []));
  const payloads = batches.flatMap(({ sid, payloads: own }) => own.map((one) => ({ ...one, sid })));
  const secrets = batches.flatMap(({ sid, secrets: own }) => own.map((data) => ({ sid, data })));
  return [
    ...placed('takes'),
    ended.map(({ sid }) => sid),
    ended.map(({ status }) => status),
    ended.map(({ response }) => response),
    ...placed('asks'),
    ...placed('settles'),
    payloads.map(({ sid }) => sid),
    payloads.map(({ hash }) => hash),
    payloads.map(({ data }) => data),
    secrets.map(({ sid }) => sid),
    secrets.map(({ data }) => data),
  ];
}

function lastNumberOf({ lines: all }: Batch): number {
  return all.reduce((last, { n = 0 }) => Math.max(last, n), 0);
}

/** Whether a turn is open after the lines; null if they do not change that. */
function turnOf({ lines: all }: Batch): string | null {
  return all.findLast(({ turn }) => turn !== undefined)?.turn ?? null;
}

/** Bytes of the lines in a log file. */
function sizeOf({ lines: all }: Batch): number {
  return all.reduce((sum, { data }) => sum + Buffer.byteLength(data) + 1, 0);
}
