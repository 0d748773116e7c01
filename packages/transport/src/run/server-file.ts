import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { robotaHome } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

const serverSchema = z.object({
  url: z.string(),
  pid: z.number().int().positive(),
  /** When the process began, as the system counts it; null where it does not say. */
  startedAt: z.string().nullable(),
  tokenPath: z.string(),
});

/** The server of this machine's user, as terminals and editors find it. */
export type RunningServer = z.infer<typeof serverSchema>;

/** Where running processes say that they run. */
export function runFolder(): string {
  return join(robotaHome(), 'run');
}

/** Says where this process serves; the returned function takes it back. */
export function announceServer(
  { url, tokenPath }: Pick<RunningServer, 'url' | 'tokenPath'>,
  folder: string = runFolder(),
): () => void {
  const { pid } = process;
  const server: RunningServer = { url, pid, startedAt: startTime(pid), tokenPath };
  const path = join(folder, SERVER_FILE);
  const temporary = `${path}.${pid}.tmp`;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(temporary, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  renameSync(temporary, path);
  return () => {
    // A server that was started after us has taken the place.
    if (readServer(path)?.pid === pid) rmSync(path, { force: true });
  };
}

/** The running server; undefined when there is none, or its process has ended without a word. */
export function findServer(folder: string = runFolder()): RunningServer | undefined {
  const server = readServer(join(folder, SERVER_FILE));
  if (!server || !isAlive(server.pid)) return undefined;
  const { startedAt } = server;
  const isSame = startedAt === null || startedAt === startTime(server.pid);
  return isSame ? server : undefined;
}

const SERVER_FILE = 'server.json';

function readServer(path: string): RunningServer | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`Cannot read ${path}`, { cause: error });
  }
  try {
    return serverSchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: nobody of ours wrote it.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A process id is given again; together with the time of its start it is one process. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold anything; the time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    // Other systems do not say; the process id has to do.
    return null;
  }
}
