import {
  type HookDefinition,
  type HookEvent,
  type HookFailure,
  type HookInput,
  type HookOutcome,
  type HooksConfig,
  type HookTypeExecutor,
  runHooks,
} from '@robota-sdk/agent-core';

/** A message for the user that is not part of the conversation. */
export interface Notice {
  readonly level: 'info' | 'warning';
  readonly message: string;
  /** Topic, such as `not_saved`, `hook` or `retry`; absent if unspecified. */
  readonly kind?: string | undefined;
}

/** Called with notices for the user. */
export type NoticeCallback = (notice: Notice) => void;

export interface LifecycleHooksOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly hooks?: HooksConfig | undefined;
  readonly executors?: readonly HookTypeExecutor[] | undefined;
  readonly getPermissionMode: () => string;
  readonly getTranscriptPath: () => string | undefined;
  readonly onNotice?: NoticeCallback | undefined;
  readonly log: (event: string, data: Record<string, string | boolean | object>) => void;
}

type HookFacts = Omit<Partial<HookInput>, 'session_id' | 'cwd' | 'hook_event_name'>;

/** Fires the hooks of one session and reports their messages for the user. */
export class LifecycleHooks {
  readonly #options: LifecycleHooksOptions;
  /** Once-per-session hooks that have already run. */
  readonly #spent = new Set<HookDefinition>();

  constructor(options: LifecycleHooksOptions) {
    this.#options = options;
  }

  has(event: HookEvent): boolean {
    return (this.#options.hooks?.[event]?.length ?? 0) > 0;
  }

  /** Never rejects; without hooks for the event it returns at once. */
  async fire(event: HookEvent, facts: HookFacts, signal?: AbortSignal): Promise<HookOutcome> {
    if (!this.has(event)) return NO_OUTCOME;
    const { sessionId, cwd, hooks, executors = [] } = this.#options;
    const transcriptPath = this.#options.getTranscriptPath();
    const input: HookInput = {
      session_id: sessionId,
      cwd,
      hook_event_name: event,
      permission_mode: this.#options.getPermissionMode(),
      ...(transcriptPath !== undefined && { transcript_path: transcriptPath }),
      ...facts,
    };
    const outcome = await runHooks(hooks, event, input, {
      executors,
      ...(signal && { signal }),
      spent: this.#spent,
      onBackgroundFailure: (failure) => this.#warn(event, failure),
    });
    this.#report(event, outcome);
    return outcome;
  }

  #report(event: HookEvent, outcome: HookOutcome): void {
    const { onNotice, log } = this.#options;
    if (outcome.systemMessage) onNotice?.({ level: 'info', message: outcome.systemMessage });
    for (const failure of outcome.failures) this.#warn(event, failure);
    if (outcome.blocked || outcome.failures.length > 0) {
      log('hook', {
        hookEvent: event,
        blocked: outcome.blocked,
        reason: outcome.reason ?? '',
        failures: outcome.failures,
      });
    }
  }

  #warn(event: HookEvent, { hook, reason }: HookFailure): void {
    const message = `${event} hook ${hook} failed: ${reason}`;
    this.#options.onNotice?.({ level: 'warning', message });
  }
}

/** For components used without a session. */
export function noHooks(): LifecycleHooks {
  return new LifecycleHooks({
    sessionId: '',
    cwd: process.cwd(),
    getPermissionMode: () => 'default',
    getTranscriptPath: () => undefined,
    log: () => undefined,
  });
}

const NO_OUTCOME: HookOutcome = { blocked: false, failures: [] };

/** Joined hook output for the model. */
export function contextFrom(outcome: HookOutcome): string {
  return [outcome.stdout, outcome.additionalContext].filter(Boolean).join('\n');
}
