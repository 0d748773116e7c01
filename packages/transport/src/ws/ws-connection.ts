import type { WebSocket } from 'ws';
import type { Admission } from '../admission/admission.ts';
import type { Identity } from '../admission/roles.ts';
import type { JournalEntry } from '../live/event-journal.ts';
import { Follower } from '../live/follower.ts';
import type { SessionGateway, Visit } from '../live/session-gateway.ts';
import { toWireError, WireError } from '../live/wire-error.ts';
import { CLOSE_CODES, type ClientMessage, type Reply, type ResumePoint } from '../protocol.ts';
import { type MessagePlace, readMessage, takeMessage } from './take-message.ts';

export interface ConnectionOptions {
  readonly visit: Visit;
  readonly gateway: SessionGateway;
  readonly identity: Identity;
  /** Checks whether the client's token is still valid. */
  readonly admission: Pick<Admission, 'isStillAdmitted' | 'watch'>;
  readonly resume: ResumePoint;
  readonly maxLagBytes: number | undefined;
}

/** Fill limit of the socket's buffer; the rest stays in the journal. */
const SOCKET_BYTES = 256 * 1024;
/** How long a dropped client may take to read the reason before its socket is terminated. */
const CLOSE_TIMEOUT_MS = 10_000;

/** One client: receives events and sends messages. Disconnecting cancels nothing. */
export class WsConnection {
  readonly #socket: WebSocket;
  readonly #place: MessagePlace;
  readonly #options: ConnectionOptions;
  readonly #follower: Follower;
  #isAlive = true;
  #admitted: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    const { gateway, identity, admission } = options;
    const { channel, leave } = options.visit;
    this.#place = { channel, gateway, identity };
    const feed = channel.feed(identity);
    const opening = feed.open(options.resume);
    this.#follower = new Follower(
      feed.journal,
      {
        write: (entry) => this.#write(entry),
        drop: (reason) => this.end(CLOSE_CODES.tooSlow, reason),
      },
      { after: opening.after, maxLagBytes: options.maxLagBytes },
    );
    socket.on('message', (bytes, isBinary) => void this.#take(String(bytes), isBinary));
    socket.on('pong', () => {
      this.#isAlive = true;
    });
    const unwatch = admission.watch(identity, () => {
      this.end(CLOSE_CODES.notAdmitted, 'The token was revoked.');
    });
    socket.on('close', () => {
      this.#follower.stop();
      unwatch();
      leave();
    });
    // The socket closes after an error with a fitting code.
    socket.on('error', () => this.#follower.stop());
    for (const reply of opening.replies) this.reply(reply);
    this.#follower.resume();
  }

  reply(reply: Reply): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(reply));
  }

  /** Pings the client; one that did not answer the last ping is terminated. */
  ping(): void {
    if (!this.#isAlive) {
      this.#socket.terminate();
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }

  /** Closes with a reason; terminates the socket when the client does not react in time. */
  end(code: number, reason: string, timeoutMs = CLOSE_TIMEOUT_MS): void {
    this.#follower.stop();
    this.#socket.close(code, reason.slice(0, 120));
    const timer = setTimeout(() => this.#socket.terminate(), timeoutMs).unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }

  #write({ bytes, type }: JournalEntry): boolean {
    const socket = this.#socket;
    socket.send(bytes, { binary: false }, () => {
      if (socket.bufferedAmount < SOCKET_BYTES / 2) this.#follower.resume();
    });
    if (type === 'session_closed') this.end(CLOSE_CODES.sessionClosed, 'The session has ended.');
    return socket.bufferedAmount < SOCKET_BYTES;
  }

  async #take(text: string, isBinary: boolean): Promise<void> {
    let messageId: string | undefined;
    try {
      if (isBinary) throw new WireError('invalid_message', 'Send text, not binary messages.');
      const message = readMessage(text);
      if ('message_id' in message) messageId = message.message_id;
      if (!this.#options.admission.isStillAdmitted(this.#options.identity)) {
        throw new WireError('unauthorized', 'The token was revoked.');
      }
      const reply = await this.#inOrder(message);
      if (reply) this.reply(reply);
    } catch (error) {
      const { code, message } = toWireError(error);
      this.reply({ type: 'protocol_error', code, message, message_id: messageId });
    }
  }

  /** Messages after a prompt may refer to it, so they wait until it is accepted. */
  #inOrder(message: ClientMessage): Promise<Reply | undefined> {
    const work = this.#admitted.then(() => takeMessage(this.#place, message));
    if (message.type === 'user') {
      this.#admitted = work.then(
        () => undefined,
        () => undefined,
      );
    }
    return work;
  }
}
