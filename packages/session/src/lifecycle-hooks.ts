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

/** Something a person should know that is no part of the conversation. */
export interface SessionNotice {
  readonly level: 'info' | 'warning';
  readonly message: string;
  /** What it is about: `not_saved`, `hook`, `retry` …; absent where nothing more is known. */
  readonly kind?: string | undefined;
}

/** Hears what a person should know. */
export type NoticeCallback = (notice: SessionNotice) => void;

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

/** Fires the hooks of one session and passes on to people what hooks say to people. */
export class LifecycleHooks {
  readonly #options: LifecycleHooksOptions;
  /** Hooks that run once a session and have. */
  readonly #spent = new Set<HookDefinition>();

  constructor(options: LifecycleHooksOptions) {
    this.#options = options;
  }

  has(event: HookEvent): boolean {
    return (this.#options.hooks?.[event]?.length ?? 0) > 0;
  }

  /** Never rejects; without hooks for the event it costs nothing. */
  async fire(event: HookEvent, facts: HookFacts, signal?: AbortSignal): Promise<HookOutcome> {
    if (!this.has(event)) return NOTHING_SAID;
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
    this.#tell(event, outcome);
    return outcome;
  }

  #tell(event: HookEvent, outcome: HookOutcome): void {
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

/** For parts that are used without a session. */
export function noHooks(): LifecycleHooks {
  return new LifecycleHooks({
    sessionId: '',
    cwd: process.cwd(),
    getPermissionMode: () => 'default',
    getTranscriptPath: () => undefined,
    log: () => undefined,
  });
}

const NOTHING_SAID: HookOutcome = { blocked: false, failures: [] };

/** What hooks want the model to read, joined. */
export function contextFrom(outcome: HookOutcome): string {
  return [outcome.stdout, outcome.additionalContext].filter(Boolean).join('\n');
}
