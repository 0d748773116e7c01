import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AttachableSession, TransportAdapter } from '@robota-sdk/agent-sdk';
import { WebSocketServer } from 'ws';
import { Admission, type AdmissionOptions } from '../admission/admission.ts';
import { assertRole } from '../admission/roles.ts';
import { listen } from '../listen.ts';
import { type GatewayOptions, SessionGateway } from '../live/session-gateway.ts';
import { toWireError, WireError } from '../live/wire-error.ts';
import { CLOSE_CODES, PROTOCOL } from '../protocol.ts';
import { findDestination, refuseUpgrade } from './upgrade.ts';
import { WsConnection } from './ws-connection.ts';

/** The server to listen on, and the sessions to serve. */
export interface WsTransportOptions extends GatewayOptions, AdmissionOptions {
  /** A server to share, such as that of the HTTP transport; by default a new one is started. */
  readonly server?: Server | (() => Server) | undefined;
  /** 7071 by default; 0 picks a free port. */
  readonly port?: number | undefined;
  /** 127.0.0.1 by default: only this machine. */
  readonly hostname?: string | undefined;
  /** A client that sends a larger message is closed with 1009. */
  readonly maxMessageBytes?: number | undefined;
  /** A client that does not answer a ping within this interval is terminated. */
  readonly pingIntervalMs?: number | undefined;
  /** Bytes that may be pending for one client before it is dropped. */
  readonly maxLagBytes?: number | undefined;
}

/** Sessions over WebSocket, in both directions, with the same event positions as over HTTP. */
export interface WsTransport extends TransportAdapter {
  readonly name: 'ws';
  attach(session: AttachableSession): void;
  getServer(): Server;
  /** Where the server listens, `ws://…`. */
  getUrl(): string;
}

const DEFAULT_PORT = 7071;
/** Room for a few images. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const PING_INTERVAL_MS = 30_000;
/** How long a stopping server waits for its clients; whoever stops it may wait for only ten seconds in all. */
const STOP_TIMEOUT_MS = 1_000;

/** Serves sessions over WebSocket. */
export function createWsTransport(options: WsTransportOptions = {}): WsTransport {
  const gateway = new SessionGateway(options);
  let running: RunningSockets | undefined;
  const started = (): RunningSockets => {
    if (running) return running;
    throw new Error('Transport not started. Call start() first.');
  };
  return {
    name: 'ws',
    attach: (session) => gateway.attach(session),
    async start() {
      if (running) return;
      gateway.assertReady();
      const sockets = new RunningSockets(gateway, options);
      await sockets.start();
      running = sockets;
    },
    async stop() {
      const stopped = running;
      running = undefined;
      await stopped?.stop();
    },
    getServer: () => started().server,
    getUrl: () => started().url,
  };
}

/** The sockets of one started transport. */
class RunningSockets {
  readonly server: Server;
  readonly #options: WsTransportOptions;
  readonly #gateway: SessionGateway;
  readonly #admission: Admission;
  readonly #sockets: WebSocketServer;
  readonly #connections = new Set<WsConnection>();
  readonly #ownsServer: boolean;
  #pings: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(gateway: SessionGateway, options: WsTransportOptions) {
    this.#gateway = gateway;
    this.#options = options;
    this.#admission = new Admission(options);
    this.#ownsServer = options.server === undefined;
    this.server = serverOf(options);
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: options.maxMessageBytes ?? MAX_MESSAGE_BYTES,
      perMessageDeflate: false,
      handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
    });
  }

  get url(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `ws://${address.includes(':') ? `[${address}]` : address}:${port}`;
  }

  async start(): Promise<void> {
    this.server.on('upgrade', this.#upgrade);
    const { port = DEFAULT_PORT, hostname = '127.0.0.1' } = this.#options;
    if (this.#ownsServer) await listen(this.server, port, hostname);
    const interval = this.#options.pingIntervalMs ?? PING_INTERVAL_MS;
    this.#pings = setInterval(() => this.#pingAll(), interval).unref();
  }

  /** Disconnects all clients; the sessions keep running. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#pings);
    this.server.off('upgrade', this.#upgrade);
    const gone = [...this.#sockets.clients].map((socket) => once(socket, 'close'));
    for (const connection of this.#connections) {
      connection.end(CLOSE_CODES.stopping, 'The server is stopping.', STOP_TIMEOUT_MS);
    }
    await Promise.all(gone);
    await this.#gateway.close();
    if (!this.#ownsServer) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  readonly #upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Ignores a client that disconnects during admission.
    socket.on('error', () => socket.destroy());
    this.#accept(request, socket, head).catch((error: unknown) =>
      refuseUpgrade(socket, toWireError(error)),
    );
  };

  async #accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { host, origin, authorization } = request.headers;
    const protocols = request.headers['sec-websocket-protocol'];
    const address = request.socket.remoteAddress ?? 'unknown';
    const caller = { host, origin, authorization, protocols, address };
    const identity = this.#admission.admit(caller);
    assertRole(identity, 'read');
    const { visit, resume } = await findDestination(this.#gateway, request);
    if (socket.destroyed || this.#isStopping) {
      visit.leave();
      if (socket.destroyed) return;
      throw new WireError('server_stopping', 'The server is stopping.');
    }
    const { maxLagBytes } = this.#options;
    const admission = this.#admission;
    const facts = { visit, resume, maxLagBytes, gateway: this.#gateway, identity, admission };
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      const connection = new WsConnection(client, facts);
      this.#connections.add(connection);
      client.on('close', () => this.#connections.delete(connection));
    });
  }

  #pingAll(): void {
    for (const connection of this.#connections) connection.ping();
  }
}

function serverOf({ server }: WsTransportOptions): Server {
  if (typeof server === 'function') return server();
  return (
    server ??
    createServer((_request, response) => {
      const error = new WireError('upgrade_required', 'This address speaks WebSocket.');
      response.writeHead(error.status, {
        'content-type': 'application/json',
        upgrade: 'websocket',
      });
      response.end(JSON.stringify(error.toJSON()));
    })
  );
}
