import { Readable, Writable } from 'node:stream';
import { type AgentConnection, ndJsonStream } from '@agentclientprotocol/sdk';
import {
  type AttachableSession,
  type TransportAdapter,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { AgentApp } from './agent-app.ts';
import type { AcpSessionSource } from './session-source.ts';
import { attachedSource } from './sources.ts';

/** Which sessions an editor reaches, and over which streams. */
export interface AcpTransportOptions {
  /** Many sessions; without it the one attached session is carried. */
  readonly source?: AcpSessionSource | undefined;
  /** In place of the process's own streams. */
  readonly input?: Readable | undefined;
  readonly output?: Writable | undefined;
  /** Models an editor may switch to, besides the one in use. */
  readonly models?: readonly string[] | undefined;
  /** What editors call the agent; `Robota` unless given. */
  readonly title?: string | undefined;
  /** Told what an editor has no place for; standard output belongs to the protocol. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** Sessions as an agent of the Agent Client Protocol, for editors. */
export interface AcpTransport extends TransportAdapter {
  readonly name: 'acp';
  attach(session: AttachableSession): void;
  /** Settles when the editor has gone and nothing that it asked for runs any more. */
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
      const app = new AgentApp({
        source,
        models: options.models ?? [],
        title: options.title ?? 'Robota',
        onNotice: options.onNotice ?? (() => undefined),
      });
      const connection = app.connect(streamOf(options));
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

function streamOf({ input = process.stdin, output = process.stdout }: AcpTransportOptions) {
  // A reader that has gone must end the connection, not the process.
  output.on('error', () => undefined);
  const incoming = Readable.toWeb(input) as ReadableStream<Uint8Array>;
  return ndJsonStream(Writable.toWeb(output), incoming);
}
