import { join, relative } from 'node:path';
import { isOwnSecret } from '@robota-sdk/agent-core';
import type { WorkspacePath } from '../files/workspace.ts';
import type { SearchEngineChoice } from './find-engine.ts';
import type { TextSearch } from './text-search.ts';

/** Skips files that may not be read before they are searched, and counts them. */
export class ReadFilter {
  readonly #root: WorkspacePath;
  readonly #mayRead: ((realPath: string) => boolean) | undefined;
  readonly #leftOut = new Set<string>();

  constructor(root: WorkspacePath, mayRead: ((realPath: string) => boolean) | undefined) {
    this.#root = root;
    this.#mayRead = mayRead;
  }

  /** The same query, limited to readable files. */
  over(query: TextSearch): TextSearch {
    if (this.#mayRead === undefined) return query;
    return { ...query, accepts: (file) => query.accepts(file) && this.allows(file) };
  }

  /** Ripgrep opens every file itself, so read rules require the JavaScript engine. */
  engineFor(choice: SearchEngineChoice): SearchEngineChoice {
    return this.#mayRead === undefined ? choice : 'javascript';
  }

  /** `real` is set when a link was followed; otherwise the file is where the walk found it. */
  allows(file: string, real = join(this.#root.real, relative(this.#root.absolute, file))): boolean {
    if (!isOwnSecret(real) && this.#mayRead?.(real) !== false) return true;
    this.#leftOut.add(file);
    return false;
  }

  note(): string {
    const count = this.#leftOut.size;
    if (count === 0) return '';
    return `\n\n[${count} ${count === 1 ? 'file was' : 'files were'} left out: a rule keeps them from being read.]`;
  }
}
