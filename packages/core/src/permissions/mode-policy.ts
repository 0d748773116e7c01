import type { PermissionDecision, PermissionMode } from './permission.ts';

type ToolKind = 'look' | 'edit' | 'fetch' | 'act';

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'look',
  Glob: 'look',
  Grep: 'look',
  LS: 'look',
  NotebookRead: 'look',
  WebFetch: 'fetch',
  WebSearch: 'look',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
};

/** A page is fetched from a host that somebody agreed to: an address can carry out what was read. */
const POLICY: Readonly<Record<PermissionMode, Readonly<Record<ToolKind, PermissionDecision>>>> = {
  plan: { look: 'auto', edit: 'deny', fetch: 'deny', act: 'deny' },
  default: { look: 'auto', edit: 'approve', fetch: 'approve', act: 'approve' },
  acceptEdits: { look: 'auto', edit: 'auto', fetch: 'approve', act: 'approve' },
  bypassPermissions: { look: 'auto', edit: 'auto', fetch: 'auto', act: 'auto' },
};

/** What a mode says where no rule does. An obstacle (a path outside, a protected file) turns yes into a question. */
export function decideByMode(
  tool: string,
  mode: PermissionMode,
  hindered: boolean,
): PermissionDecision {
  const kind = (Object.hasOwn(KINDS, tool) && KINDS[tool]) || 'act';
  const decision = POLICY[mode][kind];
  if (!hindered || decision !== 'auto' || mode === 'bypassPermissions') return decision;
  return mode === 'plan' ? 'deny' : 'approve';
}
