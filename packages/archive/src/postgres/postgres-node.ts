import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ArchiveNode, ClaimOptions, NodeEvents, SessionClaim } from '../nodes/archive-node.ts';
import { Appender } from './appender.ts';
import { ClaimedSession } from './claimed-session.ts';
import { type Link, ResponseLostError } from './link.ts';
import { type LeaseClock, NodeLease, SYSTEM_CLOCK } from './node-lease.ts';
import type { PostgresArchive } from './postgres-archive.ts';
import { SessionWriter } from './session-writer.ts';

/** Name, address and lease of a node. */
export interface PostgresNodeOptions {
  readonly archive: PostgresArchive;
  /** This node's name; the host name by default. */
  readonly name?: string | undefined;
  /** The address at which this node serves. */
  readonly url?: string | undefined;
  /** Directories whose sessions can run here; all by default. */
  readonly workspaces?: readonly string[] | undefined;
  /** How long the lease lasts without being renewed; 15,000 ms by default. */
  readonly ttlMs?: number | undefined;
  /** How often to look for sessions that no node runs; 1,500 ms by default. */
  readonly lookMs?: number | undefined;
  readonly clock?: LeaseClock | undefined;
}

const TTL_MS = 15_000;
const LOOK_MS = 1_500;
/** How often a node that lost its lease tries to get a new one. */
const LEASE_RETRY_MS = 200;
const MAX_FOUND = 50;

/** A lease with its own heartbeat connection, and the sessions claimed under it. */
interface HeldLease {
  readonly lease: NodeLease;
  readonly link: Link;
  readonly appender: Appender;
  readonly claims: Map<number, ClaimedSession>;
  /** Ids that are being claimed. */
  readonly claiming: Set<string>;
}

/** A session whose row names this node as its owner. */
interface TakenSession {
  readonly id: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly vaults: ReadonlyMap<string, readonly string[]>;
}

/** This process among those that run the sessions of a PostgreSQL archive. */
export class PostgresNode implements ArchiveNode {
  readonly name: string;
  readonly #options: PostgresNodeOptions;
  #events: NodeEvents | undefined;
  #held: HeldLease | undefined;
  #off: () => void = () => undefined;
  #isStopped = false;
  #looking: Promise<void> = Promise.resolve();
  readonly #stopping = new AbortController();

  constructor(options: PostgresNodeOptions) {
    this.#options = options;
    this.name = options.name ?? hostname();
  }

  isReady(): boolean {
    return this.#held?.lease.isAlive() === true;
  }

  async start(events: NodeEvents): Promise<void> {
    this.#events = events;
    const { archive } = this.#options;
    await archive.listen();
    await this.#begin();
    this.#off = archive.wakes.on(({ kind, sid }) => {
      if (kind === 'inbox' || kind === 'claim') void this.#notified(kind, sid);
    });
    this.#looking = this.#look();
  }

  async claim(id: string, options: ClaimOptions = {}): Promise<SessionClaim | undefined> {
    const held = this.#held;
    if (!held?.lease.isAlive() || held.claiming.has(id)) return undefined;
    held.claiming.add(id);
    try {
      return await this.#claim(held, id, options);
    } finally {
      held.claiming.delete(id);
    }
  }

  async #claim(
    held: HeldLease,
    id: string,
    { force = false, from }: ClaimOptions,
  ): Promise<SessionClaim | undefined> {
    const { archive } = this.#options;
    const { tables } = archive;
    const taken = await archive.link.transaction(async (run) => {
      const [row] = await run(
        `SELECT sid, owner::text, fence, last_seq, last_n, bytes, card, workspace FROM ${tables.session} WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!row || !this.#hasWorkspace(row.workspace)) return undefined;
      if (row.owner !== null && row.owner !== held.lease.id && !force) {
        // Waits for a renewal in progress; the clock is the database's.
        const [owner] = await run(
          `SELECT until > clock_timestamp() AS is_alive FROM ${tables.node} WHERE id = $1::uuid FOR UPDATE`,
          [String(row.owner)],
        );
        if (owner?.is_alive === true) return undefined;
      }
      if (held.claims.has(Number(row.sid))) return undefined;
      await run(
        `UPDATE ${tables.session} SET owner = $2::uuid, fence = fence + 1, is_moved = false WHERE sid = $1::bigint`,
        [Number(row.sid), held.lease.id],
      );
      return row;
    });
    if (!taken || !held.lease.isAlive()) return undefined;
    const vaults = new Map<string, readonly string[]>();
    for (const one of [id, ...(from === undefined ? [] : [from])]) {
      vaults.set(one, await archive.secretsOf(one));
    }
    if (!held.lease.isAlive()) return undefined;
    const claim = this.#claimed(held, { id, row: taken, vaults });
    await claim.abandonCommands();
    return claim;
  }

  async stop(): Promise<void> {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#stopping.abort();
    this.#off();
    await this.#looking;
    const held = this.#held;
    this.#held = undefined;
    if (!held) return;
    await Promise.allSettled([...held.claims.values()].map((claim) => claim.release()));
    try {
      await held.lease.release();
    } catch (error) {
      // The lease will expire.
      if (!(error instanceof ResponseLostError)) throw error;
    } finally {
      await held.link.close();
    }
  }

  #claimed(held: HeldLease, { id, row, vaults }: TakenSession): ClaimedSession {
    const { archive } = this.#options;
    const sid = Number(row.sid);
    const fence = Number(row.fence) + 1;
    const writer = new SessionWriter({
      id,
      sid,
      fence,
      last: Number(row.last_seq),
      bytes: Number(row.bytes),
      lastNumber: Number(row.last_n),
      wake: (waiting) => held.appender.wake(waiting),
    });
    const claim = new ClaimedSession({
      card: JSON.parse(String(row.card)) as Record<string, unknown>,
      fence,
      hasLines: Number(row.last_seq) > 0,
      writer,
      lease: held.lease,
      link: archive.link,
      tables: archive.tables,
      logs: archive.logs,
      cipher: archive.cipher,
      vaults,
      onSettled: () => archive.wakes.notify('inbox', sid),
      onReleased: () => archive.wakes.notify('inbox', sid),
    });
    held.claims.set(sid, claim);
    writer.lost.addEventListener('abort', () => held.claims.delete(sid), { once: true });
    // Tells a previous node that is still alive to stop at once.
    archive.wakes.notify('claim', sid);
    return claim;
  }

  async #begin(): Promise<void> {
    const { archive, url, workspaces, ttlMs = TTL_MS, clock = SYSTEM_CLOCK } = this.#options;
    const link = archive.heartbeatLink();
    const claims = new Map<number, ClaimedSession>();
    const { tables } = archive;
    const lease = new NodeLease({
      link,
      tables,
      name: this.name,
      url,
      workspaces,
      ttlMs,
      clock,
      onLost: (reason) => this.#lost(held, reason),
    });
    const { appendLink, wakes } = archive;
    const appender = new Appender({ link: appendLink, tables, lease, wakes });
    const held: HeldLease = { lease, link, appender, claims, claiming: new Set() };
    try {
      await lease.start();
    } catch (error) {
      await link.close();
      throw error;
    }
    this.#held = held;
  }

  /** Ends every claim at once: its session is stopped, and nothing more is written. */
  #lost(held: HeldLease, reason: Error): void {
    if (this.#held === held) this.#held = undefined;
    for (const claim of [...held.claims.values()]) claim.fenceOff(reason);
    void held.link.close().catch(() => undefined);
    if (this.#isStopped) return;
    this.#events?.onError(new Error(`${this.name} stopped its sessions: ${reason.message}.`));
  }

  /** Finds sessions with work that no live node runs; gets a new lease after the last one ended. */
  async #look(): Promise<void> {
    const { lookMs = LOOK_MS } = this.#options;
    while (!this.#isStopped) {
      if (!this.#held) await this.#tryBegin();
      await this.#find();
      const pause = this.#held ? lookMs * (0.75 + Math.random() / 2) : LEASE_RETRY_MS;
      await delay(pause, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
  }

  async #tryBegin(): Promise<void> {
    try {
      await this.#begin();
    } catch (error) {
      if (!(error instanceof ResponseLostError)) this.#events?.onError(error as Error);
    }
  }

  async #find(): Promise<void> {
    try {
      for (const id of await this.#orphans()) this.#events?.onWork(id);
      await this.#checkOwn();
    } catch (error) {
      if (!(error instanceof ResponseLostError)) this.#events?.onError(error as Error);
    }
  }

  async #orphans(): Promise<readonly string[]> {
    const held = this.#held;
    if (!held) return [];
    const { link, tables } = this.#options.archive;
    const rows = await link.query(
      `SELECT s.sid, s.id, s.workspace FROM ${tables.session} s JOIN (
          SELECT sid FROM ${tables.session} WHERE is_open_turn
          UNION SELECT sid FROM ${tables.inbox} WHERE taken_seq IS NULL
          UNION SELECT sid FROM ${tables.session} WHERE is_moved) w USING (sid)
        LEFT JOIN ${tables.node} n ON n.id = s.owner AND n.until > clock_timestamp()
        WHERE (n.id IS NULL OR s.owner = $1::uuid) AND NOT s.sid = ANY($2::bigint[]) LIMIT ${MAX_FOUND}`,
      [held.lease.id, [...held.claims.keys()]],
    );
    // A claim whose response was lost is ours only in the database, so it is claimed again.
    return rows
      .filter(({ workspace }) => this.#hasWorkspace(workspace))
      .map(({ id }) => String(id));
  }

  /** Finds what a lost notification would have reported about the sessions that run here. */
  async #checkOwn(): Promise<void> {
    const held = this.#held;
    if (!held || held.claims.size === 0) return;
    const { link, tables } = this.#options.archive;
    const rows = await link.query(
      `SELECT s.sid, s.fence, EXISTS (SELECT FROM ${tables.inbox} i WHERE i.sid = s.sid AND i.taken_seq IS NULL)
          OR EXISTS (SELECT FROM ${tables.question} q WHERE q.sid = s.sid AND q.taken_seq IS NULL AND q.answer IS NOT NULL) AS has_items
        FROM ${tables.session} s WHERE s.sid = ANY($1::bigint[])`,
      [[...held.claims.keys()]],
    );
    const found = new Set(rows.map(({ sid }) => Number(sid)));
    for (const [sid, claim] of [...held.claims]) {
      if (!found.has(sid)) claim.fenceOff(new Error('it was deleted'));
    }
    for (const { sid, fence, has_items } of rows) {
      const claim = held.claims.get(Number(sid));
      if (!claim) continue;
      if (Number(fence) > claim.fence) claim.fenceOff(new Error('it belongs to another node now'));
      else if (has_items === true) this.#events?.onInbox(claim.id);
    }
  }

  async #notified(kind: 'inbox' | 'claim', sid: number): Promise<void> {
    const claim = this.#held?.claims.get(sid);
    if (kind === 'inbox' && claim) this.#events?.onInbox(claim.id);
    if (kind === 'claim' && claim) await this.#check(claim);
    // It may have been moved here.
    if (kind === 'claim' && !claim) await this.#find();
  }

  /** Another node may have claimed the session. */
  async #check(claim: ClaimedSession): Promise<void> {
    const { link, tables } = this.#options.archive;
    try {
      const [row] = await link.query(`SELECT fence FROM ${tables.session} WHERE sid = $1::bigint`, [
        claim.sid,
      ]);
      if (Number(row?.fence ?? Number.NaN) > claim.fence || !row) {
        claim.fenceOff(new Error('it belongs to another node now'));
      }
    } catch {
      // The next append detects it.
    }
  }

  #hasWorkspace(workspace: unknown): boolean {
    const { workspaces } = this.#options;
    if (!workspaces || typeof workspace !== 'string') return true;
    return workspaces.some((root) => workspace === root || workspace.startsWith(`${root}/`));
  }
}
