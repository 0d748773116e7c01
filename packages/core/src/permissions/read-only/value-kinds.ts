import path from 'node:path';
import { leadsToDirectory, pathExists } from '../paths/file-status.ts';
import { isAwkProgram } from './awk-program.ts';
import { isLogFormat, isReferenceField, isReferenceFormat } from './git-format.ts';
import { isJqFilter } from './jq-filter.ts';
import { ReadOnlyRefusal, refuse } from './refusal.ts';
import type { JudgementScope } from './scope.ts';
import { isSedScript } from './sed-script.ts';
import { readablePaths } from './walk-path.ts';

type KindCheck = (value: string, scope: JudgementScope) => boolean;

/** Whether a value has the declared kind; a path that may not be read is refused with its own reason. */
export function checkValue(kind: string, value: string, scope: JudgementScope): boolean {
  const check = KINDS.get(kind);
  return check === undefined ? refuse(`there is no kind ${kind}`) : check(value, scope);
}

/** All value kinds, for checking the tables. */
export function knownKinds(): ReadonlySet<string> {
  return new Set(KINDS.keys());
}

const anything = () => true;
const fits = (pattern: RegExp) => (value: string) => pattern.test(value);

const KINDS: ReadonlyMap<string, KindCheck> = new Map<string, KindCheck>([
  ['any', anything],
  ['text', anything],
  ['pat', anything],
  ['glob', anything],
  ['path', isPath],
  ['file', (value, scope) => isPath(value, scope) && isNoDirectory(value, scope)],
  ['pathspec', isPathspec],
  ['rev', fits(/^[^\s:\\*?[-][^\s\\?[]*$/)],
  ['revpath', isRevisionOrPath],
  ['lines', isLineRange],
  ['attribute', (value, scope) => fits(/^[\w.-]+$/)(value) || isPathspec(value, scope)],
  ['fmt', fits(/^\+/)],
  ['num', fits(/^[+-]?\d+(?:\.\d+)?[smhdkKMGTb]?%?$/)],
  ['fnum', fits(/^[+-]?\d+[bcwkMG]?$/)],
  ['count', fits(/^[+-]?\d+[kKMGb]?B?$/)],
  ['list', fits(/^[\d,-]+$/)],
  ['key', fits(/^[\d.,bdfgiMhnRrVz]+$/)],
  // `@name` is a list of words for some programs, wherever it stands.
  ['word', (value) => /^(?:[\w.:+,%/][\w.:+,@%/-]*)?$/.test(value) && !value.includes('..')],
  ['logformat', (value) => isLogFormat(value)],
  ['refformat', (value) => isReferenceFormat(value)],
  ['sortkey', (value) => isReferenceField(value.replace(/^-/, ''))],
  ['numfmt', fits(/^[^%]*%[-+0 ']*\d*(?:\.\d+)?[gfe][^%]*$/)],
  ['assign', fits(/^[a-z]\w*=[^\\]*$/)],
  ['sed', isSedScript],
  ['awk', isAwkProgram],
  ['jq', isJqFilter],
]);

function isPath(value: string, scope: JudgementScope): boolean {
  if (value !== '-' && value !== '/dev/null' && value !== '/dev/stdin') readablePaths(value, scope);
  return true;
}

/** `diff` of two directories follows the links in them. */
function isNoDirectory(value: string, scope: JudgementScope): boolean {
  if (value === '-' || value.startsWith('/dev/')) return true;
  return readablePaths(value, scope).every(({ real }) => !leadsToDirectory(real));
}

/** A path that git may expand; a wildcard never matches above the directory before it. */
function isPathspec(value: string, scope: JudgementScope): boolean {
  if (value.startsWith(':')) return false;
  const wild = value.search(/[*?[]/);
  if (wild === -1) return isPath(value, scope);
  if (/(?:^|\/)\.\.(?:\/|$)/.test(value)) return false;
  const slash = value.lastIndexOf('/', wild);
  return isPath(slash === -1 ? '.' : value.slice(0, slash) || '/', scope);
}

function isRevisionOrPath(value: string, scope: JudgementScope): boolean {
  if (/[*?]/.test(value)) return isPathspec(value, scope);
  if (/^[\w./@^~{}][\w./@^~{}-]*:/.test(value)) return true;
  if (value.startsWith(':')) return /^:[0-3]?:?[\w./-]+$/.test(value) && !value.includes('..');
  const steps = value.replace(/\.{2,3}/, ' ');
  const revision =
    /^[A-Za-z0-9_^@][\w./@^~{} -]*$/.test(steps) && !/(?:^|[/ ])\.\.?(?:\/|$)/.test(steps);
  return revision ? !leadsElsewhere(value, scope) : isPathHere(value, scope);
}

/** A name that may be both a revision and a file is checked as both. */
function leadsElsewhere(value: string, scope: JudgementScope): boolean {
  const isThere = scope.directories.some((directory) => pathExists(path.resolve(directory, value)));
  return isThere && !isPathHere(value, scope);
}

function isPathHere(value: string, scope: JudgementScope): boolean {
  try {
    readablePaths(value, scope);
    return true;
  } catch (error) {
    if (error instanceof ReadOnlyRefusal) return false;
    throw error;
  }
}

/** `-L 1,5`, `-L 1,5:file`, `-L :name:file`. */
function isLineRange(value: string, scope: JudgementScope): boolean {
  const range =
    /^(?:\d+|\/[^/]*\/)?(?:,[+-]?(?:\d+|\/[^/]*\/))?(?::([^:]+))?$/.exec(value) ??
    /^:[\w.*]+(?::([^:]+))?$/.exec(value);
  if (range === null) return false;
  return range[1] === undefined || isPath(range[1], scope);
}
