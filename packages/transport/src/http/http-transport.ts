import { randomUUID } from 'node:crypto';
import { once, setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { AttachableSession, TransportAdapter } from '@robota-sdk/agent-sdk';
import { Admission, type AdmissionOptions } from '../admission/admission.ts';
import type { ServerToken } from '../admission/server-token.ts';
import { listen, listenOnFile } from '../listen.ts';
import { SessionDirectory } from '../live/session-directory.ts';
import { type GatewayOptions, SessionGateway } from '../live/session-gateway.ts';
import { createApp, type HttpApp } from './app.ts';
import type { ServerParts } from './server-parts.ts';

/** Where the server listens, what it serves, and who may use it. */
export interface HttpTransportOptions extends GatewayOptions, AdmissionOptions, ServerParts {
  /** 7070 by default; 0 picks a free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default: only this machine. */
  readonly hostname?: string | undefined;
  /** A Unix socket to listen on instead of a port. */
  readonly socketPath?: string | undefined;
  /** A larger body is refused with 413. */
  readonly maxBodyBytes?: number | undefined;
  /** What `/readyz` reports; by default, ready while listening. */
  readonly isReady?: (() => boolean) | undefined;
  readonly heartbeatMs?: number | undefined;
  /** Bytes that may be pending for one client before it is dropped. */
  readonly maxLagBytes?: number | undefined;
}

/** Sessions over HTTP, events as server-sent events. */
export interface HttpTransport extends TransportAdapter {
  readonly name: 'http';
  attach(session: AttachableSession): void;
  getApp(): HttpApp;
  getServer(): Server;
  /** Where the server listens. */
  getUrl(): string;
  /** Undefined when no token is required. */
  getToken(): ServerToken | undefined;
}

const DEFAULT_PORT = 7070;
/** Room for a few images. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const HEARTBEAT_MS = 15_000;
/** Limits how long a client may take to send a request; responses have no limit. */
const REQUEST_TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
};

/** Serves sessions over HTTP. */
export function createHttpTransport(options: HttpTransportOptions = {}): HttpTransport {
  const gateway = new SessionGateway(options);
  let running: RunningServer | undefined;
  const started = (): RunningServer => {
    if (running) return running;
    throw new Error('Transport not started. Call start() first.');
  };
  return {
    name: 'http',
    attach: (session) => gateway.attach(session),
    async start() {
      if (running) return;
      gateway.assertReady();
      running = await startServer(gateway, options);
    },
    async stop() {
      const stopped = running;
      running = undefined;
      await stopped?.stop();
    },
    getApp: () => started().app,
    getServer: () => started().server,
    getUrl: () => started().url,
    getToken: () => started().token,
  };
}

interface RunningServer {
  readonly app: HttpApp;
  readonly server: Server;
  readonly url: string;
  readonly token: ServerToken | undefined;
  stop(): Promise<void>;
}

async function startServer(
  gateway: SessionGateway,
  options: HttpTransportOptions,
): Promise<RunningServer> {
  const admission = new Admission(options);
  const stopping = new AbortController();
  // Every event stream listens; each stops when its client disconnects.
  setMaxListeners(0, stopping.signal);
  const directory = new SessionDirectory(gateway, options.catalogue);
  const app = createApp({
    isReady: () => !stopping.signal.aborted && (options.isReady?.() ?? true),
    maxBodyBytes: options.maxBodyBytes ?? MAX_BODY_BYTES,
    shared: {
      gateway,
      directory,
      admission,
      parts: options,
      epoch: randomUUID(),
      heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
      maxLagBytes: options.maxLagBytes,
      stopping: stopping.signal,
    },
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    serverOptions: REQUEST_TIMEOUTS,
  }) as Server;
  const url = await listenWhere(server, options);
  // Queued prompts of the previous server run in the background.
  void gateway.host?.restore().catch((error: Error) => process.emitWarning(error));
  const stop = async () => {
    directory.close();
    await stopServer(server, stopping);
    await gateway.close();
  };
  return { app, server, url, token: admission.token, stop };
}

async function listenWhere(server: Server, options: HttpTransportOptions): Promise<string> {
  const { port = DEFAULT_PORT, hostname = '127.0.0.1', socketPath } = options;
  if (socketPath !== undefined) {
    await listenOnFile(server, socketPath);
    return 'http://localhost';
  }
  await listen(server, port, hostname);
  const name = hostname.includes(':') ? `[${hostname}]` : hostname;
  return `http://${name}:${(server.address() as AddressInfo).port}`;
}

/** Ends event streams, then the remaining connections; the sessions keep running. */
async function stopServer(server: Server, stopping: AbortController): Promise<void> {
  stopping.abort();
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
