import type { FellowFold } from '@robota-sdk/agent-session';
import type {
  ArchivedLine,
  ArchivedSession,
  Following,
  FollowParts,
  InboxItem,
  InboxReceipt,
  OpenedArchive,
  SharedArchive,
} from '../nodes/shared-archive.ts';
import { AgentTranscripts } from './agent-transcripts.ts';
import { ArchiveCipher } from './archive-cipher.ts';
import { ARCHIVE_SOURCE } from './catalogue/sources.ts';
import { Inbox } from './inbox.ts';
import { Link, type Row, type RunStatement } from './link.ts';
import { SavedLogs } from './saved-log.ts';
import { type MigrationReport, migrate, PARTITION_SESSIONS, partition } from './schema.ts';
import { readVault } from './session-vault.ts';
import { type Tables, tablesIn } from './tables.ts';
import { Tails } from './tails.ts';
import { Wakes } from './wakes.ts';

/** Connection and schema of a PostgreSQL archive. */
export interface PostgresArchiveOptions {
  /** `postgres://…` */
  readonly url: string;
  /** Connection for heartbeat and notifications when `url` leads through a pooler. */
  readonly directUrl?: string | undefined;
  /** The schema of the tables; `robota_archive` by default. */
  readonly schema?: string | undefined;
  /** Milliseconds before a statement without a response counts as lost; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** 32 bytes that encrypt secrets and other agents' transcripts; without it secrets are not stored. */
  readonly key?: Uint8Array | undefined;
  /** This node's name. */
  readonly node?: string | undefined;
  /** How long a lock on another agent's transcript lasts without being renewed; 15,000 ms by default. */
  readonly ttlMs?: number | undefined;
}

const WORK_CONNECTIONS = 3;
const CATALOGUE_CONNECTIONS = 2;
/** Reading a long session takes time. */
const CATALOGUE_TIMEOUT_MS = 120_000;
const TIMEOUT_MS = 10_000;
/** The next partition is created this many sessions before one is full. */
const PARTITION_MARGIN = 10_000;

/** Sessions in PostgreSQL 12 or newer, shared by any number of machines. */
export class PostgresArchive implements SharedArchive {
  readonly tables: Tables;
  readonly link: Link;
  /** One connection, because a node sends one append at a time: its process on the server keeps what it needs cached. */
  readonly appendLink: Link;
  readonly logs: SavedLogs;
  readonly wakes: Wakes;
  /** For lists and searches, which may take long and must not block other statements. */
  readonly catalogueLink: Link;
  /** Sessions of other agents' programs. */
  readonly transcripts: AgentTranscripts;
  readonly cipher: ArchiveCipher | undefined;
  readonly #options: PostgresArchiveOptions;
  readonly #listenLink: Link;
  readonly #notifyLink: Link;
  readonly #inbox: Inbox;
  readonly #tails: Tails;
  #listening: Promise<void> | undefined;

  constructor(options: PostgresArchiveOptions) {
    this.#options = options;
    const { url, directUrl = url, timeoutMs = TIMEOUT_MS } = options;
    this.tables = tablesIn(options.schema ?? 'robota_archive');
    const shared = { timeoutMs, name: 'robota-archive' };
    const isPrepared = options.directUrl === undefined;
    this.link = new Link({ ...shared, url, connections: WORK_CONNECTIONS, isPrepared });
    this.appendLink = new Link({ ...shared, url, connections: 1, isPrepared });
    this.#notifyLink = new Link({ ...shared, url: directUrl, connections: 1 });
    this.#listenLink = new Link({ ...shared, url: directUrl, connections: 1 });
    this.logs = new SavedLogs(this.link, this.tables);
    this.wakes = new Wakes(this.#notifyLink, this.tables.channel);
    this.catalogueLink = new Link({
      name: 'robota-catalogue',
      url,
      connections: CATALOGUE_CONNECTIONS,
      timeoutMs: Math.max(timeoutMs, CATALOGUE_TIMEOUT_MS),
      isPrepared,
    });
    const { link, tables, logs, wakes } = this;
    this.cipher = options.key && new ArchiveCipher(options.key);
    const { cipher } = this;
    this.#inbox = new Inbox(link, tables, cipher);
    const { node: name, ttlMs } = options;
    this.transcripts = new AgentTranscripts({ link, tables, wakes, cipher, name, ttlMs });
    this.#tails = new Tails({ link, tables, logs, wakes });
  }

  /** A separate connection for a node's heartbeat. */
  heartbeatLink(): Link {
    const { url, directUrl = url, timeoutMs = TIMEOUT_MS } = this.#options;
    return new Link({ url: directUrl, connections: 1, name: 'robota-lease', timeoutMs });
  }

  /** Creates or updates the tables. */
  migrate(): Promise<MigrationReport> {
    return migrate(this.link, this.tables);
  }

  /** Starts to receive notifications of other nodes; concurrent and later calls share one subscription. */
  listen(): Promise<void> {
    this.#listening ??= this.#listenLink
      .listen(
        this.tables.channel,
        (payload) => this.wakes.receive(payload),
        () => {
          this.wakes.connected();
          this.#tails.wakeAll();
        },
      )
      .catch((error: unknown) => {
        this.#listening = undefined;
        throw error;
      });
    return this.#listening;
  }

  /** A session's stored secrets; empty without the key. */
  async secretsOf(id: string): Promise<readonly string[]> {
    const { link, tables, cipher } = this;
    return cipher ? readVault({ link, tables, cipher }, id) : [];
  }

  /** Rejects if the database does not respond. */
  async ping(): Promise<void> {
    await this.link.query('SELECT 1');
  }

  async create(id: string, card: ArchivedSession['card']): Promise<boolean> {
    const [row] = await this.link.query(
      `INSERT INTO ${this.tables.session} (id, card, workspace) VALUES ($1, $2, $3)
        ON CONFLICT (id) DO NOTHING RETURNING sid`,
      [id, JSON.stringify(card), typeof card.cwd === 'string' ? card.cwd : null],
    );
    if (!row) return false;
    const sid = Number(row.sid);
    if (sid % PARTITION_SESSIONS >= PARTITION_SESSIONS - PARTITION_MARGIN) {
      await this.link.query(partition(this.tables, Math.floor(sid / PARTITION_SESSIONS) + 1));
    }
    return true;
  }

  async find(id: string): Promise<ArchivedSession | undefined> {
    const [row] = await this.link.query(`${this.#summary()} WHERE s.id = $1`, [id]);
    return row && sessionOf(row);
  }

  async list(): Promise<readonly ArchivedSession[]> {
    const rows = await this.link.query(`${this.#summary()} ORDER BY s.updated_at DESC`);
    return rows.map(sessionOf);
  }

  async updateCard(id: string, card: ArchivedSession['card']): Promise<void> {
    const text = `UPDATE ${this.tables.session} SET card = $2 WHERE id = $1`;
    await this.link.query(text, [id, JSON.stringify(card)]);
  }

  open(id: string, fellows?: readonly FellowFold[]): Promise<OpenedArchive | undefined> {
    return this.logs.open(id, fellows);
  }

  lines(id: string, after: number, limit?: number): Promise<readonly ArchivedLine[]> {
    return this.logs.lines(id, after, limit);
  }

  follow(parts: FollowParts): Following {
    void this.listen().catch((error: Error) => parts.onError(error));
    return this.#tails.follow(parts);
  }

  async submit(id: string, item: InboxItem): Promise<InboxReceipt> {
    const submitted = await this.#inbox.submit(id, item);
    if (!submitted) {
      throw Object.assign(new Error(`Session not found: ${id}`), { code: 'session_not_found' });
    }
    this.wakes.notify('inbox', submitted.sid);
    return submitted.receipt;
  }

  receipt(id: string, messageId: string): Promise<InboxReceipt | undefined> {
    return this.#inbox.receipt(id, messageId);
  }

  waiting(id: string): Promise<readonly InboxItem[]> {
    return this.#inbox.waiting(id);
  }

  async answer(id: string, questionId: string, answer: unknown, by?: string): Promise<boolean> {
    const sid = await this.#inbox.answer(id, questionId, { answer, by });
    if (sid === undefined) return false;
    this.wakes.notify('inbox', sid);
    return true;
  }

  async remove(id: string): Promise<void> {
    const { session, event, payload, checkpoint, inbox, question, vault } = this.tables;
    const sid = await this.link.transaction(async (run) => {
      const [row] = await run(`DELETE FROM ${session} WHERE id = $1 RETURNING sid`, [id]);
      if (!row) return undefined;
      for (const table of [event, payload, checkpoint, inbox, question, vault]) {
        await run(`DELETE FROM ${table} WHERE sid = $1::bigint`, [Number(row.sid)]);
      }
      await this.#removeText(run, Number(row.sid));
      return Number(row.sid);
    });
    // Tells the node that runs the session to stop.
    if (sid !== undefined) this.wakes.notify('claim', sid);
  }

  /** Deletes the session's text from the catalogue at once; its cost stays. */
  async #removeText(run: RunStatement, sid: number): Promise<void> {
    const { catalogueSession, catalogueBlock } = this.tables;
    const [row] = await run(
      `UPDATE ${catalogueSession} SET gone = $2::bigint, is_hidden = true, title = NULL, name = NULL, preview = '', version = ''
       WHERE source = '${ARCHIVE_SOURCE}' AND sid = $1::bigint RETURNING id`,
      [sid, Date.now()],
    );
    if (row)
      await run(`DELETE FROM ${catalogueBlock} WHERE session = $1::bigint`, [Number(row.id)]);
  }

  async close(): Promise<void> {
    await this.#tails.close();
    await this.wakes.close();
    const { link, appendLink, catalogueLink } = this;
    const links = [link, appendLink, catalogueLink, this.#notifyLink, this.#listenLink];
    await Promise.all(links.map((each) => each.close()));
  }

  #summary(): string {
    const { session, node } = this.tables;
    return `SELECT s.id, s.card, s.last_seq, s.is_open_turn, s.created_at, s.updated_at, n.name AS node FROM ${session} s
      LEFT JOIN ${node} n ON n.id = s.owner AND n.until > clock_timestamp()`;
  }
}

function sessionOf(row: Row): ArchivedSession {
  return {
    id: String(row.id),
    card: JSON.parse(String(row.card)) as ArchivedSession['card'],
    lines: Number(row.last_seq),
    isTurnOpen: row.is_open_turn === true,
    node: typeof row.node === 'string' ? row.node : undefined,
    createdAt: row.created_at as Date,
    updatedAt: row.updated_at as Date,
  };
}
