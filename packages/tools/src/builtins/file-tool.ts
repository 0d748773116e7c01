import { resolve } from 'node:path';
import { type CallGrant, isOwnSecret, type ToolTouch } from '@robota-sdk/agent-core';
import { resolveLinks } from '../files/resolve-links.ts';
import { contains, resolveInWorkspace, type WorkspacePath } from '../files/workspace.ts';
import type { WorkspaceToolOptions } from './workspace-tool-options.ts';

interface Place {
  readonly cwd: string;
  readonly options: WorkspaceToolOptions;
}

/** The path a tool acts on; null when it is outside the roots. A sandbox resolves its own symlinks. */
export async function locate(
  given: string,
  { cwd, options }: Place,
): Promise<WorkspacePath | null> {
  if (!options.sandbox) return resolveInWorkspace(given, { cwd, roots: options.roots });
  const absolute = resolve(cwd, given);
  const isInside = options.roots?.some((root) => contains(resolve(cwd, root), absolute)) ?? true;
  return isInside ? { given, absolute, real: absolute } : null;
}

/**
 * Why a path may no longer be used: it now resolves to another file than the approved one, or to Robota's own secrets.
 */
export function movedProblem(
  { given, real }: WorkspacePath,
  grant: CallGrant | undefined,
): string | undefined {
  if (isOwnSecret(real)) return `Access denied: "${given}" holds secrets of this program`;
  const judged = grant?.touches?.filter(({ kind }) => kind === 'read' || kind === 'write') ?? [];
  if (judged.length === 0 || judged.some(({ target }) => target === real)) return undefined;
  return movedMessage(given);
}

/** The same after a search: a searched folder may have been replaced by a link meanwhile. */
export async function movedSinceProblem({
  given,
  real,
}: WorkspacePath): Promise<string | undefined> {
  return (await resolveLinks(real)) === real ? undefined : movedMessage(given);
}

function movedMessage(given: string): string {
  return `Access denied: "${given}" leads elsewhere than when it was allowed`;
}

export async function touchesPath(
  given: string,
  { kind, cwd, options }: Place & { readonly kind: 'read' | 'write' },
): Promise<readonly ToolTouch[]> {
  const withoutRoots = options.sandbox ? { sandbox: options.sandbox } : {};
  const path = await locate(given, { cwd, options: withoutRoots });
  return [{ kind, target: path?.real ?? resolve(cwd, given) }];
}
