import { programOf, trustedProgramOf } from './program-name.ts';
import type { ShellPart, ShellWord } from './shell-word.ts';
import { sortFlags } from './sort-flags.ts';

/** The texts of one command that rules are matched against. */
export interface CommandViews {
  /** An allow rule must match one of these: quotes kept where they matter, no other program of the same name. */
  readonly allow: readonly string[];
  /** A deny or ask rule needs to match only one of these. */
  readonly deny: readonly string[];
  /** With `*` for values known only at run time; undefined when all are known. */
  readonly fuzzy?: string;
}

export function viewsOf(part: ShellPart): CommandViews {
  const { words } = part;
  const assigned = part.assignments
    .filter((each) => !isHarmlessAssignment(each.name))
    .map((each) => each.raw);
  const before = assigned.length === 0 ? '' : `${assigned.join(' ')} `;
  const raw = join(words, (word) => word.raw);
  const quoted = join(words, quote);
  const plain = join(words, (word) => word.value ?? word.raw);
  const trusted = renamed(words, quote, trustedProgramOf);
  const unsure = words.some(isUnsure);
  const named = renamed(words, (word) => word.value ?? word.raw, programOf);
  const values = words.map((word) => word.value ?? word.raw);
  const sorted = sortFlags([programOf(values[0] ?? ''), ...values.slice(1)]);
  return {
    allow: [...new Set([raw, quoted, trusted].map((view) => before + view))],
    deny: [...new Set([raw, quoted, plain, named, before + raw, sorted, ...withoutOptions(words)])],
    ...(unsure
      ? {
          fuzzy: renamed(words, (word) => (isUnsure(word) ? '*' : (word.value ?? '*')), programOf),
        }
      : {}),
  };
}

function isUnsure(word: ShellWord): boolean {
  return word.value === undefined || word.glob === true || word.choice === true;
}

/** Variables that only change the appearance of output. */
export function isHarmlessAssignment(name: string): boolean {
  return HARMLESS.has(name) || name.startsWith('LC_');
}

const HARMLESS = new Set([
  'NODE_ENV',
  'CI',
  'FORCE_COLOR',
  'NO_COLOR',
  'CLICOLOR',
  'TZ',
  'LANG',
  'LANGUAGE',
  'TERM',
  'COLUMNS',
  'LINES',
  'DEBUG',
  'RUST_BACKTRACE',
  'PYTHONUNBUFFERED',
  'PYTHONDONTWRITEBYTECODE',
]);

function join(words: readonly ShellWord[], show: (word: ShellWord) => string): string {
  return words.map(show).join(' ');
}

/** Quotes a word that would otherwise read as several, so that `npm "test --x"` is not `npm test --x`. */
function quote(word: ShellWord): string {
  if (word.value === undefined || word.variable === true || word.glob === true) return word.raw;
  return word.value === '' || /[\s'"\\$`;&|<>()#]/.test(word.value)
    ? `'${word.value.replaceAll("'", "'\\''")}'`
    : word.value;
}

function renamed(
  words: readonly ShellWord[],
  show: (word: ShellWord) => string,
  rename: (name: string) => string,
): string {
  return words.map((word, index) => (index === 0 ? rename(show(word)) : show(word))).join(' ');
}

const MAX_SKIPPED = 8;

/** `git -C x push` is a push: views without the options before the subcommand. */
function withoutOptions(words: readonly ShellWord[]): readonly string[] {
  const values = words.map((word) => word.value ?? word.raw);
  const name = programOf(values[0] ?? '');
  const views: string[] = [];
  let last = 'option';
  for (let index = 1; index < Math.min(values.length, MAX_SKIPPED); index++) {
    const kind = values[index]?.startsWith('-') === true ? 'option' : 'word';
    if (kind === 'word' && index > 1) views.push([name, ...values.slice(index)].join(' '));
    if (kind === 'word' && last === 'word') break;
    if (kind === 'word' && index === 1) break;
    last = kind;
  }
  return views;
}
