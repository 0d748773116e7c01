import type { PermissionMode, Provider } from '@robota-sdk/agent-core';
import type { AssembledSessionOptions, SubmitOptions } from '../interactive/options.ts';

/** Options of a single query. */
export interface QueryOptions
  extends Partial<
      Omit<AssembledSessionOptions, 'cwd' | 'provider' | 'session' | 'resumeSessionId'>
    >,
    Pick<SubmitOptions, 'attachments' | 'parts'> {
  /** Defaults to the working directory of the process. */
  readonly cwd?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly maxTurns?: number | undefined;
  readonly onTextDelta?: ((delta: string) => void) | undefined;
  readonly onCompact?: ((summary: string) => void) | undefined;
  /** Cancels the query; the result is what had arrived. */
  readonly signal?: AbortSignal | undefined;
}

/** Defaults for every query of one `createQuery`; each query may override them. */
export interface CreateQueryOptions extends QueryOptions {
  readonly provider: Provider;
}
