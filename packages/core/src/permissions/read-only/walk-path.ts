import path from 'node:path';
import { entryStatus, isEndless } from '../paths/file-status.ts';
import { realPath } from '../paths/resolve-path.ts';
import { refuse } from './refusal.ts';
import type { JudgementScope } from './scope.ts';

/** A place reached from a directory, step by step, as the system goes there. */
interface WalkedPath {
  readonly real: string;
  readonly passedLink: boolean;
}

/** `a/../b` with a link at `a`: the system goes through the link, folding the text would not. */
export function walkPath(from: string, text: string): WalkedPath {
  let current = realPath(path.resolve('/', from));
  let passedLink = false;
  for (const step of text.split('/')) {
    if (step === '' || step === '.') continue;
    if (step === '..') {
      current = path.dirname(current);
      continue;
    }
    const next = path.join(current, step);
    current = realPath(next);
    passedLink ||= current !== next;
  }
  return { real: current, passedLink };
}

/** Some programs give a first character a meaning of its own, such as `@list`. */
const ORDINARY_START = /^[\p{L}\p{N}_./[(+*?]/u;

/** Refuses a path that may not be read from every directory the command may stand in; else where it leads. */
export function readablePaths(text: string, scope: JudgementScope): readonly WalkedPath[] {
  if (text === '' || text.includes('\0')) refuse('a path is empty');
  if (!ORDINARY_START.test(text)) refuse(`a name begins with “${text[0]}”`);
  return scope.directories.map((directory) => {
    const walked = walkPath(text.startsWith('/') ? '/' : directory, text);
    const literal = path.resolve(directory, text);
    if (!scope.policy.mayRead({ literal, real: walked.real }))
      refuse(`${text} is outside the working directories or denied`);
    const status = entryStatus(walked.real);
    return status !== undefined && isEndless(status)
      ? refuse(`${text} is a pipe or a device`)
      : walked;
  });
}
