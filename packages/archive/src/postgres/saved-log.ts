import { LogReader } from '@robota-sdk/agent-core/log';
import {
  type FellowFold,
  PayloadReader,
  reviveDates,
  SavedFold,
  type SessionRecord,
  type SkippedLine,
  unpackRecord,
} from '@robota-sdk/agent-session';
import type { ArchivedLine, OpenedArchive } from '../nodes/shared-archive.ts';
import type { Link } from './link.ts';
import type { Tables } from './tables.ts';

const PAGE_LINES = 2_000;
const REFERENCE = /"sha256":"([0-9a-f]{64})"/g;

/** Reads logs and checkpoints; needs no lease. */
export class SavedLogs {
  readonly #link: Link;
  readonly #tables: Tables;

  constructor(link: Link, tables: Tables) {
    this.#link = link;
    this.#tables = tables;
  }

  /** Restores a session from its checkpoint and the lines after it. */
  async open(id: string, fellows: readonly FellowFold[] = []): Promise<OpenedArchive | undefined> {
    const { session, checkpoint } = this.#tables;
    const [row] = await this.#link.query(
      `SELECT s.sid, s.last_seq, s.bytes, c.seq, c.record FROM ${session} s
        LEFT JOIN ${checkpoint} c USING (sid) WHERE s.id = $1`,
      [id],
    );
    if (!row) return undefined;
    const record = typeof row.record === 'string' ? readRecord(row.record) : undefined;
    const saved = new SavedFold({ id, record, fellows });
    const reader = new ArchiveReader(
      new FetchedPayloads(this.#link, this.#tables, Number(row.sid)),
      {
        detail: 'folds',
        start: saved.start,
      },
    );
    const skipped: SkippedLine[] = [];
    let place = saved.start ? Number(row.seq) : 0;
    // A session that was released normally has no lines after its checkpoint, which saves a query.
    const tail = place < Number(row.last_seq) ? this.#entries(id, place, reader) : [];
    for await (const { line, entries } of tail) {
      if (entries === null) skipped.push({ line: line.place, reason: 'unreadable' });
      for (const entry of entries ?? []) saved.apply(entry);
      place = line.place;
    }
    const end = { n: reader.last, bytes: Number(row.bytes) };
    return {
      saved: place === 0 ? undefined : saved.finish(end, skipped),
      place,
      read: async (lines) => (await reader.read(lines)).flatMap(({ entries }) => entries ?? []),
    };
  }

  async *#entries(id: string, after: number, reader: ArchiveReader) {
    for (let place = after; ; ) {
      const lines = await this.lines(id, place, PAGE_LINES);
      yield* await reader.read(lines);
      place = lines.at(-1)?.place ?? place;
      if (lines.length < PAGE_LINES) return;
    }
  }

  async lines(id: string, after: number, limit = PAGE_LINES): Promise<readonly ArchivedLine[]> {
    const { session, event } = this.#tables;
    const rows = await this.#link.query(
      `SELECT e.seq, e.data FROM ${event} e WHERE e.sid = (SELECT sid FROM ${session} WHERE id = $1)
        AND e.seq > $2::bigint ORDER BY e.seq LIMIT $3::bigint`,
      [id, after, limit],
    );
    return rows.map(({ seq, data }) => ({ place: Number(seq), text: String(data) }));
  }
}

function readRecord(text: string): SessionRecord {
  const record = unpackRecord(JSON.parse(text) as SessionRecord);
  return {
    ...record,
    messages: reviveDates(record.messages),
    history: reviveDates(record.history),
  };
}

/** Reads lines whose large values are stored in a separate table. */
export class ArchiveReader {
  readonly #payloads: FetchedPayloads;
  readonly #reader: LogReader;

  constructor(
    payloads: FetchedPayloads,
    options: Omit<ConstructorParameters<typeof LogReader>[0] & object, 'resolvePayloads'>,
  ) {
    this.#payloads = payloads;
    const resolver = new PayloadReader(({ sha256 }) => payloads.get(sha256));
    this.#reader = new LogReader({
      ...options,
      resolvePayloads: (line) => resolver.resolve(line),
    });
  }

  get last(): number {
    return this.#reader.last;
  }

  /** `entries` is null for a line that cannot be read. */
  async read(lines: readonly ArchivedLine[]) {
    await this.#payloads.fetch(lines.map(({ text }) => text));
    return lines.map((line) => ({ line, entries: this.#reader.read(line.text) }));
  }
}

/** The payloads that some lines refer to, fetched before the lines are read. */
export class FetchedPayloads {
  readonly #link: Link;
  readonly #tables: Tables;
  readonly #sid: number;
  readonly #known = new Map<string, Buffer>();

  constructor(link: Link, tables: Tables, sid: number) {
    this.#link = link;
    this.#tables = tables;
    this.#sid = sid;
  }

  get(hash: string): Buffer | undefined {
    return this.#known.get(hash);
  }

  /** Payloads may refer to others. */
  async fetch(texts: readonly string[]): Promise<void> {
    this.#known.clear();
    let found = referencesIn(texts);
    while (found.length > 0) {
      const rows = await this.#link.query(
        `SELECT hash, data FROM ${this.#tables.payload} WHERE sid = $1::bigint AND hash = ANY($2::text[])`,
        [this.#sid, found],
      );
      for (const { hash, data } of rows) this.#known.set(String(hash), Buffer.from(String(data)));
      found = referencesIn(rows.map(({ data }) => String(data))).filter(
        (hash) => !this.#known.has(hash),
      );
    }
  }
}

function referencesIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (!text.includes('"external-payload"')) continue;
    for (const [, hash] of text.matchAll(REFERENCE)) if (hash) found.add(hash);
  }
  return [...found];
}
