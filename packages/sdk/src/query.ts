import type { PermissionMode, Provider } from '@robota-sdk/agent-core';
import { InteractiveSession } from './interactive/interactive-session.ts';
import type { AssembledSessionOptions } from './interactive/options.ts';

/** What one question may set for itself. */
export interface QueryOptions
  extends Partial<Omit<AssembledSessionOptions, 'provider' | 'session' | 'resumeSessionId'>> {
  readonly cwd?: string;
  readonly permissionMode?: PermissionMode | undefined;
  readonly maxTurns?: number | undefined;
  readonly onTextDelta?: ((delta: string) => void) | undefined;
  readonly onCompact?: ((summary: string) => void) | undefined;
  /** Calls the question off; what had arrived is the answer. */
  readonly signal?: AbortSignal | undefined;
}

export interface CreateQueryOptions extends QueryOptions {
  readonly provider: Provider;
}

export type Query = (prompt: string, options?: QueryOptions) => Promise<string>;

/** A function that answers prompts, each in a session of its own; rejects when the model or the set-up fails. */
export function createQuery({ provider, ...defaults }: CreateQueryOptions): Query {
  return async (prompt, given = {}) => {
    const { onTextDelta, signal, ...options } = { ...defaults, ...given };
    const session = new InteractiveSession({ cwd: process.cwd(), ...options, provider });
    if (onTextDelta) session.on('text_delta', onTextDelta);
    const abort = () => session.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const asking = session.submit(prompt);
      if (signal?.aborted) abort();
      const outcome = await asking;
      if (outcome.status === 'failed') throw outcome.error;
      return 'result' in outcome ? outcome.result.response : '';
    } finally {
      signal?.removeEventListener('abort', abort);
      await session.shutdown();
    }
  };
}
