import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

export interface FoundProgram {
  readonly title: string;
  readonly command: string;
  /** Undefined if it is not installed. */
  readonly path: string | undefined;
}

const PROGRAMS = [
  { title: 'Claude Code', command: 'claude' },
  { title: 'Gemini CLI', command: 'gemini' },
  { title: 'Codex', command: 'codex' },
] as const;

/** Agent programs on the PATH. */
export function findPrograms(path: string = process.env.PATH ?? ''): Promise<FoundProgram[]> {
  return Promise.all(
    PROGRAMS.map(async ({ title, command }) => ({
      title,
      command,
      path: await which(command, path),
    })),
  );
}

async function which(command: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, command);
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}
