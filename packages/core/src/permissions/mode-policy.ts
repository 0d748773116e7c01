import type { PermissionDecision, PermissionMode } from './permission.ts';

type ToolKind = 'read' | 'edit' | 'fetch' | 'run';

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  Glob: 'read',
  Grep: 'read',
  LS: 'read',
  NotebookRead: 'read',
  WebFetch: 'fetch',
  WebSearch: 'read',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
};

/** Fetching needs an approved host, because a URL can leak data that was read. */
const POLICY: Readonly<Record<PermissionMode, Readonly<Record<ToolKind, PermissionDecision>>>> = {
  plan: { read: 'auto', edit: 'deny', fetch: 'deny', run: 'deny' },
  default: { read: 'auto', edit: 'approve', fetch: 'approve', run: 'approve' },
  acceptEdits: { read: 'auto', edit: 'auto', fetch: 'approve', run: 'approve' },
  bypassPermissions: { read: 'auto', edit: 'auto', fetch: 'auto', run: 'auto' },
};

/**
 * The decision without a matching rule; an obstacle (an outside path, a protected file) turns `auto` into a question.
 */
export function decideByMode(
  tool: string,
  mode: PermissionMode,
  hasObstacle: boolean,
): PermissionDecision {
  const kind = (Object.hasOwn(KINDS, tool) && KINDS[tool]) || 'run';
  const decision = POLICY[mode][kind];
  if (!hasObstacle || decision !== 'auto' || mode === 'bypassPermissions') return decision;
  return mode === 'plan' ? 'deny' : 'approve';
}
