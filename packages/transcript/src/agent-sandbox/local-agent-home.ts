import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isFileMissing } from '../architectures/file-missing.ts';
import type { AgentProcess, ProgramCommand } from '../process/agent-process.ts';
import { spawnProgram } from '../process/spawn-program.ts';
import { walkTree } from '../workspace/walk-tree.ts';
import type { AgentHome, HomeFile } from './agent-home.ts';

/** Location of an agent's home on this machine. */
export interface LocalAgentHomeOptions {
  /** Contains `home` and `workspace` when these are not given. */
  readonly root: string;
  readonly homeDirectory?: string | undefined;
  readonly workspaceDirectory?: string | undefined;
}

/** An agent home in a local directory. Isolates settings and transcripts; does not restrict the agent's file access. */
export class LocalAgentHome implements AgentHome {
  readonly homeDirectory: string;
  readonly workspaceDirectory: string;
  readonly #running = new Set<AgentProcess>();

  constructor({ root, homeDirectory, workspaceDirectory }: LocalAgentHomeOptions) {
    this.homeDirectory = homeDirectory ?? join(root, 'home');
    this.workspaceDirectory = workspaceDirectory ?? join(root, 'workspace');
  }

  async start(): Promise<void> {
    await mkdir(this.homeDirectory, { recursive: true, mode: 0o700 });
    await mkdir(this.workspaceDirectory, { recursive: true });
  }

  async isHealthy(): Promise<boolean> {
    const folders = [this.homeDirectory, this.workspaceDirectory];
    const found = await Promise.all(folders.map((path) => stat(path).catch(() => undefined)));
    return found.every((folder) => folder?.isDirectory() === true);
  }

  async spawn(command: Omit<ProgramCommand, 'cwd'>): Promise<AgentProcess> {
    const program = await spawnProgram({ ...command, cwd: this.workspaceDirectory });
    this.#running.add(program);
    void program.exited.then(() => this.#running.delete(program));
    return program;
  }

  async readFile(path: string, offset = 0): Promise<Buffer | undefined> {
    try {
      const file = await open(path);
      try {
        const { size } = await file.stat();
        const bytes = Buffer.alloc(Math.max(0, size - offset));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, offset);
        return bytes.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isFileMissing(error)) return undefined;
      throw new Error(`Cannot read ${path}`, { cause: error });
    }
  }

  async writeFile(path: string, content: string | Uint8Array): Promise<void> {
    const temporary = `${path}.${randomUUID()}.tmp`;
    await mkdir(dirname(path), { recursive: true });
    try {
      await writeFile(temporary, content, { mode: 0o600 });
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw new Error(`Cannot write ${path}`, { cause: error });
    }
  }

  async deleteFile(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  listFiles(folder: string, ignore: readonly string[] = []): Promise<readonly HomeFile[]> {
    return walkTree(folder, { skippedFolders: ignore });
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((program) => program.end()));
  }
}
