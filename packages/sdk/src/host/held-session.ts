import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { AcceptedSubmit } from '../live/accepting-session.ts';
import type { LiveSession } from '../live/live-session.ts';
import { defined } from './engine-sessions.ts';
import { isPrompt, type PendingPrompt, type PromptLedger } from './prompt-ledger.ts';
import { repeated } from './repeated-prompt.ts';
import type { StoredSessions } from './stored-sessions.ts';

/** Dependencies of a held session. */
export interface HeldSessionParts {
  readonly session: LiveSession;
  readonly ledger: PromptLedger;
  readonly stored: StoredSessions;
  /** Reports the failure of work that nobody waits for. */
  readonly attempt: (work: Promise<void>) => Promise<void>;
}

const MAX_OUTCOMES = 8;

/** A live session of a host with its stored prompts, each of which runs exactly once. */
export class HeldSession {
  readonly session: LiveSession;
  readonly #ledger: PromptLedger;
  /** Outcomes of this process's latest prompts, by message id. */
  readonly #outcomes = new Map<string, Promise<SubmitOutcome>>();
  readonly #stored: StoredSessions;
  readonly #attempt: HeldSessionParts['attempt'];
  #usedAt = Date.now();
  #isReleased = false;

  constructor({ session, ledger, stored, attempt }: HeldSessionParts) {
    this.session = session;
    this.#ledger = ledger;
    this.#stored = stored;
    this.#attempt = attempt;
    this.#listen();
  }

  /** When it was opened or last finished a turn, in milliseconds since 1970. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** Called when the session is closed: prompts that it has not started stay pending until it is reopened. */
  release(): void {
    this.#isReleased = true;
  }

  /** Once it resolves, the prompt is stored. A repeated one has the outcome of the first. */
  async submit(messageId: string, text: string, options: SubmitOptions): Promise<AcceptedSubmit> {
    const known = this.#ledger.find(messageId);
    if (known) {
      const words = { text, parts: options.parts };
      const place = { session: this.session, ledger: this.#ledger, outcomes: this.#outcomes };
      return { isRepeat: true, outcome: repeated(known, words, place) };
    }
    await this.#ledger.accept(messageId, text, options);
    return { isRepeat: false, outcome: this.#run(text, { ...options, messageId }) };
  }

  /** Runs the prompts that were pending when the process before this one ended. */
  resubmitPending(): void {
    for (const prompt of this.#ledger.pending()) this.#resubmit(prompt);
  }

  #resubmit({ id: messageId, text, user, parts }: PendingPrompt): void {
    void this.#run(text, { messageId, user, parts });
  }

  #run(
    text: string,
    options: SubmitOptions & { readonly messageId: string },
  ): Promise<SubmitOutcome> {
    const outcome = this.session.submit(text, undefined, undefined, options);
    this.#outcomes.set(options.messageId, outcome);
    void this.#settle(options.messageId, outcome);
    return outcome;
  }

  async #settle(messageId: string, outcome: Promise<SubmitOutcome>): Promise<void> {
    const ended = await outcome.catch(() => undefined);
    if (!ended || this.#isReleased) return;
    if (ended.status === 'refused') await this.#attempt(this.#ledger.withdraw(messageId));
    else await this.#attempt(this.#ledger.settled(messageId, ended));
    // Each outcome holds a full history, so older ones are answered from the ledger.
    for (const id of this.#outcomes.keys()) {
      if (this.#outcomes.size <= MAX_OUTCOMES) break;
      if ((this.#ledger.find(id)?.status ?? 'done') === 'done') this.#outcomes.delete(id);
    }
  }

  #listen(): void {
    const { session } = this;
    const id = session.sessionId;
    // With a listener a question stays open until a surface answers, instead of being denied.
    session.on('question', () => undefined);
    let starting: string | undefined;
    session.on('turn_start', ({ messageId }) => {
      void this.#stored.touch(id);
      starting = messageId;
    });
    // A prompt counts as started once it is in the conversation; until then a restart runs it again.
    session.on('stream_event', (event) => {
      if (starting === undefined || !isPrompt(event)) return;
      void this.#attempt(this.#ledger.started(starting));
      starting = undefined;
    });
    session.on('turn_end', () => {
      this.#usedAt = Date.now();
      void this.#stored.touch(id);
      const { nativeId } = session;
      if (nativeId !== undefined) void this.#attempt(this.#stored.updateCard(id, { nativeId }));
    });
    session.on('state', ({ model, permissionMode, name }) => {
      const changes = defined({ model, permissionMode, name });
      void this.#attempt(this.#stored.updateCard(id, changes));
    });
  }
}
