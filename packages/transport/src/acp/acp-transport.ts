import { Readable, Writable } from 'node:stream';
import {
  type AgentConnection,
  type AnyMessage,
  MessageTooLargeError,
  ndJsonStream,
} from '@agentclientprotocol/sdk';
import {
  type AttachableSession,
  type TransportAdapter,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { AgentApp } from './agent-app.ts';
import type { AcpSessionSource } from './session-source.ts';
import { attachedSource } from './sources.ts';

/** Which sessions an editor can use, and over which streams. */
export interface AcpTransportOptions {
  /** Serves many sessions; without it, only the attached session is served. */
  readonly source?: AcpSessionSource | undefined;
  /** Replaces standard input. */
  readonly input?: Readable | undefined;
  readonly output?: Writable | undefined;
  /** Models an editor may switch to, besides the one in use. */
  readonly models?: readonly string[] | undefined;
  /** The agent's display name; `Robota` by default. */
  readonly title?: string | undefined;
  /** Receives notices that the editor cannot show; standard output belongs to the protocol. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** Serves sessions to editors as an agent of the Agent Client Protocol. */
export interface AcpTransport extends TransportAdapter {
  readonly name: 'acp';
  attach(session: AttachableSession): void;
  /** Settles when the editor has disconnected and its running prompts have stopped. */
  closed(): Promise<void>;
}

/** Serves sessions to an editor that speaks ACP. */
export function createAcpTransport(options: AcpTransportOptions = {}): AcpTransport {
  let { source } = options;
  let line: { readonly connection: AgentConnection; readonly ended: Promise<void> } | undefined;
  return {
    name: 'acp',
    attach(session) {
      source ??= attachedSource(toLiveSession(session));
    },
    async start() {
      if (line) return;
      if (!source) throw new Error('No session attached. Call attach() first.');
      const onNotice = options.onNotice ?? (() => undefined);
      const app = new AgentApp({
        source,
        models: options.models ?? [],
        title: options.title ?? 'Robota',
        onNotice,
      });
      const connection = app.connect(streamOf(options, onNotice));
      line = { connection, ended: connection.closed.then(() => app.leave()) };
    },
    async stop() {
      line?.connection.close();
      await line?.ended;
      line = undefined;
    },
    closed: () => line?.ended ?? Promise.resolve(),
  };
}

function streamOf(
  { input = process.stdin, output = process.stdout }: AcpTransportOptions,
  onNotice: (message: string) => void,
) {
  // EPIPE must end the connection, not the process.
  output.on('error', () => undefined);
  const incoming = Readable.toWeb(input) as ReadableStream<Uint8Array>;
  const { readable, writable } = ndJsonStream(Writable.toWeb(output), incoming);
  const messages = new TransformStream<AnyMessage, AnyMessage>();
  // A message that is too large ends the connection; only this says why.
  readable.pipeTo(messages.writable).catch((error: unknown) => {
    if (!(error instanceof MessageTooLargeError)) return;
    onNotice(
      `Disconnected: the editor sent a message of more than ${error.maxMessageBytes} bytes.`,
    );
  });
  return { readable: messages.readable, writable };
}
