import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userPaths } from '../paths.ts';

export const MEMORY_SCOPES = ['project', 'local', 'user'] as const;
type MemoryScope = (typeof MEMORY_SCOPES)[number];

/** A file whose text is part of every session in its scope. */
export interface MemoryFile {
  readonly scope: MemoryScope;
  readonly path: string;
  readonly exists: boolean;
}

/** The file of each scope: shared in the project, local to this machine, and for all projects of the user. */
export function memoryFiles(cwd: string): readonly MemoryFile[] {
  const claudeMd = join(cwd, 'CLAUDE.md');
  const agentsMd = join(cwd, 'AGENTS.md');
  // A project with only a CLAUDE.md keeps its notes there.
  const project = !existsSync(agentsMd) && existsSync(claudeMd) ? claudeMd : agentsMd;
  const paths = { project, local: join(cwd, 'CLAUDE.local.md'), user: userPaths().agentsMd };
  return MEMORY_SCOPES.map((scope) => {
    const path = paths[scope];
    return { scope, path, exists: existsSync(path) };
  });
}

/** Appends a line to a memory file atomically. */
export async function addToMemory(path: string, note: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const before = await readFile(target, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new Error(`Cannot read the memory file ${path}`, { cause: error });
  });
  const separator = before === '' || before.endsWith('\n') ? '' : '\n';
  await mkdir(dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID()}.tmp`;
  await writeFile(temporary, `${before}${separator}- ${note.replaceAll(/\s*\n\s*/g, ' ')}\n`);
  await rename(temporary, target);
}
