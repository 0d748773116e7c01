import type { ToolParameters } from './tool.ts';

/**
 * Claude Code's parameter names by tool, with ours. `*` applies to every tool. One table for permission rules, hooks
 * and the tools themselves.
 */
export const TOOL_PARAMETER_SPELLINGS: Readonly<Record<string, Readonly<Record<string, string>>>> =
  {
    Bash: { working_directory: 'workingDirectory', run_in_background: 'runInBackground' },
    Read: { file_path: 'filePath' },
    Write: { file_path: 'filePath' },
    Edit: {
      file_path: 'filePath',
      old_string: 'oldString',
      new_string: 'newString',
      replace_all: 'replaceAll',
    },
    MultiEdit: { file_path: 'filePath' },
    NotebookEdit: { notebook_path: 'notebookPath', new_source: 'newSource', cell_id: 'cellId' },
    Glob: {},
    Grep: {
      output_mode: 'outputMode',
      head_limit: 'headLimit',
      '-A': 'contextAfter',
      '-B': 'contextBefore',
      '-C': 'contextLines',
      '-i': 'ignoreCase',
      '-n': 'lineNumbers',
    },
    WebFetch: {},
    WebSearch: { allowed_domains: 'allowedDomains', blocked_domains: 'blockedDomains' },
    Agent: { subagent_type: 'subagentType' },
    Task: { subagent_type: 'subagentType' },
  };

/** The arguments under our names; a parameter given under both keeps ours. */
export function toOurSpelling<Value>(
  toolName: string,
  args: Readonly<Record<string, Value>>,
): Readonly<Record<string, Value>> {
  const table = spellingsOf(toolName);
  const entries = Object.entries(args);
  if (!entries.some(([name]) => Object.hasOwn(table, name))) return args;
  const renamed = entries.filter(([name]) => Object.hasOwn(table, name));
  const kept = entries.filter(([name]) => !Object.hasOwn(table, name));
  return Object.fromEntries([
    ...renamed.map(([name, value]) => [table[name] ?? name, value]),
    ...kept,
  ]);
}

/** The arguments under both names, for hooks. */
export function withBothSpellings(toolName: string, args: ToolParameters): ToolParameters {
  const ours = toOurSpelling(toolName, args);
  const both: Record<string, unknown> = { ...ours };
  for (const [theirs, name] of Object.entries(spellingsOf(toolName))) {
    if (Object.hasOwn(ours, name)) both[theirs] = ours[name];
  }
  return both;
}

/**
 * A hook's answer under our names. A hook that got both names may return both and have changed only one: the one that
 * differs from `before` counts.
 */
export function mergeUpdatedInput(
  toolName: string,
  before: ToolParameters,
  updated: ToolParameters,
): ToolParameters {
  const told = withBothSpellings(toolName, before);
  const merged: Record<string, unknown> = { ...toOurSpelling(toolName, updated) };
  for (const [theirs, ours] of Object.entries(spellingsOf(toolName))) {
    const changed = Object.hasOwn(updated, theirs) && !isSame(updated[theirs], told[theirs]);
    if (changed && isSame(updated[ours], told[ours])) merged[ours] = updated[theirs];
  }
  return merged;
}

/** Answers are parsed JSON, so equal lists are never identical. */
function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}

function spellingsOf(toolName: string): Readonly<Record<string, string>> {
  return (
    (Object.hasOwn(TOOL_PARAMETER_SPELLINGS, toolName) && TOOL_PARAMETER_SPELLINGS[toolName]) || {}
  );
}
