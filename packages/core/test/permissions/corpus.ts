import { readFileSync } from 'node:fs';

/** Ways to run `rm victim` or `git push`; with deny rules for both, each must be denied in every mode. */
export const DENIED_COMMANDS = read('denied-commands');

/** What these run is known only at run time: with a deny rule present none may run unasked, in any mode. */
export const UNKNOWABLE_COMMANDS = read('unknowable-commands');

/** Commands that can only look: no rule is needed in the default mode. Files are inside the project. */
export const LOOKING_COMMANDS = read('looking-commands');

/** Commands that look harmless and are not, or look outside: the default mode must ask. */
export const ASKING_COMMANDS = read('asking-commands');

function read(name: string): readonly string[] {
  const file = new URL(`./fixtures/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as string[];
}
