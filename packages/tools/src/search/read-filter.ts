import { join, relative } from 'node:path';
import { isOwnSecret } from '@robota-sdk/agent-core';
import type { WorkspacePath } from '../files/workspace.ts';
import type { SearchEngineChoice } from './find-engine.ts';
import type { SearchQuery } from './search-query.ts';

/** Leaves out files that may not be read, before anything is looked for in them, and counts them. */
export class ReadFilter {
  readonly #root: WorkspacePath;
  readonly #mayRead: ((realPath: string) => boolean) | undefined;
  readonly #leftOut = new Set<string>();

  constructor(root: WorkspacePath, mayRead: ((realPath: string) => boolean) | undefined) {
    this.#root = root;
    this.#mayRead = mayRead;
  }

  /** The same query for fewer files. */
  over(query: SearchQuery): SearchQuery {
    if (this.#mayRead === undefined) return query;
    return { ...query, accepts: (file) => query.accepts(file) && this.allows(file) };
  }

  /** Ripgrep opens every file by itself: with rules about reading our own engine searches. */
  engineFor(choice: SearchEngineChoice): SearchEngineChoice {
    return this.#mayRead === undefined ? choice : 'javascript';
  }

  /** `real` where a link was followed; else the file lies where the walk found it. */
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
