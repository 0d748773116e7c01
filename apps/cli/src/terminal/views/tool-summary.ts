/** The argument that says most about a call, by tool; other tools show their first one. */
const TELLING_ARGUMENT: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command'],
  Read: ['filePath', 'file_path'],
  Write: ['filePath', 'file_path'],
  Edit: ['filePath', 'file_path'],
  Glob: ['pattern'],
  Grep: ['pattern'],
  WebFetch: ['url'],
  WebSearch: ['query'],
  Agent: ['description', 'prompt'],
};

/** `Bash(npm test)`: a call in a few words, on one line. */
export function toolSummary(name: string, input: Readonly<Record<string, unknown>>): string {
  const argument = tellingArgument(name, input);
  return argument === '' ? name : `${name}(${argument.replaceAll(/\s*\n\s*/g, ' ⏎ ')})`;
}

function tellingArgument(name: string, input: Readonly<Record<string, unknown>>): string {
  const names = TELLING_ARGUMENT[name] ?? Object.keys(input).slice(0, 1);
  const value = names.map((key) => input[key]).find((candidate) => candidate !== undefined);
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
