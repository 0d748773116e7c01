import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import { askedPrompts } from './asked-prompts.ts';
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
    this.#prompts.push({ id: messageId, text, user, parts, status: 'waiting', at: Date.now() });
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
   * The process that was asking has ended: what it had asked was cut off and is not asked again. It may have ended
   * before it wrote down here that it asked; then the session's log says so.
   */
  async cutOff(logFile: string | undefined): Promise<void> {
    const asked = await this.#askedIn(logFile);
    const begun = this.#prompts.filter(({ id, status }) => status === 'running' || asked.has(id));
    const ended = { status: 'interrupted', response: '' } as const;
    for (const { id } of begun) await this.#set(id, 'done', ended);
  }

  async #askedIn(logFile: string | undefined): Promise<ReadonlySet<string>> {
    const waiting = this.waiting();
    if (logFile === undefined || waiting.length === 0) return new Set();
    const ids = new Set(waiting.map(({ id }) => id));
    const since = Math.min(...waiting.map(({ at = 0 }) => at));
    return askedPrompts(logFile, { ids, since });
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
