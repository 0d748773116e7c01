import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readSettingsText } from '../config/read-settings-text.ts';
import { homeDirectory } from '../paths.ts';

type PackageManager = 'pnpm' | 'yarn' | 'bun' | 'npm';

/** Type, language and package manager of a project. */
export interface ProjectKind {
  readonly type: 'node' | 'python' | 'rust' | 'go' | 'unknown';
  readonly name?: string;
  readonly language?: 'typescript' | 'javascript' | 'python' | 'rust' | 'go';
  /** Only set when a file proves it: with a wrong one a model would damage the project. */
  readonly packageManager?: PackageManager;
}

/** Detects the project of a directory by its well-known files. */
export function detectProject(cwd: string): ProjectKind {
  const has = (name: string) => existsSync(join(cwd, name));
  if (has('package.json')) return nodeProject(cwd);
  if (has('pyproject.toml') || has('setup.py')) return { type: 'python', language: 'python' };
  if (has('Cargo.toml')) return { type: 'rust', language: 'rust' };
  if (has('go.mod')) return { type: 'go', language: 'go' };
  return { type: 'unknown' };
}

function nodeProject(cwd: string): ProjectKind {
  const { name } = readManifest(cwd);
  const packageManager = findPackageManager(cwd);
  return {
    type: 'node',
    ...(typeof name === 'string' && { name }),
    language: existsSync(join(cwd, 'tsconfig.json')) ? 'typescript' : 'javascript',
    ...(packageManager && { packageManager }),
  };
}

/** A workspace package has its lockfile in a parent directory; the search ends at the repository root. */
function findPackageManager(directory: string): PackageManager | undefined {
  const found = packageManagerOf(directory);
  const parent = dirname(directory);
  const isLast = existsSync(join(directory, '.git')) || directory === homeDirectory();
  if (found !== undefined || isLast || parent === directory) return found;
  return findPackageManager(parent);
}

const MARKS: readonly (readonly [string, PackageManager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['.yarnrc.yml', 'yarn'],
  ['bun.lockb', 'bun'],
  ['bun.lock', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

function packageManagerOf(directory: string): PackageManager | undefined {
  const { packageManager } = readManifest(directory);
  const named = /^(pnpm|yarn|bun|npm)@/.exec(String(packageManager))?.[1];
  if (named) return named as PackageManager; // One of the four the expression names.
  return MARKS.find(([file]) => existsSync(join(directory, file)))?.[1];
}

function readManifest(directory: string): Readonly<Record<string, unknown>> {
  const text = readSettingsText(join(directory, 'package.json'), { root: directory });
  if (typeof text !== 'string') return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // An invalid manifest, for example during editing, still marks a Node project.
    return {};
  }
}
