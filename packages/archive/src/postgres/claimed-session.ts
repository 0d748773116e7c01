import {
  type FellowFold,
  INLINE_BYTES,
  isFenced,
  type LogSink,
  PayloadWriter,
  packRecord,
  type SessionLogger,
  type SessionRecord,
  type SessionRecordStore,
  type WriterLock,
} from '@robota-sdk/agent-session';
import type { GivenAnswer, SessionClaim } from '../nodes/archive-node.ts';
import type { InboxEnd } from '../nodes/shared-archive.ts';
import type { ArchiveCipher } from './archive-cipher.ts';
import type { Link } from './link.ts';
import type { NodeLease } from './node-lease.ts';
import type { SavedLogs } from './saved-log.ts';
import { SessionVault, vaultPlace } from './session-vault.ts';
import type { SessionWriter } from './session-writer.ts';
import type { Tables } from './tables.ts';

export interface ClaimParts {
  readonly card: Readonly<Record<string, unknown>>;
  readonly fence: number;
  readonly hasLines: boolean;
  readonly writer: SessionWriter;
  readonly lease: NodeLease;
  readonly link: Link;
  readonly tables: Tables;
  readonly logs: SavedLogs;
  /** Encrypts secrets; without it none are stored. */
  readonly cipher: ArchiveCipher | undefined;
  /** Vault lines of this session and of the one it is forked from, by session. */
  readonly vaults: ReadonlyMap<string, readonly string[]>;
  /** Called when an item has ended. */
  readonly onSettled: (sid: number) => void;
  readonly onReleased: (claim: ClaimedSession) => void;
}

/** A session that this node may run, with a logger and a store that write under this claim. */
export class ClaimedSession implements SessionClaim {
  readonly id: string;
  readonly sid: number;
  readonly fence: number;
  readonly card: Readonly<Record<string, unknown>>;
  readonly hasLines: boolean;
  readonly logger: SessionLogger;
  readonly records: SessionRecordStore;
  readonly #parts: ClaimParts;
  #savedSize: number | undefined;

  constructor(parts: ClaimParts) {
    this.#parts = parts;
    this.id = parts.writer.id;
    this.sid = parts.writer.sid;
    this.fence = parts.fence;
    this.card = parts.card;
    this.hasLines = parts.hasLines;
    this.logger = this.#logger();
    this.records = this.#records();
  }

  get lost(): AbortSignal {
    return this.#parts.writer.lost;
  }

  /** Ends the claim: nothing more is written under it. */
  fenceOff(reason: Error): void {
    this.#parts.writer.fence(reason);
  }

  async take(messageId: string): Promise<boolean> {
    const { inbox } = this.#parts.tables;
    const rows = await this.#guarded(
      `UPDATE ${inbox} i SET taken_seq = 0, taken_fence = $2::bigint, body = '' FROM held
        WHERE i.sid = held.sid AND i.message_id = $4 AND i.taken_seq IS NULL RETURNING i.sid`,
      [messageId],
    );
    return rows.length === 1;
  }

  async settle(messageId: string, { status, response }: InboxEnd): Promise<void> {
    const { inbox } = this.#parts.tables;
    await this.#guarded(
      `UPDATE ${inbox} i SET taken_seq = coalesce(i.taken_seq, 0), taken_fence = $2::bigint, status = $5, response = $6, body = '' FROM held
        WHERE i.sid = held.sid AND i.message_id = $4 AND i.status IS NULL RETURNING i.sid`,
      [messageId, status, response],
    );
    this.#parts.onSettled(this.sid);
  }

  /** Commands that a previous node started but did not finish are not run again. */
  async abandonCommands(): Promise<void> {
    const { inbox } = this.#parts.tables;
    await this.#guarded(
      `UPDATE ${inbox} i SET status = 'interrupted', response = $4 FROM held
        WHERE i.sid = held.sid AND i.kind <> 'prompt' AND i.taken_seq IS NOT NULL AND i.status IS NULL`,
      ['The node that was doing this ended.'],
    );
  }

  async answers(): Promise<readonly GivenAnswer[]> {
    const { link, tables } = this.#parts;
    const rows = await link.query(
      `SELECT request_id, answer, answered_by FROM ${tables.question}
        WHERE sid = $1::bigint AND taken_seq IS NULL AND answer IS NOT NULL`,
      [this.sid],
    );
    return rows.map((row) => ({
      questionId: String(row.request_id),
      answer: (JSON.parse(String(row.answer)) as { readonly answer: unknown }).answer,
      by: typeof row.answered_by === 'string' ? row.answered_by : undefined,
    }));
  }

  async release(): Promise<void> {
    const { writer, link, tables, lease, onReleased } = this.#parts;
    try {
      await writer.drain();
      const text = `UPDATE ${tables.session} SET owner = NULL WHERE sid = $1::bigint AND fence = $2::bigint AND owner = $3::uuid`;
      await link.query(text, [this.sid, this.fence, lease.id]);
    } catch (error) {
      // Another node has the session already, or the lease will expire.
      if (!isFenced(error)) throw error;
    } finally {
      writer.fence(new Error('it was let go'));
      onReleased(this);
    }
  }

  /** Runs a change only while the claim is valid; `held` is the session's row, locked against take-over. */
  async #guarded(change: string, values: readonly string[]) {
    const { link, tables, lease, writer } = this.#parts;
    if (this.lost.aborted) throw writer.fencedError();
    const text = `WITH held AS (SELECT s.sid FROM ${tables.session} s, ${tables.node} n WHERE s.sid = $1::bigint AND s.fence = $2::bigint
        AND s.owner = $3::uuid AND n.id = s.owner AND n.until > clock_timestamp() FOR SHARE OF s) ${change}`;
    return link.query(text, [this.sid, this.fence, lease.id, ...values]);
  }

  #lock(): WriterLock {
    const { writer, lease } = this.#parts;
    return {
      token: `${lease.id}:${this.fence}`,
      isHeld: () => lease.isAlive() && !writer.lost.aborted,
      lost: writer.lost,
      // The claim outlives the session object and is released by its owner.
      release: () => undefined,
    };
  }

  #sink(): LogSink {
    const { writer } = this.#parts;
    const payloads = new PayloadWriter(this.id, ({ sha256, json }) => writer.keep(sha256, json));
    return {
      lastNumber: writer.lastNumber,
      append: (text) => writer.append(text),
      size: () => (writer.lost.aborted ? undefined : writer.bytes),
      shrink: (line) => payloads.shrink(line, INLINE_BYTES),
      store: (value) => payloads.store(JSON.stringify(value)),
    };
  }

  #logger(): SessionLogger {
    return {
      // A session writes through its sink only.
      log: () => undefined,
      openSink: () => this.#sink(),
      ...(this.#parts.cipher && { openVault: this.#openVault(this.#parts.cipher) }),
      lock: () => this.#lock(),
      close: () => this.#parts.writer.drain(),
      isSaving: () => !this.lost.aborted,
      getSaveError: () => this.lost.reason,
    };
  }

  /** The vault of the session that this one is forked from is read-only. */
  #openVault(cipher: ArchiveCipher): NonNullable<SessionLogger['openVault']> {
    const { writer, vaults } = this.#parts;
    return (id, { salt } = {}) => {
      const seal = (line: string) => cipher.seal(line, vaultPlace(id)).toString('base64');
      const keep = (line: string) => writer.keepSecret(seal(line));
      const isOwn = id === this.id;
      return new SessionVault({
        lines: vaults.get(id) ?? [],
        salt,
        keep: isOwn ? keep : () => undefined,
      });
    };
  }

  #records(): SessionRecordStore {
    const { logs } = this.#parts;
    const open = async (id: string, fellows?: readonly FellowFold[]) =>
      (await logs.open(id, fellows))?.saved;
    return {
      save: (record) => this.#save(record),
      load: async (id) => (await open(id))?.record,
      list: async () => [],
      delete: () => undefined,
      open,
      keepsLogOf: (logger) => logger === this.logger,
      getSavedSize: () => this.#savedSize,
      lock: () => this.#lock(),
    };
  }

  /** A checkpoint belongs to the log's position when it was made, and is stored once those lines are. */
  async #save(record: SessionRecord): Promise<void> {
    const { writer, tables } = this.#parts;
    const place = writer.end;
    const text = packRecord(record);
    await writer.drain();
    await this.#guarded(
      `INSERT INTO ${tables.checkpoint} AS c (sid, seq, fence, record)
        SELECT held.sid, $4::bigint, $2::bigint, $5 FROM held
        ON CONFLICT (sid) DO UPDATE SET seq = excluded.seq, fence = excluded.fence, record = excluded.record
        WHERE c.seq <= excluded.seq`,
      [String(place), text],
    );
    this.#savedSize = Buffer.byteLength(text);
  }
}
