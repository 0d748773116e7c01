import type { ToolExecutionContext, ToolTouch } from '../tool.ts';
import type { UnaskedCommand } from './permission.ts';

/** The decision's details, for the tool that runs the call. */
export interface CallGrant {
  /** Bash without approval: the text to run instead of the given one. */
  readonly run?: UnaskedCommand | undefined;
  /** The real paths that were checked; a tool refuses when its path now resolves to another one. */
  readonly touches?: readonly ToolTouch[] | undefined;
  /** Whether a file found by a search may be read; takes its real path. */
  readonly mayRead?: ((realPath: string) => boolean) | undefined;
}

interface GrantedContext extends ToolExecutionContext {
  readonly grant?: CallGrant | undefined;
}

/** Attaches the gate's decision to the context of a call. */
export function withGrant(context: ToolExecutionContext, grant: CallGrant): ToolExecutionContext {
  const granted: GrantedContext = { ...context, grant };
  return granted;
}

/** The gate's decision about a call; undefined without a gate. */
export function grantOf(context: GrantedContext): CallGrant | undefined {
  return context.grant;
}
