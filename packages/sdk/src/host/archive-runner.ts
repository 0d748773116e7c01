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

/** A claimed session, running on this node. */
export interface ClaimedEngine {
  readonly live: LiveSession;
  /** Resolves when everything that happened so far is in the archive. */
  whenWritten(): Promise<void>;
}

/** Everything a node needs to run sessions of an archive. */
export interface ArchiveRunnerParts {
  readonly archive: SharedArchive;
  readonly node: ArchiveNode;
  /** Creates the session for a claim. */
  readonly engine: (claim: SessionClaim) => Promise<ClaimedEngine>;
  /** A session idle for this long is released. */
  readonly idleMs: number;
  /** How long a session that failed to open here is left to other nodes; 30,000 ms by default. */
  readonly leaveMs?: number | undefined;
  readonly onError: (error: Error) => void;
}

interface Running {
  readonly claim: SessionClaim;
  readonly engine: ClaimedEngine;
  /** Inbox items being handled. */
  readonly inProgress: Set<string>;
  /** Receipts being written. */
  readonly settling: Set<Promise<void>>;
  usedAt: number;
  isReleased: boolean;
  /** The inbox changed while it was being read. */
  isDirty: boolean;
  processing: Promise<void> | undefined;
}

const RETRY_AFTER_MS = 30_000;

/** Runs sessions of an archive on this node: claims each, recovers it, then processes its inbox. */
export class ArchiveRunner {
  readonly #parts: ArchiveRunnerParts;
  readonly #running = new Map<string, Running>();
  readonly #opening = new Map<string, Promise<boolean>>();
  /** When a session that failed to open here may be tried again, in milliseconds since 1970. */
  readonly #retryAt = new Map<string, number>();
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

  /** Runs the session here unless another live node does; never rejects. */
  adopt(id: string, options: { readonly force?: boolean | undefined } = {}): Promise<boolean> {
    const known = this.#opening.get(id);
    if (known) return known;
    if (this.#isStopped) return Promise.resolve(false);
    if (this.#running.has(id)) {
      this.#inboxChanged(id);
      return Promise.resolve(true);
    }
    const isBackingOff = (this.#retryAt.get(id) ?? 0) > Date.now();
    if (isBackingOff && !options.force) return Promise.resolve(false);
    const opening = this.#adopt(id, options)
      .catch((error: unknown) => {
        if (!isFenced(error)) this.#parts.onError(error as Error);
        return false;
      })
      .finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  /** Releases every session: running turns are interrupted, pending prompts are left to other nodes. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#sweeping);
    await Promise.allSettled(this.#opening.values());
    await Promise.allSettled([...this.#running.values()].map((one) => this.#release(one, 'other')));
    await this.#parts.node.stop();
  }

  /** Releases one session, so that any node may run it next. */
  async release(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running) await this.#release(running, 'other');
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
        inProgress: new Set(),
        settling: new Set(),
        usedAt: Date.now(),
        isReleased: false,
        isDirty: false,
        processing: undefined,
      };
      this.#listen(running);
      await made.live.whenReady();
      // Whatever the previous node left open is settled before new work starts.
      await made.whenWritten();
      if (claim.lost.aborted) return false;
      this.#running.set(id, running);
      this.#retryAt.delete(id);
      this.#inboxChanged(id);
      return true;
    } catch (error) {
      const hasFailedBefore = this.#retryAt.has(id);
      this.#backOff(id);
      await made?.live.shutdown().catch(() => undefined);
      if (hasFailedBefore && isUnavailable(error)) await this.#failPending(claim, error as Error);
      await claim.release();
      throw error;
    }
  }

  #backOff(id: string): void {
    this.#retryAt.set(id, Date.now() + (this.#parts.leaveMs ?? RETRY_AFTER_MS));
  }

  /** No other node took the session over, so its pending prompts fail with the reason. */
  async #failPending(claim: SessionClaim, { message }: Error): Promise<void> {
    for (const { messageId } of await this.#parts.archive.waiting(claim.id)) {
      await claim.settle(messageId, { status: 'failed', response: redactText(message) });
    }
  }

  #listen(running: Running): void {
    const { claim } = running;
    const { live: session } = running.engine;
    const { archive } = this.#parts;
    // With a listener a question stays open until a surface on any node answers, instead of being denied.
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

  /** The claim is gone, so the engine stops; the archive rejects anything it still writes. */
  async #lost(running: Running): Promise<void> {
    running.isReleased = true;
    if (this.#running.get(running.claim.id) === running) this.#running.delete(running.claim.id);
    await running.engine.live.shutdown();
  }

  async #release(running: Running, reason: string): Promise<void> {
    const { claim, engine } = running;
    if (running.isReleased) return;
    running.isReleased = true;
    this.#running.delete(claim.id);
    try {
      await engine.live.shutdown({ reason });
    } finally {
      await claim.release();
    }
    const hasWork = !this.#isStopped && (await this.#parts.archive.waiting(claim.id)).length > 0;
    if (hasWork) void this.adopt(claim.id);
  }

  #sweep(): void {
    const idleSince = Date.now() - this.#parts.idleMs;
    for (const running of this.#running.values()) {
      const isIdle = !running.engine.live.isExecuting() && running.usedAt < idleSince;
      if (isIdle) void this.#attempt(this.#release(running, 'idle'));
    }
  }

  #inboxChanged(id: string): void {
    const running = this.#running.get(id);
    if (!running) return;
    running.isDirty = true;
    running.processing ??= this.#attempt(this.#processInbox(running)).finally(() => {
      running.processing = undefined;
    });
  }

  async #processInbox(running: Running): Promise<void> {
    const { claim, engine, inProgress } = running;
    while (running.isDirty && !running.isReleased) {
      running.isDirty = false;
      for (const { questionId, answer, by } of await claim.answers()) {
        await engine.live.answer(questionId, answer as LiveAnswer, { user: by });
      }
      for (const item of await this.#parts.archive.waiting(claim.id)) {
        if (inProgress.has(item.messageId) || running.isReleased) continue;
        inProgress.add(item.messageId);
        running.usedAt = Date.now();
        void this.#attempt(this.#handle(running, item));
      }
    }
  }

  async #handle(running: Running, item: InboxItem): Promise<void> {
    const { claim, inProgress } = running;
    const end =
      item.kind === 'prompt'
        ? await this.#prompt(running, item)
        : await this.#control(running, item);
    inProgress.delete(item.messageId);
    // Work that a released session has not done stays pending for the next node.
    if (!end || running.isReleased) return;
    // Cancelled prompts get their receipts first, so that none of them is still listed as pending.
    if (item.kind !== 'prompt') await Promise.allSettled(running.settling);
    // Receipts stay in the database, so they must not contain secrets.
    const settled = claim.settle(item.messageId, { ...end, response: redactText(end.response) });
    running.settling.add(settled);
    await settled.finally(() => running.settling.delete(settled));
  }

  async #prompt(running: Running, { messageId, body }: InboxItem): Promise<InboxEnd> {
    const { input, displayInput, rawInput, user, parts } = body as unknown as QueuedPrompt;
    const options = { messageId, user, parts };
    const { live } = running.engine;
    const outcome = await live.submit(input, displayInput, rawInput, options);
    if (isProgramMissing(outcome)) void this.#attempt(this.#handOver(running));
    return endOf(outcome);
  }

  /** Leaves the following prompts to a node that has the program. */
  async #handOver(running: Running): Promise<void> {
    this.#backOff(running.claim.id);
    await this.#release(running, 'other');
  }

  async #control(
    running: Running,
    { messageId, kind, body }: InboxItem,
  ): Promise<InboxEnd | undefined> {
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

/** Code of the error when a session's program or transcript is not available on this node. */
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
