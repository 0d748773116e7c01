import type { ClientMessage, ResumePoint, ServerMessage } from '../protocol.ts';
import { CLOSE_CODES } from '../wire-names.ts';
import { errorOf, type RemoteError } from './remote-error.ts';
import {
  apiUrl,
  authorization,
  type ServerAddress,
  socketProtocols,
  socketUrl,
} from './server-address.ts';
import type { FetchLike, SocketConstructor, SocketLike } from './socket.ts';

export interface ConnectionParts {
  readonly address: ServerAddress;
  readonly sessionId: string;
  readonly Socket: SocketConstructor;
  readonly fetch: FetchLike;
  readonly pingMs: number;
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  /** Where to resume after a reconnect. */
  readonly resumePoint: () => ResumePoint;
  readonly onMessage: (message: ServerMessage) => void;
  readonly onState: (state: ConnectionState) => void;
}

/** `closed` is final; `error` is set when the server refused. */
export type ConnectionState =
  | { readonly state: 'connecting' | 'open' }
  | { readonly state: 'closed'; readonly reason: string; readonly error?: RemoteError };

/** A connection to one session that reconnects by itself. */
export class Connection {
  readonly #parts: ConnectionParts;
  #socket: SocketLike | undefined;
  #isOpen = false;
  #isEnded = false;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pings: ReturnType<typeof setInterval> | undefined;
  #hasReceivedSincePing = true;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  connect(): void {
    const { address, sessionId, Socket, resumePoint, onState } = this.#parts;
    onState({ state: 'connecting' });
    const socket = new Socket(
      socketUrl(address, sessionId, resumePoint()),
      socketProtocols(address),
    );
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event: { readonly data: unknown }) => this.#received(String(event.data));
    socket.onclose = (event: { readonly code: number; readonly reason: string }) =>
      this.#lost(event.code, event.reason);
    // `close` follows every error and handles it.
    socket.onerror = () => undefined;
  }

  /** False when not connected; callers that need delivery send again after reconnecting. */
  send(message: ClientMessage): boolean {
    if (!this.#isOpen || !this.#socket) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Disconnects for good. The session keeps running. */
  close(reason = 'closed here', error?: RemoteError): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#disconnect();
    this.#parts.onState({ state: 'closed', reason, ...(error && { error }) });
  }

  /** Drops a faulty connection and resumes after the last event. */
  reconnect(): void {
    if (this.#isEnded) return;
    this.#disconnect();
    this.#retryLater();
  }

  #opened(socket: SocketLike): void {
    if (socket !== this.#socket) return;
    this.#isOpen = true;
    this.#hasReceivedSincePing = true;
    this.#pings = setInterval(() => this.#ping(), this.#parts.pingMs);
    this.#parts.onState({ state: 'open' });
  }

  #received(text: string): void {
    this.#hasReceivedSincePing = true;
    this.#failures = 0;
    const message = parseMessage(text);
    if (message) this.#parts.onMessage(message);
    else this.reconnect();
  }

  /** A connection without any message since the last ping is dead, whatever the socket reports. */
  #ping(): void {
    if (!this.#hasReceivedSincePing) {
      this.reconnect();
      return;
    }
    this.#hasReceivedSincePing = false;
    this.send({ type: 'ping' });
  }

  #lost(code: number, reason: string): void {
    const wasOpen = this.#isOpen;
    this.#disconnect();
    if (this.#isEnded) return;
    if (code === CLOSE_CODES.sessionClosed) this.close(reason);
    else if (wasOpen) this.#retryLater();
    else void this.#askWhy();
  }

  /** Browsers hide why a WebSocket was refused; a plain request shows it. */
  async #askWhy(): Promise<void> {
    const { address, sessionId, fetch } = this.#parts;
    const refusal = await fetch(
      apiUrl(address, `/api/sessions/${encodeURIComponent(sessionId)}?state=none`),
      {
        headers: authorization(address),
      },
    ).then(
      (response) => ([401, 403, 404].includes(response.status) ? errorOf(response) : undefined),
      () => undefined,
    );
    if (refusal) this.close(refusal.message, refusal);
    else this.#retryLater();
  }

  #retryLater(): void {
    if (this.#isEnded) return;
    const { minDelayMs, maxDelayMs } = this.#parts;
    const delay = Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(this.#failures, 16));
    this.#failures += 1;
    // Half of the delay is random, so that many clients do not reconnect at once.
    this.#retry = setTimeout(() => this.connect(), delay / 2 + (Math.random() * delay) / 2);
  }

  #disconnect(): void {
    clearInterval(this.#pings);
    clearTimeout(this.#retry);
    this.#isOpen = false;
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }
}

/** The server is trusted, so messages are not validated; invalid JSON means a broken connection. */
function parseMessage(text: string): ServerMessage | undefined {
  try {
    return JSON.parse(text) as ServerMessage;
  } catch {
    return undefined;
  }
}
