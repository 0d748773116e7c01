import { matchingNames } from '../paths/matching-names.ts';
import { refuse } from './refusal.ts';
import type { JudgementScope } from './scope.ts';
import { readablePaths } from './walk-path.ts';

const MAX_MATCHES = 400;

/** The names that a pattern matches, in the order of the shell; `\` escapes literal characters. */
export function expandGlob(pattern: string, scope: JudgementScope): readonly string[] {
  const mayList = (directory: string) => {
    readablePaths(directory, scope);
  };
  const all = new Set(
    scope.directories.flatMap(
      (directory) =>
        matchingNames(pattern, directory, mayList) ?? refuse('a pattern matches too many files'),
    ),
  );
  if (all.size > MAX_MATCHES) refuse('a pattern matches too many files');
  return [...all].sort(collationOf(scope.policy.environment));
}

function collationOf(environment: Readonly<Record<string, string | undefined>>) {
  const locale = environment.LC_ALL || environment.LC_COLLATE || environment.LANG || 'C';
  if (/^(?:C|POSIX)(?:\.|$)/.test(locale)) {
    return (left: string, right: string) => (left < right ? -1 : Number(left > right));
  }
  const language = locale.split(/[.@]/)[0]?.replace('_', '-') ?? 'en';
  return new Intl.Collator(isLanguage(language) ? language : 'en').compare;
}

function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(?:-[A-Za-z]{2,4})?$/.test(tag);
}
