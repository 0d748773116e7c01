import type { MessagePart } from '@robota-sdk/agent-core';
import type { Attachment } from './attachments.ts';
import type { SubmitOutcome } from './execution-result.ts';
import { assertPrompt } from './options.ts';

/** A prompt on its way to the model. */
export interface QueuedPrompt {
  readonly input: string;
  /** What surfaces show instead of the input. */
  readonly displayInput: string;
  /** What hooks match on; absent means the input. */
  readonly rawInput?: string | undefined;
  /** Images and files sent with it; read when the prompt is run. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** Images sent with it. */
  readonly parts?: readonly MessagePart[] | undefined;
  /** The sender, where several users share a session. */
  readonly user?: string | undefined;
  /** The sender's own id for it. */
  readonly messageId?: string | undefined;
  /** True when the input is a shell command instead of a prompt. */
  readonly isShellLine?: boolean | undefined;
}

export interface PromptQueueOptions {
  /** Maximum queued prompts. With 1 a new prompt replaces the queued one; with more, a full queue refuses. */
  readonly depth?: number | undefined;
  /** Answers one prompt; a rejection counts as a failed turn. `isAborted` reports an abort since the call. */
  readonly run: (prompt: QueuedPrompt, isAborted: () => boolean) => Promise<SubmitOutcome>;
  /** Stops the running prompt. */
  readonly interrupt: () => void;
  /** Stops work outside of turns. */
  readonly onAbort: () => void;
  /** Called with the queued prompts whenever they change. */
  readonly onChange?: ((waiting: readonly QueuedPrompt[]) => void) | undefined;
}

interface WaitingPrompt {
  readonly prompt: QueuedPrompt;
  readonly settle: (outcome: SubmitOutcome) => void;
}

/** Answers prompts one at a time, in the order they were accepted. */
export class PromptQueue {
  readonly #options: PromptQueueOptions;
  readonly #depth: number;
  #waiting: WaitingPrompt[] = [];
  #current: Promise<SubmitOutcome> | undefined;
  #isAborted = false;

  constructor(options: PromptQueueOptions) {
    const { depth = 1 } = options;
    if (!Number.isInteger(depth) || depth < 1) {
      throw new Error(`A prompt queue needs a depth of at least 1, not ${depth}`);
    }
    this.#options = options;
    this.#depth = depth;
  }

  /** Settles when this prompt has been answered, replaced or refused. */
  submit(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    if (!this.#current) return this.#execute(prompt);
    return new Promise((settle) => this.#put({ prompt, settle }));
  }

  isExecuting(): boolean {
    return this.#current !== undefined;
  }

  /** Queued prompts, the next one first. */
  list(): readonly QueuedPrompt[] {
    return this.#waiting.map(({ prompt }) => prompt);
  }

  /** Removes all queued prompts, or the one with this message id. */
  cancel(messageId?: string): void {
    const matches = ({ prompt }: WaitingPrompt) =>
      messageId === undefined || prompt.messageId === messageId;
    const cancelled = this.#waiting.filter(matches);
    if (cancelled.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !matches(waiting));
    for (const waiting of cancelled) waiting.settle({ status: 'superseded' });
    this.#changed();
  }

  abort(): void {
    this.cancel();
    this.#options.onAbort();
    if (!this.#current) return;
    this.#isAborted = true;
    this.#options.interrupt();
  }

  /** Settles once nothing runs and the queue is empty. */
  async idle(): Promise<void> {
    while (this.#current) await this.#current;
  }

  #put(waiting: WaitingPrompt): void {
    if (this.#waiting.length < this.#depth) {
      this.#waiting.push(waiting);
      this.#changed();
      return;
    }
    if (this.#depth > 1) {
      waiting.settle({ status: 'refused', reason: 'The prompt queue is full.' });
      return;
    }
    this.cancel();
    this.#waiting.push(waiting);
    this.#changed();
  }

  #changed(): void {
    this.#options.onChange?.(this.list());
  }

  #execute(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    this.#isAborted = false;
    const running = this.#options
      .run(prompt, () => this.#isAborted)
      .catch((error: Error): SubmitOutcome => ({ status: 'failed', error, endedBy: 'error' }))
      .then((outcome) => {
        this.#current = undefined;
        const next = this.#waiting.shift();
        if (next) {
          void this.#execute(next.prompt).then(next.settle);
          this.#changed();
        }
        return outcome;
      });
    this.#current = running;
    return running;
  }
}

interface PromptReceiver {
  readonly sessionId: string;
  readonly isEnding: boolean;
  readonly readOnly: boolean | undefined;
}

/** Why a session refuses a prompt; throws `session_closed` when the session is shutting down. */
export function refusalOf(
  prompt: QueuedPrompt,
  { sessionId, isEnding, readOnly = false }: PromptReceiver,
): string | undefined {
  if (isEnding) {
    const error = new Error('Interactive session is shutting down.');
    throw Object.assign(error, { code: 'session_closed' });
  }
  if (readOnly) return `Session ${sessionId} is open read-only; fork it to continue.`;
  assertPrompt('A submit', prompt.input);
  const { input, parts = [], attachments = [] } = prompt;
  const isEmpty = input.trim() === '' && parts.length === 0 && attachments.length === 0;
  return isEmpty ? 'The prompt is empty.' : undefined;
}
