import { contextFrom, type LifecycleHooks } from './lifecycle-hooks.ts';
import type { SessionOptions } from './session-options.ts';

/** Fires the hooks for start and end of a session; a subagent's session has its own two events. */
export class SessionBounds {
  readonly #hooks: LifecycleHooks;
  readonly #options: Pick<SessionOptions, 'subagent' | 'source'>;
  /** Aborts start hooks that still run when the session ends. */
  readonly #starting = new AbortController();
  #startContext: Promise<string> | undefined;

  constructor(hooks: LifecycleHooks, options: Pick<SessionOptions, 'subagent' | 'source'>) {
    this.#hooks = hooks;
    this.#options = options;
  }

  begin(): void {
    this.#startContext = this.#fireStart();
  }

  /** Output of the start hooks. It is returned once, for the first prompt, which waits for it until aborted. */
  async takeStartContext(signal: AbortSignal): Promise<string> {
    const stop = () => this.#starting.abort();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const context = await this.#startContext;
    signal.removeEventListener('abort', stop);
    this.#startContext = undefined;
    return context ?? '';
  }

  async end(reason: string, lastAnswer: string | undefined): Promise<void> {
    const { subagent } = this.#options;
    this.#starting.abort();
    await this.#startContext;
    if (subagent === undefined) {
      await this.#hooks.fire('SessionEnd', { reason });
      return;
    }
    await this.#hooks.fire('SubagentStop', {
      ...agentFacts(subagent),
      reason,
      stop_hook_active: false,
      ...(lastAnswer && { last_assistant_message: lastAnswer }),
    });
  }

  async #fireStart(): Promise<string> {
    const { subagent, source = 'startup' } = this.#options;
    const { signal } = this.#starting;
    const outcome = subagent
      ? await this.#hooks.fire('SubagentStart', agentFacts(subagent), signal)
      : await this.#hooks.fire('SessionStart', { source }, signal);
    return contextFrom(outcome);
  }
}

function agentFacts(subagent: NonNullable<SessionOptions['subagent']>) {
  const { agentId, agentType, transcriptPath } = subagent;
  return {
    agent_id: agentId,
    agent_type: agentType,
    ...(transcriptPath !== undefined && { agent_transcript_path: transcriptPath }),
  };
}
