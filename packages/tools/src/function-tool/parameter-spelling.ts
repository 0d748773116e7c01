import type { ToolParameters } from '@robota-sdk/agent-core';

/** Claude's spelling of a parameter, and ours. */
export type ParameterSpelling = Readonly<Record<string, string>>;

/** Claude Code's parameter names for the eight tools; models trained on them use these unasked. */
export const CLAUDE_SPELLING = {
  file_path: 'filePath',
  old_string: 'oldString',
  new_string: 'newString',
  replace_all: 'replaceAll',
  working_directory: 'workingDirectory',
  output_mode: 'outputMode',
  head_limit: 'headLimit',
  '-A': 'contextAfter',
  '-B': 'contextBefore',
  '-C': 'contextLines',
  '-i': 'ignoreCase',
  '-n': 'lineNumbers',
} as const satisfies ParameterSpelling;

/** The same parameters under our names. Where both spellings are given, ours wins. */
export function normalizeSpelling(
  parameters: ToolParameters,
  known: readonly string[],
  spelling: ParameterSpelling = CLAUDE_SPELLING,
): ToolParameters {
  const normalized: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(parameters)) {
    const ours = Object.hasOwn(spelling, key) ? spelling[key] : undefined;
    const isAlias = ours !== undefined && known.includes(ours) && !known.includes(key);
    if (!isAlias) normalized[key] = value;
    else if (parameters[ours] === undefined) normalized[ours] = value;
  }
  return normalized;
}
