/** Flags of Claude Code and their equivalents here. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  '--allowedTools': ['--allowed-tools'],
  '--disallowedTools': ['--denied-tools'],
  '--disallowed-tools': ['--denied-tools'],
  '--dangerously-skip-permissions': ['--permission-mode', 'bypassPermissions'],
};

/** Translates Claude Code flags to ours. Everything after `--` is text. */
export function inOurSpelling(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  const text = end === -1 ? [] : argv.slice(end);
  return [...flags.flatMap(respelt), ...text];
}

function respelt(argument: string): readonly string[] {
  const [flag = '', ...value] = argument.split('=');
  const ours = Object.hasOwn(SPELLINGS, flag) ? SPELLINGS[flag] : undefined;
  if (ours === undefined) return [argument];
  return value.length === 0 ? ours : [`${ours[0]}=${value.join('=')}`];
}
