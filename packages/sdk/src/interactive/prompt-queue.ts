import type { MessagePart } from '@robota-sdk/agent-core';
import type { Attachment } from './attachments.ts';
import type { SubmitOutcome } from './execution-result.ts';
import { assertPrompt } from './options.ts';

/** A prompt on its way to the model. */
export interface QueuedPrompt {
  readonly input: string;
  /** What surfaces show in its place. */
  readonly displayInput: string;
  /** What hooks match on; absent means the input. */
  readonly rawInput?: string | undefined;
  /** Images and files that go with it; read when its turn comes. */
  readonly attachments?: readonly Attachment[] | undefined;
  /** Images that go with it. */
  readonly parts?: readonly MessagePart[] | undefined;
  /** Who sent it, where several people can. */
  readonly user?: string | undefined;
  /** The sender's own id for it. */
  readonly messageId?: string | undefined;
  /** It is a command for the shell, not for the model. */
  readonly isShellLine?: boolean | undefined;
}

export interface PromptQueueOptions {
  /** Prompts that may wait. With one, the last one wins; with more, a full queue refuses. */
  readonly depth?: number | undefined;
  /** Answers one prompt; a rejection counts as a failed turn. `isAborted` tells whether it was called off before it began. */
  readonly run: (prompt: QueuedPrompt, isAborted: () => boolean) => Promise<SubmitOutcome>;
  /** Stops what is running. */
  readonly interrupt: () => void;
  /** Stops what runs beside the turns. */
  readonly onAbort: () => void;
  /** Told what waits, whenever that has changed. */
  readonly onChange?: ((waiting: readonly QueuedPrompt[]) => void) | undefined;
}

interface WaitingPrompt {
  readonly prompt: QueuedPrompt;
  readonly settle: (outcome: SubmitOutcome) => void;
}

/** Answers prompts one after the other, in the order they were let in. */
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

  /** Settles when this very prompt has been answered, or will not be. */
  submit(prompt: QueuedPrompt): Promise<SubmitOutcome> {
    if (!this.#current) return this.#execute(prompt);
    return new Promise((settle) => this.#put({ prompt, settle }));
  }

  isExecuting(): boolean {
    return this.#current !== undefined;
  }

  /** What waits, the next one first. */
  list(): readonly QueuedPrompt[] {
    return this.#waiting.map(({ prompt }) => prompt);
  }

  /** Takes everything back that waits, or the one prompt with this message id. */
  cancel(messageId?: string): void {
    const isMeant = ({ prompt }: WaitingPrompt) =>
      messageId === undefined || prompt.messageId === messageId;
    const given = this.#waiting.filter(isMeant);
    if (given.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !isMeant(waiting));
    for (const waiting of given) waiting.settle({ status: 'superseded' });
    this.#changed();
  }

  abort(): void {
    this.cancel();
    this.#options.onAbort();
    if (!this.#current) return;
    this.#isAborted = true;
    this.#options.interrupt();
  }

  /** Settles once nothing runs and nothing waits. */
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

/** Why a session does not take a prompt; throws with `session_closed` when it takes none any more. */
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
