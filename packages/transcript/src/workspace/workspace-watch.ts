import { isAbsolute, join, relative, sep } from 'node:path';
import type { AgentHome, HomeFile } from '../agent-sandbox/agent-home.ts';
import type { WorkspaceFile } from '../session-data.ts';
import { toWorkspaceFile } from './file-content.ts';

/** What became of a file since it was looked at last. */
export type WorkspaceChange =
  | { readonly kind: 'created' | 'modified'; readonly file: WorkspaceFile }
  | { readonly kind: 'deleted'; readonly path: string };

/** Notices what changes in a workspace, deletions too. Compares, because events of a file system get lost. */
export class WorkspaceWatch {
  readonly #home: AgentHome;
  #known: ReadonlyMap<string, HomeFile> = new Map();

  constructor(home: AgentHome) {
    this.#home = home;
  }

  /** Takes the workspace as it is for known. */
  async begin(): Promise<void> {
    this.#known = await this.#look();
  }

  /** What has changed since the last look. */
  async check(): Promise<readonly WorkspaceChange[]> {
    const before = this.#known;
    const now = await this.#look();
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

  async #look(): Promise<ReadonlyMap<string, HomeFile>> {
    const files = await this.#home.listFiles(this.#home.workspaceDirectory, IGNORED_FOLDERS);
    return new Map(files.map((file) => [file.path, file]));
  }
}

/** All files of the workspace, as far as they are small. */
export async function readWorkspaceFiles(home: AgentHome): Promise<readonly WorkspaceFile[]> {
  const files = await home.listFiles(home.workspaceDirectory, IGNORED_FOLDERS);
  return Promise.all(files.map((file) => readWorkspaceFile(home, file)));
}

/** Where a file of the workspace lies; refuses a path that leads out of it. */
export function workspacePath(home: AgentHome, path: string): string {
  const absolute = join(home.workspaceDirectory, path);
  const inside = relative(home.workspaceDirectory, absolute);
  const leadsOut = inside === '' || inside === '..' || inside.startsWith(`..${sep}`);
  if (!leadsOut && !isAbsolute(inside) && !isAbsolute(path)) return absolute;
  throw new Error(`"${path}" is not a path inside the workspace`);
}

async function readWorkspaceFile(home: AgentHome, file: HomeFile): Promise<WorkspaceFile> {
  const path = nameIn(home, file.path);
  if (file.size > KEPT_BYTES) return { path, content: undefined };
  const bytes = await home.readFile(file.path);
  return bytes === undefined ? { path, content: undefined } : toWorkspaceFile(path, bytes);
}

function nameIn(home: AgentHome, path: string): string {
  return relative(home.workspaceDirectory, path).split(sep).join('/');
}

const KEPT_BYTES = 1 << 20;
/** What programs make for themselves, whether or not a `.gitignore` says so. */
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
