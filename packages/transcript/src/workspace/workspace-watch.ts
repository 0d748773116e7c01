import { isAbsolute, join, relative, sep } from 'node:path';
import type { AgentHome, HomeFile } from '../agent-sandbox/agent-home.ts';
import type { WorkspaceFile } from '../session-data.ts';
import { toWorkspaceFile } from './file-content.ts';

/** A change of a file since the last check. */
export type WorkspaceChange =
  | { readonly kind: 'created' | 'modified'; readonly file: WorkspaceFile }
  | { readonly kind: 'deleted'; readonly path: string };

/** Detects changes in a workspace, including deletions, by comparison, because file system events can be lost. */
export class WorkspaceWatch {
  readonly #home: AgentHome;
  #known: ReadonlyMap<string, HomeFile> = new Map();

  constructor(home: AgentHome) {
    this.#home = home;
  }

  /** Records the current state as the baseline. */
  async begin(): Promise<void> {
    this.#known = await this.#list();
  }

  /** Changes since the last check. */
  async check(): Promise<readonly WorkspaceChange[]> {
    const before = this.#known;
    const now = await this.#list();
    this.#known = now;
    const changes: WorkspaceChange[] = [];
    for (const [path, file] of now) {
      const earlier = before.get(path);
      if (earlier?.version === file.version) continue;
      const kind = earlier === undefined ? 'created' : 'modified';
      changes.push({ kind, file: await readWorkspaceFile(this.#home, file) });
    }
    for (const path of before.keys()) {
      if (!now.has(path)) changes.push({ kind: 'deleted', path: nameIn(this.#home, path) });
    }
    return changes;
  }

  async #list(): Promise<ReadonlyMap<string, HomeFile>> {
    const files = await this.#home.listFiles(this.#home.workspaceDirectory, IGNORED_FOLDERS);
    return new Map(files.map((file) => [file.path, file]));
  }
}

/** All files of the workspace; large ones without content. */
export async function readWorkspaceFiles(home: AgentHome): Promise<readonly WorkspaceFile[]> {
  const files = await home.listFiles(home.workspaceDirectory, IGNORED_FOLDERS);
  return Promise.all(files.map((file) => readWorkspaceFile(home, file)));
}

/** The absolute path of a workspace file; throws for paths outside the workspace. */
export function workspacePath(home: AgentHome, path: string): string {
  const absolute = join(home.workspaceDirectory, path);
  const inside = relative(home.workspaceDirectory, absolute);
  const isOutside = inside === '' || inside === '..' || inside.startsWith(`..${sep}`);
  if (!isOutside && !isAbsolute(inside) && !isAbsolute(path)) return absolute;
  throw new Error(`"${path}" is not a path inside the workspace`);
}

async function readWorkspaceFile(home: AgentHome, file: HomeFile): Promise<WorkspaceFile> {
  const path = nameIn(home, file.path);
  if (file.size > MAX_SAVED_BYTES) return { path, content: undefined };
  const bytes = await home.readFile(file.path);
  return bytes === undefined ? { path, content: undefined } : toWorkspaceFile(path, bytes);
}

function nameIn(home: AgentHome, path: string): string {
  return relative(home.workspaceDirectory, path).split(sep).join('/');
}

const MAX_SAVED_BYTES = 1 << 20;
/** Folders created by tools, ignored even without a `.gitignore`. */
const IGNORED_FOLDERS: readonly string[] = [
  '.git',
  '.hg',
  '.mypy_cache',
  '.pytest_cache',
  '.svn',
  '.tox',
  '.venv',
  '__pycache__',
  'node_modules',
];
