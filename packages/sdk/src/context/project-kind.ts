import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ProjectKind {
  readonly type: 'node' | 'python' | 'rust' | 'go' | 'unknown';
  readonly name?: string;
  readonly language?: 'typescript' | 'javascript' | 'python' | 'rust' | 'go';
  readonly packageManager?: 'pnpm' | 'yarn' | 'bun' | 'npm';
}

/** What kind of project lies in a directory, told by its well-known files. */
export function detectProject(cwd: string): ProjectKind {
  const has = (name: string) => existsSync(join(cwd, name));
  if (has('package.json')) return nodeProject(cwd, has);
  if (has('pyproject.toml') || has('setup.py')) return { type: 'python', language: 'python' };
  if (has('Cargo.toml')) return { type: 'rust', language: 'rust' };
  if (has('go.mod')) return { type: 'go', language: 'go' };
  return { type: 'unknown' };
}

function nodeProject(cwd: string, has: (name: string) => boolean): ProjectKind {
  const name = packageName(join(cwd, 'package.json'));
  return {
    type: 'node',
    ...(name && { name }),
    language: has('tsconfig.json') ? 'typescript' : 'javascript',
    packageManager: packageManager(has),
  };
}

function packageManager(
  has: (name: string) => boolean,
): NonNullable<ProjectKind['packageManager']> {
  if (has('pnpm-lock.yaml')) return 'pnpm';
  if (has('yarn.lock')) return 'yarn';
  if (has('bun.lockb') || has('bun.lock')) return 'bun';
  return 'npm';
}

function packageName(file: string): string | undefined {
  try {
    const { name } = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    // A manifest that is being edited says nothing; the project is a Node project all the same.
    return undefined;
  }
}
