import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { robotaHome } from '@robota-sdk/agent-sdk';
import { z } from 'zod';

const serverSchema = z.object({
  url: z.string(),
  pid: z.number().int().positive(),
  /** Start time of the process in system ticks; null where unavailable. */
  startedAt: z.string().nullable(),
  tokenPath: z.string(),
});

/** The user's running server, as terminals and editors find it. */
export type RunningServer = z.infer<typeof serverSchema>;

/** Folder where running processes announce themselves. */
export function runFolder(): string {
  return join(robotaHome(), 'run');
}

/** Announces this process's server; the returned function withdraws it. */
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
    // A server started later may have replaced the file.
    if (readServer(path)?.pid === pid) rmSync(path, { force: true });
  };
}

/** The running server; undefined when there is none or its process has died. */
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
    // Not JSON, so not written by us.
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

/** Process ids are reused; id and start time together are unique. */
function startTime(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in parentheses and may contain anything; the start time is the 20th field after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    // Not available on other systems; the process id has to suffice.
    return null;
  }
}
