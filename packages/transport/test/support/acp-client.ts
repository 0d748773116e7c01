import { PassThrough, Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import type { LiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import {
  type AcpTransportOptions,
  createAcpTransport,
  hostSource,
} from '@robota-sdk/agent-transport/acp';
import type { Place } from './place.ts';

export interface EditorOptions extends AcpTransportOptions {
  readonly host?: SessionHost;
  readonly attached?: LiveSession;
  readonly capabilities?: acp.ClientCapabilities;
  readonly agent?: string;
  onPermission?(
    request: acp.RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<acp.RequestPermissionResponse>;
  /** Adds capabilities to the editor. */
  extend?(client: acp.ClientApp): acp.ClientApp;
}

/** An editor from the official SDK connected to our agent by two pipes. */
export async function openEditor(place: Place, options: EditorOptions = {}) {
  const toAgent = new PassThrough();
  const toEditor = new PassThrough();
  const { host = place.host(), attached, capabilities = {}, agent, onPermission, extend } = options;
  const source = attached ? undefined : hostSource({ host, agent });
  const transport = createAcpTransport({ source, input: toAgent, output: toEditor, ...options });
  if (attached) transport.attach(attached);
  await transport.start();
  place.after(() => transport.stop());
  const updates: acp.SessionNotification[] = [];
  const listeners = new Set<() => void>();
  const plain = acp
    .client({ name: 'editor' })
    .onNotification(acp.methods.client.session.update, ({ params }) => {
      updates.push(params);
      for (const look of [...listeners]) look();
    })
    .onRequest(acp.methods.client.session.requestPermission, ({ params, signal }) =>
      onPermission
        ? onPermission(params, signal)
        : Promise.resolve({ outcome: { outcome: 'cancelled' as const } }),
    );
  const connection = (extend?.(plain) ?? plain).connect(
    acp.ndJsonStream(
      Writable.toWeb(toAgent),
      Readable.toWeb(toEditor) as ReadableStream<Uint8Array>,
    ),
  );
  const initialized = await connection.agent.request(acp.methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: capabilities,
  });
  return {
    editor: connection.agent,
    connection,
    transport,
    host,
    initialized,
    updates,
    /** The updates of one kind, without session ids. */
    updatesOf: <Kind extends acp.SessionUpdate['sessionUpdate']>(kind: Kind) =>
      updates.flatMap(({ update }) =>
        update.sessionUpdate === kind
          ? [update as Extract<acp.SessionUpdate, { sessionUpdate: Kind }>]
          : [],
      ),
    until: (isReached: (updates: readonly acp.SessionUpdate[]) => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!isReached(updates.map(({ update }) => update))) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    /** The concatenated text of the agent. */
    answerText: () =>
      updates
        .map(({ update }) =>
          update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
            ? update.content.text
            : '',
        )
        .join(''),
    vanish: () => toAgent.end(),
    writeRaw: (line: string) => toAgent.write(`${line}\n`),
    output: toEditor,
  };
}

export function text(content: string): acp.ContentBlock[] {
  return [{ type: 'text', text: content }];
}
