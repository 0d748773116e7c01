import { quoteWord } from './shell-quote.ts';

/** Settings that override every config file: no program is started, nothing is fetched, no lock is taken. */
const SETTINGS: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.sshCommand', 'false'],
  ['diff.external', ''],
  ['diff.ignoreSubmodules', 'all'],
  ['log.showSignature', 'false'],
  ['gpg.program', 'false'],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
];

const VARIABLES: readonly (readonly [string, string])[] = [
  ['GIT_OPTIONAL_LOCKS', '0'],
  ['GIT_NO_LAZY_FETCH', '1'],
  ['GIT_ALLOW_PROTOCOL', 'none'],
  ['GIT_TERMINAL_PROMPT', '0'],
  ['GIT_PAGER', 'cat'],
  ['GIT_CONFIG_COUNT', String(SETTINGS.length)],
  ...SETTINGS.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key] as const,
    [`GIT_CONFIG_VALUE_${index}`, value] as const,
  ]),
];

/** Assignments placed before every git command that runs without approval. */
export const GIT_GUARD_VARIABLES: string = VARIABLES.map(
  ([name, value]) => `${name}=${quoteWord(value)} `,
).join('');
