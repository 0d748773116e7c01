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
  /** Where to go on after a break. */
  readonly resumePoint: () => ResumePoint;
  readonly onMessage: (message: ServerMessage) => void;
  readonly onState: (state: ConnectionState) => void;
}

/** `closed` is final; `reason` says why, with an error when the server refused. */
export type ConnectionState =
  | { readonly state: 'connecting' | 'open' }
  | { readonly state: 'closed'; readonly reason: string; readonly error?: RemoteError };

/** A line to one session that comes back by itself after every break. */
export class Connection {
  readonly #parts: ConnectionParts;
  #socket: SocketLike | undefined;
  #isOpen = false;
  #isEnded = false;
  #failures = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pings: ReturnType<typeof setInterval> | undefined;
  #heardSincePing = true;

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
    socket.onmessage = (event: { readonly data: unknown }) => this.#heard(String(event.data));
    socket.onclose = (event: { readonly code: number; readonly reason: string }) =>
      this.#lost(event.code, event.reason);
    // `close` follows every error and is where it is dealt with.
    socket.onerror = () => undefined;
  }

  /** False when there is no line; what must not be lost is said again by its owner once there is. */
  send(message: ClientMessage): boolean {
    if (!this.#isOpen || !this.#socket) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Hangs up for good. The session goes on without us. */
  close(reason = 'closed here', error?: RemoteError): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#hangUp();
    this.#parts.onState({ state: 'closed', reason, ...(error && { error }) });
  }

  /** Something is amiss on this line: take another and go on after the last event. */
  reconnect(): void {
    if (this.#isEnded) return;
    this.#hangUp();
    this.#retryLater();
  }

  #opened(socket: SocketLike): void {
    if (socket !== this.#socket) return;
    this.#isOpen = true;
    this.#heardSincePing = true;
    this.#pings = setInterval(() => this.#ping(), this.#parts.pingMs);
    this.#parts.onState({ state: 'open' });
  }

  #heard(text: string): void {
    this.#heardSincePing = true;
    this.#failures = 0;
    const message = parseMessage(text);
    if (message) this.#parts.onMessage(message);
    else this.reconnect();
  }

  /** A line on which nothing was heard since the last ping is dead, whatever the socket believes. */
  #ping(): void {
    if (!this.#heardSincePing) {
      this.reconnect();
      return;
    }
    this.#heardSincePing = false;
    this.send({ type: 'ping' });
  }

  #lost(code: number, reason: string): void {
    const wasOpen = this.#isOpen;
    this.#hangUp();
    if (this.#isEnded) return;
    if (code === CLOSE_CODES.sessionClosed) this.close(reason);
    else if (wasOpen) this.#retryLater();
    else void this.#askWhy();
  }

  /** A browser does not say why a WebSocket was refused; a plain request does. */
  async #askWhy(): Promise<void> {
    const { address, sessionId, fetch } = this.#parts;
    const refusal = await fetch(apiUrl(address, `/api/sessions/${encodeURIComponent(sessionId)}`), {
      headers: authorization(address),
    }).then(
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
    // Half of the wait is left to chance, so that many clients do not come back in one moment.
    this.#retry = setTimeout(() => this.connect(), delay / 2 + (Math.random() * delay) / 2);
  }

  #hangUp(): void {
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

/** The server has passed the token's check and is believed; what is no JSON is a broken line. */
function parseMessage(text: string): ServerMessage | undefined {
  try {
    return JSON.parse(text) as ServerMessage;
  } catch {
    return undefined;
  }
}
