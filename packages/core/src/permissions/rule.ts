import { memoize } from './memoize.ts';
import { matchesWildcard } from './wildcard.ts';

/** A parsed permission rule; without `spec` it applies to every call of the tool. */
export interface PermissionRule {
  readonly text: string;
  readonly tool: string;
  readonly spec?: string;
}

/** `Name` or `Name(spec)`; an empty spec, `*` or `**` mean every call. */
export const parseRule = memoize(2048, (text: string): PermissionRule => {
  const trimmed = text.trim();
  const open = trimmed.indexOf('(');
  if (open === -1) return { text, tool: trimmed };
  const close = trimmed.lastIndexOf(')');
  const spec = trimmed.slice(open + 1, close > open ? close : undefined).trim();
  const tool = trimmed.slice(0, open).trim();
  return spec === '' || /^\*+$/.test(spec) || spec === ':*' ? { text, tool } : { text, tool, spec };
});

/** Tools with the same effect as another tool, which its rules cover too. */
const COVERED_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ['Bash', ['BackgroundProcess', 'Shell']],
  ['Edit', ['Write', 'MultiEdit', 'NotebookEdit']],
  ['Read', ['NotebookRead']],
  ['Agent', ['Task']],
  ['Task', ['Agent']],
]);

/** Names are compared exactly; `mcp__server` and `*` within a name cover groups of tools. */
export function ruleNames(rule: PermissionRule, tool: string): boolean {
  if (rule.tool === tool) return true;
  if (COVERED_BY.get(rule.tool)?.includes(tool) === true) return true;
  if (rule.tool.includes('*')) return matchesWildcard(rule.tool, tool);
  return rule.tool.startsWith('mcp__') && tool.startsWith(`${rule.tool}__`);
}
