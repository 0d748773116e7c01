import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { searchWithJavaScript } from './javascript-engine.ts';
import { RipgrepUnsuitableError, ripgrepEngine } from './ripgrep-engine.ts';
import type { SearchEngine } from './text-search.ts';

export type SearchEngineChoice = 'auto' | 'ripgrep' | 'javascript';

/** `auto` uses ripgrep when available, and JavaScript for patterns it does not support. */
export function searchEngine(choice: SearchEngineChoice): SearchEngine {
  if (choice === 'javascript') return searchWithJavaScript;
  return async function* search(query, signal) {
    const program = await findRipgrep();
    if (program === null) {
      if (choice === 'ripgrep') throw new RipgrepUnsuitableError('ripgrep is not installed');
      yield* searchWithJavaScript(query, signal);
      return;
    }
    const primary = ripgrepEngine(program)(query, signal);
    if (choice === 'ripgrep') yield* primary;
    else yield* withFallback(primary, () => searchWithJavaScript(query, signal));
  };
}

/** Falls back only before the first hit, so nothing is reported twice. */
async function* withFallback<Item>(
  primary: AsyncIterable<Item>,
  fallback: () => AsyncIterable<Item>,
): AsyncGenerator<Item> {
  let hasYielded = false;
  try {
    for await (const item of primary) {
      hasYielded = true;
      yield item;
    }
  } catch (error) {
    if (hasYielded || !(error instanceof RipgrepUnsuitableError)) throw error;
    yield* fallback();
  }
}

let found: Promise<string | null> | undefined;

function findRipgrep(): Promise<string | null> {
  found ??= bundledRipgrep().then((path) => path ?? ripgrepOnPath());
  return found;
}

async function bundledRipgrep(): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return (await isExecutable(rgPath)) ? rgPath : null;
  } catch {
    // An optional dependency: not installed, or not available for this platform.
    return null;
  }
}

async function ripgrepOnPath(): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const program = join(folder, 'rg');
    // A relative folder would be inside the project.
    if (isAbsolute(folder) && (await isExecutable(program))) return program;
  }
  return null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
