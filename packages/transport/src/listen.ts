import { once } from 'node:events';
import type { Server } from 'node:http';

/** Starts listening; a failure explains what to do. */
export async function listen(server: Server, port: number, hostname: string): Promise<void> {
  server.listen(port, hostname);
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const why = isTaken ? 'the port is in use; choose another one' : String(error);
    throw new Error(`Cannot listen on ${hostname}:${port}: ${why}`, { cause: error });
  }
}

/** Listens on a Unix socket instead of a port. */
export async function listenOnFile(server: Server, path: string): Promise<void> {
  server.listen(path);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new Error(`Cannot listen on ${path}: ${String(error)}`, { cause: error });
  }
}
