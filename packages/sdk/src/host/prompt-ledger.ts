import { redactText } from '@robota-sdk/agent-session';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import { askedPrompts } from './asked-prompts.ts';
import type { PromptSeal, PromptWords } from './prompt-seal.ts';
import type { CardPrompt } from './session-card.ts';

/** Finished prompts that are remembered, so that a repeated message id does not run again. */
const MAX_DONE = 100;
const MAX_RESPONSE = 16 * 1024;

export interface PromptLedgerParts {
  readonly seal: PromptSeal;
  readonly write: (prompts: readonly CardPrompt[]) => Promise<void>;
}

/** A prompt to run after a restart. */
export type PendingPrompt = PromptWords & Pick<CardPrompt, 'id' | 'user'>;

/** Acknowledged prompts of one session: stored before they are sent to it, without their secrets. */
export class PromptLedger {
  readonly #seal: PromptSeal;
  readonly #write: (prompts: readonly CardPrompt[]) => Promise<void>;
  #prompts: CardPrompt[];

  constructor(prompts: readonly CardPrompt[], { seal, write }: PromptLedgerParts) {
    this.#prompts = [...prompts];
    this.#seal = seal;
    this.#write = write;
  }

  find(messageId: string): CardPrompt | undefined {
    return this.#prompts.find(({ id }) => id === messageId);
  }

  /** Whether a known prompt says the same as one that is sent with its id. */
  says({ digest, text }: CardPrompt, words: PromptWords): boolean {
    return digest === undefined ? text === words.text : digest === this.#seal.digest(words);
  }

  /** Acknowledged prompts that have not started, oldest first. */
  pending(): readonly PendingPrompt[] {
    return this.#waiting().flatMap(({ id, user, sealed, text = '', parts }) => {
      const words = sealed === undefined ? { text, parts } : this.#seal.open(sealed);
      return words ? [{ id, user, ...words }] : [];
    });
  }

  #waiting(): readonly CardPrompt[] {
    return this.#prompts.filter(({ status }) => status === 'waiting');
  }

  /** Once it resolves, the prompt will run even if this process ends. */
  async accept(messageId: string, text: string, options: SubmitOptions): Promise<void> {
    const { user, parts } = options;
    const words = { text, parts };
    const [digest, sealed] = [this.#seal.digest(words), this.#seal.seal(words)];
    this.#prompts.push({ id: messageId, digest, sealed, user, status: 'waiting', at: Date.now() });
    await this.#write(this.#prompts);
  }

  async withdraw(messageId: string): Promise<void> {
    this.#prompts = this.#prompts.filter(({ id }) => id !== messageId);
    await this.#write(this.#prompts);
  }

  async started(messageId: string): Promise<void> {
    await this.#set(messageId, 'running');
  }

  async settled(messageId: string, outcome: SubmitOutcome): Promise<void> {
    await this.#set(messageId, 'done', { status: outcome.status, response: responseOf(outcome) });
  }

  /**
   * Marks prompts that a previous process started as interrupted, so that they do not run again. That process may have
   * ended before it recorded the start here; then the session's log shows it. A prompt whose key is gone cannot run.
   */
  async interruptStarted(logFile: string | undefined): Promise<void> {
    const asked = await this.#askedIn(logFile);
    const isLost = ({ sealed }: CardPrompt) =>
      sealed !== undefined && this.#seal.open(sealed) === undefined;
    const started = this.#prompts.filter(
      (prompt) => prompt.status === 'running' || asked.has(prompt.id) || isLost(prompt),
    );
    const ended = { status: 'interrupted', response: '' } as const;
    for (const { id } of started) await this.#set(id, 'done', ended);
  }

  async #askedIn(logFile: string | undefined): Promise<ReadonlySet<string>> {
    const pending = this.#waiting();
    if (logFile === undefined || pending.length === 0) return new Set();
    const ids = new Set(pending.map(({ id }) => id));
    const since = Math.min(...pending.map(({ at = 0 }) => at));
    return askedPrompts(logFile, { ids, since });
  }

  async #set(
    messageId: string,
    status: CardPrompt['status'],
    ended?: CardPrompt['ended'],
  ): Promise<void> {
    if (this.find(messageId) === undefined) return;
    const changed = this.#prompts.map((prompt) => {
      if (prompt.id !== messageId) return prompt;
      // It is in the conversation now and never sent from here again.
      const { sealed: _sealed, text: _text, parts: _parts, ...kept } = prompt;
      const digest = prompt.digest ?? this.#seal.digest({ text: prompt.text ?? '' });
      return { ...kept, digest, status, ended };
    });
    const done = changed.filter((prompt) => prompt.status === 'done');
    const forgotten = new Set(done.slice(0, Math.max(0, done.length - MAX_DONE)));
    this.#prompts = changed.filter((prompt) => !forgotten.has(prompt));
    await this.#write(this.#prompts);
  }
}

function responseOf(outcome: SubmitOutcome): string {
  if ('result' in outcome) return redactText(outcome.result.response).slice(0, MAX_RESPONSE);
  return outcome.status === 'failed' ? redactText(outcome.error.message) : '';
}

/** Whether the event shows that a prompt is part of the conversation. */
export function isPrompt(event: StreamEvent): boolean {
  const isComplete = event.type === 'block_complete' && event.conversationId === 'main';
  return isComplete && event.block.type === 'user_message';
}
