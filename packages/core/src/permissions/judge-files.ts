import path from 'node:path';
import type { ToolParameters } from '../tool.ts';
import type { CallContext } from './call-context.ts';
import type { Finding, Judgement } from './judgement.ts';
import { isOwnSecret, OWN_SECRET_REASON } from './own-secrets.ts';
import type { PathPattern } from './paths/path-pattern.ts';
import { type ResolvedPath, resolvePath } from './paths/resolve-path.ts';
import { isInside } from './paths/roots.ts';
import { isProtected } from './protected-paths.ts';
import type { RuleSet } from './rule-set.ts';
import { suggestPath } from './suggest-rule.ts';
import { matchesWildcard } from './wildcard.ts';

/** The path that a file tool is about to access. */
export interface FileCall {
  readonly tool: string;
  readonly place: ResolvedPath;
  /** Glob: the path contains wildcards. */
  readonly glob?: boolean;
  /** Grep and Glob: the pattern, which rules may name instead of a path. */
  readonly pattern?: string;
}

const READERS = new Set(['Read', 'NotebookRead', 'LS', 'Glob', 'Grep']);
const WRITERS = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

/** The file that a tool's arguments name; undefined for tools without one. */
export function fileCallOf(tool: string, args: ToolParameters, cwd: string): FileCall | undefined {
  if (!READERS.has(tool) && !WRITERS.has(tool)) return undefined;
  const pattern = text(args.pattern);
  const file = text(args.filePath) ?? text(args.notebookPath) ?? text(args.path);
  if (tool === 'Glob') {
    const start = path.resolve(cwd, file ?? '.');
    return {
      tool,
      place: resolvePath(pattern ?? '.', start),
      glob: true,
      ...(pattern === undefined ? {} : { pattern }),
    };
  }
  const place = resolvePath(file ?? '.', cwd);
  return { tool, place, ...(pattern === undefined ? {} : { pattern }) };
}

export function judgeFiles(call: FileCall, context: CallContext): Judgement {
  const secret = isOwnSecret(call.place.real) ? { reason: OWN_SECRET_REASON } : undefined;
  const denied = secret ?? findStrict(context.deny, call);
  const asked = findStrict(context.ask, call);
  const allowed = findCovering(context.allow, call);
  const obstacle = obstacleTo(call, context);
  return {
    ...(denied === undefined ? {} : { denied }),
    ...(asked === undefined ? {} : { asked }),
    ...(allowed === undefined ? {} : { allowed }),
    ...(obstacle === undefined ? {} : { obstacle }),
    suggestion: suggestPath(
      WRITERS.has(call.tool) ? 'Edit' : call.tool,
      call.place.literal,
      context.cwd,
    ),
  };
}

/** Deny and ask: a Read rule applies to every tool that reads. */
export function findStrict(set: RuleSet, call: FileCall): Finding | undefined {
  for (const tool of governingTools(call.tool)) {
    const every = set.everyCall(tool);
    if (every !== undefined) return { rule: every };
    const hit = set
      .paths(tool)
      .find(
        ({ pattern, rule }) =>
          pattern.matches(call.place) ||
          (call.glob === true && matchesGlob(pattern, call, tool)) ||
          (tool === call.tool && namesPattern(rule.spec, call)),
      );
    if (hit !== undefined) return { rule: hit.rule };
  }
  return undefined;
}

/**
 * A Glob rule matches when the pattern may find something it names. A Read rule matches only when the complete search
 * lies in a denied path; otherwise denied files are left out of the results.
 */
function matchesGlob(pattern: PathPattern, { tool, place }: FileCall, governing: string): boolean {
  if (governing === tool) return pattern.mayMatch(place.literal);
  const steps = place.literal.split('/');
  const wild = steps.findIndex((step) => /[*?[\]{}!()]/.test(step));
  const start = steps.slice(0, wild === -1 ? undefined : wild).join('/') || '/';
  return pattern.matches(resolvePath(start, '/'));
}

/** Allow: the rule must cover both the literal and the real path. */
export function findCovering(set: RuleSet, call: FileCall): Finding | undefined {
  for (const tool of governingTools(call.tool)) {
    const every = set.everyCall(tool);
    if (every !== undefined) return { rule: every };
    const hit = set
      .paths(tool)
      .find(
        ({ pattern, rule }) =>
          pattern.covers(call.place) || (tool === 'Grep' && namesPattern(rule.spec, call)),
      );
    if (hit !== undefined) return { rule: hit.rule };
  }
  return undefined;
}

function governingTools(tool: string): readonly string[] {
  return tool === 'Glob' || tool === 'Grep' || tool === 'LS' ? [tool, 'Read'] : [tool];
}

function namesPattern(spec: string | undefined, call: FileCall): boolean {
  return spec !== undefined && call.pattern !== undefined && matchesWildcard(spec, call.pattern);
}

function obstacleTo(call: FileCall, context: CallContext): Finding | undefined {
  if (!isInside(call.place, context.roots())) {
    return { reason: `${call.place.real} is outside the working directories` };
  }
  if (WRITERS.has(call.tool) && isProtected(call.place)) {
    return { reason: `${call.place.literal} makes other programs run something` };
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
