import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy to a server that can cut or stall connections, or drop the response to a write. */
export class FaultyLink {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #isSilent = false;
  #loss: { readonly marker: string; readonly meanwhile: () => Promise<void> } | undefined;
  /** Number of dropped responses. */
  lost = 0;

  private constructor(url: URL, standardPort: number) {
    this.#target = { host: url.hostname, port: Number(url.port || standardPort) };
  }

  /** Opens a link to the server of `url`. */
  static async open(url: string, standardPort: number): Promise<FaultyLink> {
    const link = new FaultyLink(new URL(url), standardPort);
    await link.restore();
    return link;
  }

  /** The address of the server through this proxy. */
  through(url: string): string {
    const linked = new URL(url);
    linked.hostname = '127.0.0.1';
    linked.port = String(this.#port);
    return linked.href;
  }

  /** Accepts connections but forwards nothing. */
  silence(): void {
    this.#isSilent = true;
  }

  /** Cuts every connection and refuses new ones. */
  async down(): Promise<void> {
    const closed = this.#server === undefined ? undefined : once(this.#server, 'close');
    this.#server?.close();
    this.cut();
    await closed;
    this.#server = undefined;
  }

  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Accepts connections again, on the same port. */
  async restore(): Promise<void> {
    this.#isSilent = false;
    if (this.#server !== undefined) return;
    this.#server = createServer((client) => this.#join(client)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Cuts the connection after the server has executed the next request that contains `marker`, then runs `meanwhile`. */
  loseAnswerTo(marker: string, meanwhile: () => Promise<void> = async () => undefined): void {
    this.#loss = { marker, meanwhile };
  }

  #join(client: Socket): void {
    const server = connect(this.#target);
    let meanwhile: (() => Promise<void>) | undefined;
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (this.#isSilent) return;
      if (this.#loss !== undefined && chunk.includes(this.#loss.marker)) {
        meanwhile = this.#loss.meanwhile;
        this.#loss = undefined;
      }
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      if (this.#isSilent) return;
      if (meanwhile === undefined) {
        client.write(chunk);
        return;
      }
      this.lost++;
      void meanwhile().finally(() => client.destroy());
    });
  }
}
