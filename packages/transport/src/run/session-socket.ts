import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { AttachableSession } from '@robota-sdk/agent-sdk';
import { WebSocket } from 'ws';
import { RemoteSession } from '../client/remote-session.ts';
import type { FetchLike, SocketConstructor } from '../client/socket.ts';
import { createHttpTransport } from '../http/http-transport.ts';
import { createWsTransport } from '../ws/ws-transport.ts';
import { runFolder } from './server-file.ts';

/** A session that this process holds and others can join. */
export interface OpenSocket {
  readonly path: string;
  close(): Promise<void>;
}

/** Lets other processes of this user join a session that this one holds: the same protocol on a socket file. */
export async function openSessionSocket(
  session: AttachableSession,
  folder: string = runFolder(),
): Promise<OpenSocket> {
  const path = socketPath(session.sessionId, folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (await isHeld(path)) {
    throw Object.assign(new Error(`Another process holds ${session.sessionId} already.`), {
      code: 'EADDRINUSE',
    });
  }
  // Whoever may open the file is the user: no token is asked for. So it gets its name once it is the user's alone.
  const unnamed = join(folder, `.${randomUUID().slice(0, 8)}`);
  const http = createHttpTransport({ socketPath: unnamed, token: false });
  const ws = createWsTransport({ server: () => http.getServer(), token: false });
  http.attach(session);
  ws.attach(session);
  await http.start();
  chmodSync(unnamed, 0o600);
  await ws.start();
  renameSync(unnamed, path);
  return {
    path,
    async close() {
      await ws.stop();
      await http.stop();
      rmSync(path, { force: true });
    },
  };
}

/** Ids of sessions that running processes of this user hold; files of processes that have ended are removed. */
export async function listSocketSessions(folder: string = runFolder()): Promise<string[]> {
  const names = namesIn(folder).filter((name) => name.endsWith(SUFFIX));
  const held = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if (await isHeld(path)) return [name.slice(0, -SUFFIX.length)];
      rmSync(path, { force: true });
      return [];
    }),
  );
  return held.flat().sort();
}

/** Joins a session that another process of this user holds; undefined when none does. */
export async function joinSocketSession(
  sessionId: string,
  { folder = runFolder(), surface }: { readonly folder?: string; readonly surface?: string } = {},
): Promise<RemoteSession | undefined> {
  const path = socketPath(sessionId, folder);
  if (!(await isHeld(path))) return undefined;
  const session = new RemoteSession({
    url: 'http://localhost',
    sessionId,
    surface,
    WebSocket: socketOn(path),
    fetch: fetchOn(path),
  });
  try {
    await session.whenReady();
  } catch (error) {
    session.close();
    throw error;
  }
  return session;
}

const SUFFIX = '.sock';
/** What the system takes as the address of a socket. */
const MAX_PATH_BYTES = 103;

function socketPath(sessionId: string, folder: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(sessionId)) {
    throw new Error(`"${sessionId}" is not the id of a session.`);
  }
  const path = join(folder, `${sessionId}${SUFFIX}`);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  throw new Error(`The path of the socket ${path} is too long for the system.`);
}

/** Whether somebody answers there; a file that nobody listens on was left behind. */
function isHeld(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The client makes its sockets itself; this one leads to the file, whatever the address says. */
function socketOn(path: string): SocketConstructor {
  const open = (url: string, protocols: string[]) =>
    new WebSocket(url, protocols, { createConnection: () => connect(path) });
  return new Proxy(WebSocket, {
    construct: (_target, [url, protocols]) => open(url as string, protocols as string[]),
  }) as unknown as SocketConstructor;
}

function fetchOn(path: string): FetchLike {
  return (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(url);
      const options = { socketPath: path, path: `${pathname}${search}`, method, headers };
      const asked = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          const text = Buffer.concat(chunks).toString();
          const json = async (): Promise<unknown> => JSON.parse(text);
          resolve({ ok: status >= 200 && status < 300, status, json });
        });
      });
      asked.on('error', reject);
      asked.end(body);
    });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new Error(`Cannot list ${folder}`, { cause: error });
  }
}
