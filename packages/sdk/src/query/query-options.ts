import type { PermissionMode, Provider } from '@robota-sdk/agent-core';
import type { AssembledSessionOptions, SubmitOptions } from '../interactive/options.ts';

/** What one question may set for itself. */
export interface QueryOptions
  extends Partial<
      Omit<AssembledSessionOptions, 'cwd' | 'provider' | 'session' | 'resumeSessionId'>
    >,
    Pick<SubmitOptions, 'attachments' | 'parts'> {
  /** The process's own directory when left out. */
  readonly cwd?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly maxTurns?: number | undefined;
  readonly onTextDelta?: ((delta: string) => void) | undefined;
  readonly onCompact?: ((summary: string) => void) | undefined;
  /** Calls the question off; what had arrived is the answer. */
  readonly signal?: AbortSignal | undefined;
}

/** What every question of one `createQuery` shares; each may say otherwise for itself. */
export interface CreateQueryOptions extends QueryOptions {
  readonly provider: Provider;
}
