import path from 'node:path';
import { programOf } from './shell/program-name.ts';
import type { ShellPart } from './shell/shell-word.ts';
import { SHELLS, wrapperOf } from './shell/wrappers.ts';

/** A rule for the directory of a file: narrow enough to review, wide enough to keep. */
export function suggestPath(tool: string, absolute: string, cwd: string): string {
  const directory =
    tool === 'Glob' || tool === 'Grep' ? staticPart(absolute) : path.dirname(absolute);
  const relative = path.relative(cwd, directory);
  if (relative === '' && tool !== 'Glob' && tool !== 'Grep')
    return `${tool}(${path.basename(absolute)})`;
  if (relative === '') return tool;
  if (relative.startsWith('..'))
    return `${tool}(/${directory === '/' ? absolute : `${directory}/**`})`;
  return `${tool}(${relative}/**)`;
}

function staticPart(absolute: string): string {
  const segments = absolute.split('/');
  const first = segments.findIndex((segment) => /[*?[{]/.test(segment));
  return first === -1 ? absolute : segments.slice(0, first).join('/') || '/';
}

/** Programs with subcommands, for which a rule on the program name alone is too wide. */
const WITH_SUBCOMMANDS = new Set([
  'git',
  'npm',
  'pnpm',
  'yarn',
  'bun',
  'cargo',
  'go',
  'docker',
  'kubectl',
  'gh',
  'aws',
  'gcloud',
  'terraform',
  'pip',
  'pip3',
  'uv',
  'poetry',
  'dotnet',
  'mvn',
  'gradle',
  'helm',
  'brew',
  'apt',
  'apt-get',
  'systemctl',
  'make',
  'npx',
  'deno',
  'rustup',
  'composer',
  'bundle',
  'rails',
  'mix',
]);
const TWO_WORDS = new Set([
  'npm run',
  'pnpm run',
  'yarn run',
  'bun run',
  'docker compose',
  'go mod',
  'gh pr',
  'gh issue',
  'uv run',
  'poetry run',
  'git stash',
  'git remote',
]);
/** Programs that can do anything with their arguments: only the exact command is suggested. */
const INTERPRETERS = new Set([
  'python',
  'python2',
  'python3',
  'node',
  'perl',
  'ruby',
  'php',
  'lua',
  'osascript',
  'awk',
  'gawk',
  'eval',
  'source',
  '.',
  'find',
  'fd',
  'rm',
  'dd',
  'mkfs',
  'chmod',
  'chown',
  'mv',
  'kill',
  'pkill',
  'killall',
  'curl',
  'wget',
  'exec',
  'trap',
  'alias',
  'export',
  'deno',
  'tsx',
  'su',
  'crontab',
  'at',
]);

/** A rule that would allow this part next time; undefined when none is both narrow and reusable. */
export function suggestCommand(part: ShellPart): string | undefined {
  const values = part.words.map((word) =>
    word.glob === true || word.variable === true ? undefined : word.value,
  );
  const [first] = values;
  if (part.opaque !== undefined || first === undefined || part.assignments.length > 0)
    return undefined;
  const name = programOf(first);
  if (SHELLS.has(name) || wrapperOf(name) !== undefined) return exact(part);
  if (INTERPRETERS.has(name)) return exact(part);
  if (!WITH_SUBCOMMANDS.has(name)) return simple(first) ? `Bash(${first}:*)` : exact(part);
  const [, subcommand, third] = values;
  if (!simple(subcommand)) return exact(part);
  const two = `${first} ${subcommand}`;
  return TWO_WORDS.has(two) && simple(third) ? `Bash(${two} ${third}:*)` : `Bash(${two}:*)`;
}

function simple(value: string | undefined): value is string {
  return value !== undefined && /^[\w./][\w./:@-]*$/.test(value);
}

function exact(part: ShellPart): string | undefined {
  const text = part.words.map((word) => word.raw).join(' ');
  const keepable = text.length <= 200 && !/[*\n()]/.test(text) && !text.endsWith(':');
  return keepable && part.inner === undefined ? `Bash(${text})` : undefined;
}
