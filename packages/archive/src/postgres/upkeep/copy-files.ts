import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  payloadFolder,
  type SessionRecord,
  SessionStore,
  unpackRecord,
  VAULT_SUFFIX,
} from '@robota-sdk/agent-session';
import { effectsOf } from '../line-effects.ts';
import type { PostgresArchive } from '../postgres-archive.ts';
import { vaultPlace } from '../session-vault.ts';

/** Folders of sessions stored as files. */
export interface SessionFolders {
  readonly sessions: string;
  readonly logs: string;
}

/** A session that was copied between files and an archive, and verified. */
export interface CopiedSession {
  readonly id: string;
  readonly lines: number;
  readonly bytes: number;
  readonly payloads: number;
  /** Hash of the log, equal on both sides. */
  readonly sha256: string;
}

const PAGE_LINES = 500;

/** Ids of the sessions that have a log in the folders. */
export function idsInFolders({ logs }: SessionFolders): readonly string[] {
  if (!existsSync(logs)) return [];
  const names = readdirSync(logs).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => name.slice(0, -'.jsonl'.length));
}

/** Copies a session from files into the archive in one transaction, then compares both. */
export async function importSession(
  archive: PostgresArchive,
  folders: SessionFolders,
  id: string,
): Promise<CopiedSession> {
  const store = new SessionStore(folders.sessions, { logDir: folders.logs });
  const lock = store.lock(id);
  try {
    const file = store.getLogPath(id);
    if (file === undefined || !existsSync(file))
      throw new Error(`Session ${id} has no log to import.`);
    const text = withFinalNewline(readFileSync(file, 'utf8'));
    const saved = store.open(id);
    const { cwd, model, name } = saved?.record ?? {};
    const card = { agent: 'robota', cwd, model, name };
    await insert(archive, {
      id,
      card: JSON.stringify(card),
      cwd: cwd ?? null,
      text,
      lastNumber: saved?.end?.n ?? 0,
      payloads: payloadsOf(folders, id),
      record: readRecord(store.getFilePath(id)),
      secrets: secretsIn(archive, folders, id),
    });
    return await verify(archive, folders, { id, text });
  } finally {
    lock.release();
  }
}

/** Copies a session from the archive into new files, then compares both. */
export async function exportSession(
  archive: PostgresArchive,
  folders: SessionFolders,
  id: string,
): Promise<CopiedSession> {
  const { session, payload, checkpoint } = archive.tables;
  const [row] = await archive.link.query(
    `SELECT s.sid, s.card, c.record FROM ${session} s LEFT JOIN ${checkpoint} c USING (sid) WHERE s.id = $1`,
    [id],
  );
  if (!row)
    throw Object.assign(new Error(`Session not found: ${id}`), { code: 'session_not_found' });
  const { agent = 'robota' } = JSON.parse(String(row.card)) as { readonly agent?: string };
  if (agent !== 'robota') {
    throw new Error(
      `Session ${id} belongs to ${agent}; only Robota's own sessions are copied to files.`,
    );
  }
  const store = new SessionStore(folders.sessions, { logDir: folders.logs });
  const file = join(folders.logs, `${id}.jsonl`);
  if (existsSync(file)) throw new Error(`${file} is there already; nothing was written.`);
  mkdirSync(folders.logs, { recursive: true, mode: 0o700 });
  let after = 0;
  writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  for (;;) {
    const lines = await archive.lines(id, after, PAGE_LINES);
    appendFileSync(file, lines.map(({ text }) => `${text}\n`).join(''));
    after = lines.at(-1)?.place ?? after;
    if (lines.length < PAGE_LINES) break;
  }
  const payloads = await archive.link.query(
    `SELECT hash, data FROM ${payload} WHERE sid = $1::bigint`,
    [Number(row.sid)],
  );
  const folder = join(folders.logs, payloadFolder(id));
  if (payloads.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { hash, data } of payloads) {
    writeFileSync(join(folder, `${String(hash)}.json`), String(data), { mode: 0o600 });
  }
  if (typeof row.record === 'string') {
    store.save(unpackRecord(JSON.parse(row.record) as SessionRecord));
  }
  const secrets = await archive.secretsOf(id);
  if (secrets.length > 0) {
    const lines = secrets.map((line) => `${line}\n`).join('');
    writeFileSync(vaultFile(folders, id), lines, { mode: 0o600, flag: 'wx' });
  }
  return verify(archive, folders, { id, text: readFileSync(file, 'utf8') });
}

interface ImportedSession {
  readonly id: string;
  readonly card: string;
  readonly cwd: string | null;
  readonly text: string;
  readonly lastNumber: number;
  readonly payloads: readonly { readonly hash: string; readonly data: string }[];
  readonly record: { readonly bytes: number; readonly text: string } | undefined;
  /** Encrypted lines of the vault. */
  readonly secrets: readonly Buffer[];
}

function insert(archive: PostgresArchive, given: ImportedSession): Promise<void> {
  const { session, event, payload, checkpoint, vault } = archive.tables;
  const lines = given.text.split('\n').slice(0, -1);
  const effects = lines.map(effectsOf);
  const isOpen = effects.findLast(({ turn }) => turn !== undefined)?.turn === 'open';
  return archive.link.transaction(async (run) => {
    const [row] = await run(
      `INSERT INTO ${session} (id, card, workspace, last_seq, last_n, bytes, is_open_turn)
        VALUES ($1, $2, $3, $4::bigint, $5::bigint, $6::bigint, $7::boolean) ON CONFLICT (id) DO NOTHING RETURNING sid`,
      [
        given.id,
        given.card,
        given.cwd,
        lines.length,
        given.lastNumber,
        Buffer.byteLength(given.text),
        isOpen,
      ],
    );
    if (!row)
      throw new Error(`The archive has a session ${given.id} already; nothing was changed.`);
    const sid = Number(row.sid);
    for (let from = 0; from < lines.length; from += PAGE_LINES) {
      const page = lines.slice(from, from + PAGE_LINES);
      const pageEffects = effects.slice(from, from + PAGE_LINES);
      await run(
        `INSERT INTO ${event} (sid, seq, fence, n, kind, data)
          SELECT $1::bigint, $2::bigint + l.place, 0, l.n, l.kind, l.data
          FROM unnest($3::bigint[], $4::text[], $5::text[]) WITH ORDINALITY AS l(n, kind, data, place)`,
        [
          sid,
          from,
          pageEffects.map(({ n }) => n ?? null),
          pageEffects.map(({ kind }) => kind),
          page,
        ],
      );
    }
    for (const { hash, data } of given.payloads) {
      await run(`INSERT INTO ${payload} (sid, hash, data) VALUES ($1::bigint, $2, $3)`, [
        sid,
        hash,
        data,
      ]);
    }
    for (const data of given.secrets) {
      await run(`INSERT INTO ${vault} (sid, data) VALUES ($1::bigint, $2::bytea)`, [sid, data]);
    }
    const place = given.record && placeAt(given.text, given.record.bytes);
    if (given.record && place !== undefined) {
      await run(
        `INSERT INTO ${checkpoint} (sid, seq, fence, record) VALUES ($1::bigint, $2::bigint, 0, $3)`,
        [sid, place, given.record.text],
      );
    }
  });
}

/** Compares both sides, line by line and payload by payload, as far as was copied: the archive may have grown since. */
async function verify(
  archive: PostgresArchive,
  folders: SessionFolders,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<CopiedSession> {
  const copied = text.split('\n').slice(0, -1);
  for (let from = 0; from < copied.length; from += PAGE_LINES) {
    const page = copied.slice(from, from + PAGE_LINES);
    const stored = await archive.lines(id, from, page.length);
    const isEqual = page.every((line, index) => stored[index]?.text === line);
    if (!isEqual) throw unequal(id);
  }
  const { session, payload } = archive.tables;
  const files = payloadsOf(folders, id);
  const rows = await archive.link.query(
    `SELECT hash, data FROM ${payload} WHERE sid = (SELECT sid FROM ${session} WHERE id = $1)`,
    [id],
  );
  const stored = new Map(rows.map(({ hash, data }) => [String(hash), String(data)]));
  const areEqual = files.every(
    ({ hash, data }) => stored.get(hash) === data && hash === sha256Of(data),
  );
  if (!areEqual) throw unequal(id);
  const bytes = Buffer.byteLength(text);
  return { id, lines: copied.length, bytes, payloads: files.length, sha256: sha256Of(text) };
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function unequal(id: string): Error {
  return new Error(
    `The copy of session ${id} is not equal to its source; delete the copy and try again.`,
  );
}

function vaultFile({ logs }: SessionFolders, id: string): string {
  return join(logs, `${id}${VAULT_SUFFIX}`);
}

/** Secrets are copied only with a key. */
function secretsIn(
  { cipher }: PostgresArchive,
  folders: SessionFolders,
  id: string,
): readonly Buffer[] {
  const file = vaultFile(folders, id);
  if (!cipher || !existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => cipher.seal(line, vaultPlace(id)));
}

/** Ends a torn last line, as the next writer would. */
function withFinalNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** How many lines the first bytes of a log hold; undefined if they end within a line. */
function placeAt(text: string, bytes: number): number | undefined {
  const start = Buffer.from(text).subarray(0, bytes).toString('utf8');
  return start.endsWith('\n') ? start.split('\n').length - 1 : undefined;
}

function payloadsOf({ logs }: SessionFolders, id: string): ImportedSession['payloads'] {
  const folder = join(logs, payloadFolder(id));
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^[0-9a-f]{64}\.json$/.test(name))
    .map((name) => ({
      hash: name.slice(0, 64),
      data: readFileSync(join(folder, name), 'utf8'),
    }));
}

/** A checkpoint with a position in the log; without one it is rebuilt from the log. */
function readRecord(file: string): ImportedSession['record'] {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  try {
    const { log } = JSON.parse(text) as SessionRecord;
    return log && { bytes: log.bytes, text };
  } catch {
    return undefined;
  }
}
