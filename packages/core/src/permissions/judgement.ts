import type { UnaskedCommand } from './permission.ts';
import type { PermissionRule } from './rule.ts';

/** The rule or other reason behind a decision, and the part of the call it is about. */
export interface Finding {
  readonly rule?: PermissionRule;
  readonly reason?: string;
  readonly part?: string;
  /** A rule that would allow it from now on. */
  readonly suggestion?: string;
}

/** What the rules say about one call, before the mode is applied. */
export interface Judgement {
  readonly denied?: Finding;
  /** A deny rule may match; only running the call would show. */
  readonly maybeDenied?: Finding;
  readonly asked?: Finding;
  readonly allowed?: Finding;
  /** Why the mode alone may not allow the call. */
  readonly obstacle?: Finding;
  /** The text to run when only the grammar allows it. */
  readonly run?: UnaskedCommand;
  readonly suggestion?: string;
}
