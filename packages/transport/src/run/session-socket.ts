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

/** A session of this process that others can join. */
export interface OpenSocket {
  readonly path: string;
  close(): Promise<void>;
}

/** Lets other processes of this user join a session of this one: the same protocol on a Unix socket. */
export async function openSessionSocket(
  session: AttachableSession,
  folder: string = runFolder(),
): Promise<OpenSocket> {
  const path = socketPath(session.sessionId, folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (await isHeld(path)) {
    throw Object.assign(new Error(`Another process already has ${session.sessionId} open.`), {
      code: 'EADDRINUSE',
    });
  }
  // File permissions replace the token, so the socket gets its final name only once it is private.
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

/** Ids of sessions that this user's processes have open; stale files are removed. */
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

/** Joins a session that another process of this user has open; undefined when none does. */
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
/** Longest path that fits a socket address on every system. */
const MAX_PATH_BYTES = 103;

function socketPath(sessionId: string, folder: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(sessionId)) {
    throw new Error(`"${sessionId}" is not the id of a session.`);
  }
  const path = join(folder, `${sessionId}${SUFFIX}`);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  throw new Error(`The path of the socket ${path} is longer than the system allows.`);
}

/** Whether a process accepts connections; otherwise the file is stale. */
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

/** A WebSocket constructor that connects to the socket file, whatever the URL says. */
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
