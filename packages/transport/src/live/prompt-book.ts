import { createHash, randomUUID } from 'node:crypto';
import type { LiveSession, SessionHost, SubmitOptions, SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { ResultEvent } from '../protocol.ts';
import type { EventJournal } from './event-journal.ts';
import type { EventPosition } from './event-position.ts';
import { resultFrame } from './session-frames.ts';
import { WireError } from './wire-error.ts';

/** A prompt that was accepted. */
export interface AcceptedPrompt extends EventPosition {
  readonly messageId: string;
  /** Journal index before its first event. */
  readonly index: number;
  /** True when this message id was accepted before; the prompt does not run again. */
  readonly isRepeat: boolean;
  /** Undefined while it is running or queued. */
  readonly result: ResultEvent | undefined;
}

interface PromptNote extends EventPosition {
  /** Tells another prompt with the same id apart, without holding its images. */
  readonly digest: string;
  readonly index: number;
  readonly admission: Promise<void>;
  isRepeat: boolean;
  result?: ResultEvent;
}

interface Submission {
  readonly isRepeat: boolean;
  readonly outcome: Promise<SubmitOutcome>;
}

/** Finished prompts kept for clients that send them again. */
const MAX_SETTLED = 1_000;

/** Accepts prompts, each message id once, and records their results in the journal. */
export class PromptBook {
  readonly #session: LiveSession;
  readonly #journal: EventJournal;
  readonly #host: SessionHost | undefined;
  readonly #notes = new Map<string, PromptNote>();

  /** With a host, prompts are persisted before they are accepted. */
  constructor(session: LiveSession, journal: EventJournal, host: SessionHost | undefined) {
    this.#session = session;
    this.#journal = journal;
    this.#host = host;
  }

  /** Resolves when the prompt is running or queued; rejects when it is refused. */
  async submit(content: string, options: SubmitOptions = {}): Promise<AcceptedPrompt> {
    const { messageId = randomUUID() } = options;
    const known = this.#notes.get(messageId);
    if (known && known.digest !== digestOf(content, options)) {
      throw new WireError(
        'message_id_reused',
        `The message id ${messageId} was used for another prompt; choose a fresh one.`,
      );
    }
    const note = known ?? this.#begin(content, { ...options, messageId });
    await note.admission;
    const { seq, part, index, result } = note;
    const isRepeat = known !== undefined || note.isRepeat;
    return { messageId, seq, part, index, isRepeat, result };
  }

  #begin(content: string, options: SubmitOptions & { readonly messageId: string }): PromptNote {
    const { last: index, position } = this.#journal;
    const submission = this.#ask(content, options);
    const { messageId } = options;
    const admission = this.#admit(submission, messageId);
    const digest = digestOf(content, options);
    const note: PromptNote = { digest, index, ...position, admission, isRepeat: false };
    this.#notes.set(messageId, note);
    this.#trim();
    void this.#settle(submission, messageId, note);
    return note;
  }

  async #ask(content: string, options: SubmitOptions): Promise<Submission> {
    if (this.#host) return this.#host.submit(this.#session.sessionId, content, options);
    const outcome = this.#session.submit(content, undefined, undefined, options);
    return { isRepeat: false, outcome };
  }

  /** A refusal settles at once; anything later means the prompt was accepted. */
  async #admit(submission: Promise<Submission>, messageId: string): Promise<void> {
    try {
      const { outcome } = await submission;
      const pause = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
      const early = await Promise.race([outcome, pause]);
      if (early?.status === 'refused') {
        const code = this.#session.isExecuting() ? 'session_busy' : 'session_read_only';
        throw new WireError(code, early.reason);
      }
    } catch (error) {
      this.#notes.delete(messageId);
      throw error;
    }
  }

  async #settle(
    submission: Promise<Submission>,
    messageId: string,
    note: PromptNote,
  ): Promise<void> {
    try {
      const { outcome, isRepeat } = await submission;
      note.isRepeat = isRepeat;
      const settled = await outcome;
      if (settled.status === 'refused') return;
      const frame = resultFrame(messageId, settled);
      const { seq, part } = this.#journal.append(frame);
      note.result = { ...frame, session_id: this.#session.sessionId, seq, part };
    } catch {
      // A closed session rejects; the client gets that through `admission`.
    }
  }

  #trim(): void {
    if (this.#notes.size <= MAX_SETTLED) return;
    for (const [messageId, note] of this.#notes) {
      if (this.#notes.size <= MAX_SETTLED) return;
      if (note.result) this.#notes.delete(messageId);
    }
  }
}

function digestOf(content: string, { parts = [] }: SubmitOptions): string {
  return createHash('sha256')
    .update(JSON.stringify([content, parts]))
    .digest('base64url');
}
