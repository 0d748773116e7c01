import type {
  ArchiveNode,
  InboxEnd,
  InboxItem,
  SessionClaim,
  SharedArchive,
} from '@robota-sdk/agent-archive';
import { isFenced, redactText } from '@robota-sdk/agent-session';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type { LiveAnswer } from '../live/live-question.ts';
import type { LiveSession } from '../live/live-session.ts';

/** A session as the node that has its claim runs it. */
export interface ClaimedEngine {
  readonly live: LiveSession;
  /** Resolves when everything that happened so far is in the archive. */
  whenWritten(): Promise<void>;
}

/** What a node needs to run sessions of an archive. */
export interface ArchiveRunnerParts {
  readonly archive: SharedArchive;
  readonly node: ArchiveNode;
  /** Makes the session of a claim. */
  readonly engine: (claim: SessionClaim) => Promise<ClaimedEngine>;
  /** A session that has nothing to do for so long is let go. */
  readonly idleMs: number;
  /** A session that could not be opened here is left to others for so long; 30,000 ms when left out. */
  readonly leaveMs?: number | undefined;
  readonly onError: (error: Error) => void;
}

interface Running {
  readonly claim: SessionClaim;
  readonly engine: ClaimedEngine;
  /** Items that were handed to the session. */
  readonly given: Set<string>;
  /** Receipts on their way. */
  readonly settling: Set<Promise<void>>;
  usedAt: number;
  isLetGo: boolean;
  /** Something came while the inbox was being read. */
  isDirty: boolean;
  feeding: Promise<void> | undefined;
}

const LEAVE_MS = 30_000;

/** Runs sessions of an archive on this node: claimed one by one, recovered first, then fed from their inbox. */
export class ArchiveRunner {
  readonly #parts: ArchiveRunnerParts;
  readonly #running = new Map<string, Running>();
  readonly #opening = new Map<string, Promise<boolean>>();
  readonly #left = new Map<string, number>();
  #isStopped = false;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(parts: ArchiveRunnerParts) {
    this.#parts = parts;
  }

  get isReady(): boolean {
    return this.#parts.node.isReady();
  }

  async start(): Promise<void> {
    const { node, idleMs, onError } = this.#parts;
    await node.start({
      onWork: (id) => void this.adopt(id),
      onInbox: (id) => this.#inboxChanged(id),
      onError,
    });
    this.#sweeping = setInterval(() => this.#sweep(), Math.max(50, idleMs / 4)).unref();
  }

  /** Runs the session here unless another living node does; never rejects. */
  adopt(id: string, options: { readonly force?: boolean | undefined } = {}): Promise<boolean> {
    const known = this.#opening.get(id);
    if (known) return known;
    if (this.#isStopped) return Promise.resolve(false);
    if (this.#running.has(id)) {
      this.#inboxChanged(id);
      return Promise.resolve(true);
    }
    const isLeft = (this.#left.get(id) ?? 0) > Date.now();
    if (isLeft && !options.force) return Promise.resolve(false);
    const opening = this.#adopt(id, options)
      .catch((error: unknown) => {
        if (!isFenced(error)) this.#parts.onError(error as Error);
        return false;
      })
      .finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  /** Lets every session go: running turns are interrupted, what waits is left to other nodes. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#sweeping);
    await Promise.allSettled(this.#opening.values());
    await Promise.allSettled([...this.#running.values()].map((one) => this.#letGo(one, 'other')));
    await this.#parts.node.stop();
  }

  /** Lets one session go, wherever it runs next. */
  async release(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running) await this.#letGo(running, 'other');
  }

  async #adopt(id: string, options: { readonly force?: boolean | undefined }): Promise<boolean> {
    const { node, engine } = this.#parts;
    const claim = await node.claim(id, options);
    if (!claim) return false;
    let made: ClaimedEngine | undefined;
    try {
      made = await engine(claim);
      const running: Running = {
        claim,
        engine: made,
        given: new Set(),
        settling: new Set(),
        usedAt: Date.now(),
        isLetGo: false,
        isDirty: false,
        feeding: undefined,
      };
      this.#listen(running);
      await made.live.whenReady();
      // What an earlier holder left open is settled before anything new begins.
      await made.whenWritten();
      if (claim.lost.aborted) return false;
      this.#running.set(id, running);
      this.#left.delete(id);
      this.#inboxChanged(id);
      return true;
    } catch (error) {
      const wasLeft = this.#left.has(id);
      this.#leave(id);
      await made?.live.shutdown().catch(() => undefined);
      if (wasLeft && isUnavailable(error)) await this.#refuse(claim, error as Error);
      await claim.release();
      throw error;
    }
  }

  #leave(id: string): void {
    this.#left.set(id, Date.now() + (this.#parts.leaveMs ?? LEAVE_MS));
  }

  /** No other node has taken it meanwhile: whoever asked is told why nothing happens. */
  async #refuse(claim: SessionClaim, { message }: Error): Promise<void> {
    for (const { messageId } of await this.#parts.archive.waiting(claim.id)) {
      await claim.settle(messageId, { status: 'failed', response: redactText(message) });
    }
  }

  #listen(running: Running): void {
    const { claim } = running;
    const { live: session } = running.engine;
    const { archive } = this.#parts;
    // Somebody may answer on any node: with nobody connected a question waits.
    session.on('question', () => undefined);
    session.on('turn_end', () => {
      running.usedAt = Date.now();
    });
    session.on('state', ({ model, permissionMode, name }) => {
      const changed = Object.entries({ model, permissionMode, name }).filter(([, value]) => value);
      const card = { ...claim.card, ...Object.fromEntries(changed) };
      void this.#attempt(archive.updateCard(claim.id, card));
    });
    claim.lost.addEventListener('abort', () => void this.#attempt(this.#lost(running)), {
      once: true,
    });
  }

  /** Nothing may happen in its name any more; what it would write is refused. */
  async #lost(running: Running): Promise<void> {
    running.isLetGo = true;
    if (this.#running.get(running.claim.id) === running) this.#running.delete(running.claim.id);
    await running.engine.live.shutdown();
  }

  async #letGo(running: Running, reason: string): Promise<void> {
    const { claim, engine } = running;
    if (running.isLetGo) return;
    running.isLetGo = true;
    this.#running.delete(claim.id);
    try {
      await engine.live.shutdown({ reason });
    } finally {
      await claim.release();
    }
    const isWanted = !this.#isStopped && (await this.#parts.archive.waiting(claim.id)).length > 0;
    if (isWanted) void this.adopt(claim.id);
  }

  #sweep(): void {
    const silentSince = Date.now() - this.#parts.idleMs;
    for (const running of this.#running.values()) {
      const isIdle = !running.engine.live.isExecuting() && running.usedAt < silentSince;
      if (isIdle) void this.#attempt(this.#letGo(running, 'idle'));
    }
  }

  #inboxChanged(id: string): void {
    const running = this.#running.get(id);
    if (!running) return;
    running.isDirty = true;
    running.feeding ??= this.#attempt(this.#feed(running)).finally(() => {
      running.feeding = undefined;
    });
  }

  async #feed(running: Running): Promise<void> {
    const { claim, engine, given } = running;
    while (running.isDirty && !running.isLetGo) {
      running.isDirty = false;
      for (const { questionId, answer, by } of await claim.answers()) {
        await engine.live.answer(questionId, answer as LiveAnswer, { user: by });
      }
      for (const item of await this.#parts.archive.waiting(claim.id)) {
        if (given.has(item.messageId) || running.isLetGo) continue;
        given.add(item.messageId);
        running.usedAt = Date.now();
        void this.#attempt(this.#give(running, item));
      }
    }
  }

  async #give(running: Running, item: InboxItem): Promise<void> {
    const { claim, given } = running;
    const end =
      item.kind === 'prompt' ? await this.#ask(running, item) : await this.#do(running, item);
    given.delete(item.messageId);
    // What a session that is being let go has not done waits for whoever runs it next.
    if (!end || running.isLetGo) return;
    // Whoever takes prompts back finds none of them waiting afterwards.
    if (item.kind !== 'prompt') await Promise.allSettled(running.settling);
    // The receipt stays in the database after the session has forgotten the secret.
    const settled = claim.settle(item.messageId, { ...end, response: redactText(end.response) });
    running.settling.add(settled);
    await settled.finally(() => running.settling.delete(settled));
  }

  async #ask(running: Running, { messageId, body }: InboxItem): Promise<InboxEnd> {
    const { input, displayInput, rawInput, user, parts } = body as unknown as QueuedPrompt;
    const options = { messageId, user, parts };
    const { live } = running.engine;
    const outcome = await live.submit(input, displayInput, rawInput, options);
    if (isProgramMissing(outcome)) void this.#attempt(this.#passOn(running));
    return endOf(outcome);
  }

  /** What comes next may be asked of a node that has the program. */
  async #passOn(running: Running): Promise<void> {
    this.#leave(running.claim.id);
    await this.#letGo(running, 'other');
  }

  async #do(running: Running, { messageId, kind, body }: InboxItem): Promise<InboxEnd | undefined> {
    const { claim, engine } = running;
    const { live } = engine;
    try {
      if (kind === 'abort') await live.abort();
      else if (kind === 'cancel_queue') await live.cancelQueue(textOf(body.messageId));
      else if (!(await claim.take(messageId))) return undefined;
      let result: unknown = null;
      if (kind === 'change') await live.change(body);
      if (kind === 'compact') await live.compact(textOf(body.instructions));
      if (kind === 'command') {
        result = await live.executeCommand(String(body.name), String(body.args ?? ''));
      }
      await engine.whenWritten();
      return { status: 'completed', response: JSON.stringify(result) };
    } catch (error) {
      const { message, code } = error as Error & { readonly code?: unknown };
      return { status: 'failed', response: JSON.stringify({ message, code }) };
    }
  }

  async #attempt(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!isFenced(error)) this.#parts.onError(error as Error);
    }
  }
}

/** Thrown by an engine whose program or transcript cannot be had on this node. */
export const UNAVAILABLE = 'agent_unavailable';

function isUnavailable(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === UNAVAILABLE;
}

function isProgramMissing(outcome: SubmitOutcome): boolean {
  if (outcome.status !== 'failed') return false;
  return (outcome.error as { readonly code?: unknown }).code === 'program_missing';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function endOf(outcome: SubmitOutcome): InboxEnd {
  if ('result' in outcome) return { status: outcome.status, response: outcome.result.response };
  if (outcome.status === 'failed') return { status: 'failed', response: outcome.error.message };
  return { status: outcome.status, response: 'reason' in outcome ? outcome.reason : '' };
}
