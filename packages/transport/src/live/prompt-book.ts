import { randomUUID } from 'node:crypto';
import type { InteractiveSession, SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { ResultEvent } from '../protocol.ts';
import type { EventJournal } from './event-journal.ts';
import { resultFrame } from './session-frames.ts';
import { WireError } from './wire-error.ts';

/** A prompt that was let in. */
export interface AcceptedPrompt {
  readonly messageId: string;
  /** The number before its first event. */
  readonly seq: number;
  /** True when this message id was let in before; nothing was asked again. */
  readonly isRepeat: boolean;
  /** How it ended; undefined while it runs or waits. */
  readonly result: ResultEvent | undefined;
}

interface PromptNote {
  readonly content: string;
  readonly seq: number;
  readonly admission: Promise<void>;
  result?: ResultEvent;
}

/** Settled prompts remembered for clients that ask again. */
const MAX_SETTLED = 1_000;

/** Lets prompts in, each message id once, and writes into the journal how each one ended. */
export class PromptBook {
  readonly #session: InteractiveSession;
  readonly #journal: EventJournal;
  readonly #notes = new Map<string, PromptNote>();

  constructor(session: InteractiveSession, journal: EventJournal) {
    this.#session = session;
    this.#journal = journal;
  }

  /** Resolves when the prompt runs or waits; rejects when it is not let in. */
  async submit(content: string, messageId: string = randomUUID()): Promise<AcceptedPrompt> {
    const known = this.#notes.get(messageId);
    if (known && known.content !== content) {
      throw new WireError(
        'message_id_reused',
        `The message id ${messageId} was used for another prompt; choose a fresh one.`,
      );
    }
    const note = known ?? this.#begin(content, messageId);
    await note.admission;
    const { seq, result } = note;
    return { messageId, seq, isRepeat: known !== undefined, result };
  }

  #begin(content: string, messageId: string): PromptNote {
    const seq = this.#journal.last;
    const outcome = this.#session.submit(content);
    const note: PromptNote = { content, seq, admission: this.#admit(outcome, messageId) };
    this.#notes.set(messageId, note);
    this.#trim();
    void this.#settle(outcome, messageId, note);
    return note;
  }

  /** A refusal is known at once; whatever else happens, the prompt was let in. */
  async #admit(outcome: Promise<SubmitOutcome>, messageId: string): Promise<void> {
    const pause = new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined)));
    try {
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
    outcome: Promise<SubmitOutcome>,
    messageId: string,
    note: PromptNote,
  ): Promise<void> {
    try {
      const settled = await outcome;
      if (settled.status === 'refused') return;
      const frame = resultFrame(messageId, settled);
      const sessionId = this.#session.sessionId;
      note.result = { ...frame, session_id: sessionId, seq: this.#journal.last + 1 };
      this.#journal.append(frame);
    } catch {
      // A session that has ended rejects; `admission` has told the client.
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
