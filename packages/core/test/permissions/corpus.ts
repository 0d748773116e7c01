import { readFileSync } from 'node:fs';

/** Ways to run `rm victim` or `git push`; with deny rules for both, each must be denied in every mode. */
export const DENIED_COMMANDS = read('denied-commands');

/** Their programs are known only at run time: with a deny rule present none may run without approval, in any mode. */
export const UNKNOWABLE_COMMANDS = read('unknowable-commands');

/** Read-only commands, which need no rule in the default mode. Files are inside the project. */
export const LOOKING_COMMANDS = read('looking-commands');

/** Commands that look harmless and are not, or read outside the project: the default mode must ask. */
export const ASKING_COMMANDS = read('asking-commands');

function read(name: string): readonly string[] {
  const file = new URL(`./fixtures/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as string[];
}
