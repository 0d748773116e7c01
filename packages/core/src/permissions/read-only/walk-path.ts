import path from 'node:path';
import { entryStatus, isPipeOrDevice } from '../paths/file-status.ts';
import { realPath } from '../paths/resolve-path.ts';
import { refuse } from './refusal.ts';
import type { JudgementScope } from './scope.ts';

/** A path resolved step by step, as the system does. */
interface WalkedPath {
  readonly real: string;
  readonly passedLink: boolean;
}

/** `a/../b` with a link at `a`: the system follows the link, resolving the text would not. */
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

/** Some programs give a leading character a special meaning, such as `@list`. */
const ORDINARY_START = /^[\p{L}\p{N}_./[(+*?]/u;

/** Names that a shell or awk opens as network connections; they matter where the project is the root directory. */
const CONNECTION = /^\/(?:dev\/(?:tcp|udp)|inet[46]?)\//;

/** Resolves a path from every possible directory of the command; refuses when one may not be read. */
export function readablePaths(text: string, scope: JudgementScope): readonly WalkedPath[] {
  if (text === '' || text.includes('\0')) refuse('a path is empty');
  if (!ORDINARY_START.test(text)) refuse(`a name begins with “${text[0]}”`);
  if (CONNECTION.test(text)) refuse(`${text} may be a connection`);
  return scope.directories.map((directory) => {
    const walked = walkPath(text.startsWith('/') ? '/' : directory, text);
    const literal = path.resolve(directory, text);
    if (!scope.policy.mayRead({ literal, real: walked.real }))
      refuse(`${text} is outside the working directories or denied`);
    const status = entryStatus(walked.real);
    return status !== undefined && isPipeOrDevice(status)
      ? refuse(`${text} is a pipe or a device`)
      : walked;
  });
}
