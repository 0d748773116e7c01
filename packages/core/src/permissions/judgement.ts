import type { UnaskedCommand } from './permission.ts';
import type { PermissionRule } from './rule.ts';

/** Why something holds: the rule that says so, or another reason, and the part of the call it is about. */
export interface Finding {
  readonly rule?: PermissionRule;
  readonly reason?: string;
  readonly part?: string;
  /** A rule that would allow it in future. */
  readonly suggestion?: string;
}

/** What the rules say about one call, before the mode has its say. */
export interface Judgement {
  readonly denied?: Finding;
  /** A deny rule may be met: only running the call would tell. */
  readonly maybeDenied?: Finding;
  readonly asked?: Finding;
  readonly allowed?: Finding;
  /** What stands in the way of doing it without a rule, where a mode would otherwise allow it. */
  readonly obstacle?: Finding;
  /** What to run when nothing but the grammar allows it. */
  readonly run?: UnaskedCommand;
  readonly suggestion?: string;
}
