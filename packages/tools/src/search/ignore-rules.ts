import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';
import { NotAFileError } from '../files/not-a-file-error.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { isMissing } from '../files/resolve-links.ts';

/** Names that are never searched, whatever a .gitignore says. */
export const NEVER_SEARCHED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** The .gitignore files that apply to one directory: its own and its parents'; the nearest one wins. */
export class IgnoreRules {
  readonly #folder: string;
  readonly #own: Ignore | undefined;
  readonly #above: IgnoreRules | undefined;

  constructor(folder: string, text: string | undefined, above?: IgnoreRules) {
    this.#folder = folder;
    this.#own =
      text === undefined ? undefined : createIgnore({ allowRelativePaths: true }).add(text);
    this.#above = above;
  }

  ignores(path: string, kind: 'file' | 'folder'): boolean {
    const relativePath = relative(this.#folder, path).split(sep).join('/');
    const result = this.#own?.test(kind === 'folder' ? `${relativePath}/` : relativePath);
    if (result?.ignored) return true;
    if (result?.unignored) return false;
    return this.#above?.ignores(path, kind) ?? false;
  }
}

/** The rules above a folder, up to the root of its repository; none if they ignore the folder itself. */
export async function rulesAbove(folder: string): Promise<IgnoreRules | undefined> {
  const folders: string[] = [];
  for (let at = folder; !existsSync(join(at, '.git')) && dirname(at) !== at; at = dirname(at)) {
    folders.unshift(dirname(at));
  }
  let rules: IgnoreRules | undefined;
  for (const at of folders) {
    const text = await readGitignore(at);
    if (text !== undefined) rules = new IgnoreRules(at, text, rules);
  }
  return rules?.ignores(folder, 'folder') ? undefined : rules;
}

export async function readGitignore(folder: string): Promise<string | undefined> {
  try {
    return Buffer.from(await readRegularFile(join(folder, '.gitignore'))).toString('utf8');
  } catch (error) {
    if (isMissing(error) || error instanceof NotAFileError || !(error instanceof Error))
      return undefined;
    throw error;
  }
}
