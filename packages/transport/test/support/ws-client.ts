import type { ClientMessage, ServerMessage } from '@robota-sdk/agent-transport/protocol';
import { WebSocket } from 'ws';
import { TOKEN } from './place.ts';

/** A raw WebSocket client that records everything it receives. */
export class WsClient {
  readonly heard: ServerMessage[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<{ code: number; reason: string }>;
  #wake: () => void = () => undefined;

  constructor(url: string, token: string | null = TOKEN) {
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    this.socket = new WebSocket(url, { headers });
    this.socket.on('message', (data) => {
      this.heard.push(JSON.parse(String(data)));
      this.#wake();
    });
    this.closed = new Promise((resolve) => {
      this.socket.on('close', (code, reason) => {
        resolve({ code, reason: String(reason) });
        this.#wake();
      });
    });
    this.socket.on('error', () => this.#wake());
  }

  send(message: ClientMessage | string): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.socket.once('open', () => this.socket.send(text));
  }

  /** The first matching message from index `from` on. */
  async until<Found extends ServerMessage>(
    matches: (message: ServerMessage) => message is Found,
    from?: number,
  ): Promise<Found>;
  async until(matches: (message: ServerMessage) => boolean, from?: number): Promise<ServerMessage>;
  async until(matches: (message: ServerMessage) => boolean, from = 0): Promise<ServerMessage> {
    for (;;) {
      const found = this.heard.slice(from).find(matches);
      if (found) return found;
      if (this.socket.readyState > WebSocket.OPEN) {
        throw new Error(`The socket closed after ${this.heard.map(({ type }) => type)}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async ask(prompt: string, messageId: string): Promise<string> {
    this.send({ type: 'user', message: { content: prompt }, message_id: messageId });
    const result = await this.until(
      (message) => message.type === 'result' && message.message_id === messageId,
    );
    return 'result' in result ? String(result.result) : '';
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}

/** Positions of the received events, in order of arrival. */
export function numbersOf(messages: readonly ServerMessage[]): string[] {
  return messages.flatMap((message) =>
    'seq' in message && !['init', 'snapshot', 'prompt_accepted'].includes(message.type)
      ? [`${message.seq}.${message.part}`]
      : [],
  );
}

/** The same positions in their correct order. */
export function inOrder(numbers: readonly string[]): string[] {
  const parts = (text: string) => text.split('.').map(Number) as [number, number];
  return numbers.toSorted((one, other) => {
    const [[seq, part], [otherSeq, otherPart]] = [parts(one), parts(other)];
    return seq - otherSeq || part - otherPart;
  });
}

/** Positions that follow a missed frame. */
export function gapsIn(numbers: readonly string[]): string[] {
  return numbers.slice(1).filter((number, index) => {
    const [seq, part] = number.split('.').map(Number);
    const [seqBefore, partBefore = 0] = (numbers[index] ?? '').split('.').map(Number);
    return part !== (seq === seqBefore ? partBefore + 1 : 0);
  });
}
