import { nearestName } from '@robota-sdk/agent-core';
import { RULE_TOOLS } from './known-settings.ts';

/** The problem of a permission rule; undefined when it is valid. */
export function problemInRule(rule: string): string | undefined {
  const text = rule.trim();
  const open = text.indexOf('(');
  const tool = (open < 0 ? text : text.slice(0, open)).trim();
  if (tool === '') return 'names no tool';
  if (open >= 0 && !text.endsWith(')')) return 'has no closing parenthesis';
  if (open < 0 && text.includes(')')) return 'has no opening parenthesis';
  if (!/^[\w*.-]+$/.test(tool)) return 'does not begin with the name of a tool';
  const meant = tool.includes('*') || tool.includes('__') ? undefined : nearestTool(tool);
  return meant === undefined ? undefined : `names no tool known here; did you mean ${meant}?`;
}

/** Custom tools may have any name, so only a likely misspelling is reported. */
function nearestTool(tool: string): string | undefined {
  return tool.length < 3 ? undefined : nearestName(tool, RULE_TOOLS);
}
