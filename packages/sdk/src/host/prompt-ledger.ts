import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { CardPrompt } from './session-card.ts';

/** Answered prompts that are remembered, so that an id asked again is not answered again. */
const MAX_DONE = 100;
const MAX_RESPONSE = 16 * 1024;

/** The prompts of one session that were acknowledged: written down first, then asked. */
export class PromptLedger {
  readonly #write: (prompts: readonly CardPrompt[]) => Promise<void>;
  #prompts: CardPrompt[];

  constructor(
    prompts: readonly CardPrompt[],
    write: (prompts: readonly CardPrompt[]) => Promise<void>,
  ) {
    this.#prompts = [...prompts];
    this.#write = write;
  }

  find(messageId: string): CardPrompt | undefined {
    return this.#prompts.find(({ id }) => id === messageId);
  }

  /** What was acknowledged and never asked, the first one first. */
  waiting(): readonly CardPrompt[] {
    return this.#prompts.filter(({ status }) => status === 'waiting');
  }

  /** When it resolves, the prompt will be asked, whatever happens to this process. */
  async accept(messageId: string, text: string, options: SubmitOptions): Promise<void> {
    const { user, parts } = options;
    this.#prompts.push({ id: messageId, text, user, parts, status: 'waiting' });
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

  /** The process that was asking has ended: what it was asked last was cut off and is not asked again. */
  async cutOff(): Promise<void> {
    const running = this.#prompts.filter(({ status }) => status === 'running');
    const ended = { status: 'interrupted', response: '' } as const;
    for (const { id } of running) await this.#set(id, 'done', ended);
  }

  async #set(
    messageId: string,
    status: CardPrompt['status'],
    ended?: CardPrompt['ended'],
  ): Promise<void> {
    if (this.find(messageId) === undefined) return;
    const changed = this.#prompts.map((prompt) =>
      prompt.id === messageId ? { ...prompt, status, ended } : prompt,
    );
    const done = changed.filter((prompt) => prompt.status === 'done');
    const forgotten = new Set(done.slice(0, Math.max(0, done.length - MAX_DONE)));
    this.#prompts = changed.filter((prompt) => !forgotten.has(prompt));
    await this.#write(this.#prompts);
  }
}

function responseOf(outcome: SubmitOutcome): string {
  if ('result' in outcome) return outcome.result.response.slice(0, MAX_RESPONSE);
  return outcome.status === 'failed' ? outcome.error.message : '';
}
