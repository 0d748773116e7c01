import { deleteSession, openHostStore, SessionHost } from '@robota-sdk/agent-sdk';
import {
  type AcpSessionSource,
  createAcpTransport,
  hostSource,
  serverSource,
} from '@robota-sdk/agent-transport/acp';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { findServer, joinSocketSession, type RunningServer } from '@robota-sdk/agent-transport/run';
import { WebSocket } from 'ws';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { agentTitle, readAgent } from '../arguments/read-agent.ts';
import { takeFlags } from '../arguments/take-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { addressOf } from './join-session.ts';
import { sessionDefaults } from './session-defaults.ts';
import { untilSignal } from './until-signal.ts';

/** The source of an editor's sessions, and its cleanup. */
interface Sessions {
  readonly source: AcpSessionSource;
  readonly models: readonly string[];
  end(): Promise<void>;
}

/** `robota acp`: sessions of any agent for an editor, over the Agent Client Protocol on stdio. */
export async function runAcp(args: readonly string[], output: Output): Promise<number> {
  const { values, rest } = takeFlags(args, ['agent']);
  const agent = readAgent(values.agent?.at(-1));
  // Flags configure sessions, so with flags this process creates them itself instead of using the server.
  const server = rest.length === 0 ? findServer() : undefined;
  const { source, models, end } = server
    ? sessionsOf(server, agent)
    : await openSessions(rest, agent);
  const title =
    agent === undefined || agent === 'robota' ? 'Robota' : `${agentTitle(agent)} (Robota)`;
  // Stdout carries the protocol; editors log stderr.
  const transport = createAcpTransport({
    source,
    models,
    title,
    onNotice: (message) => output.note(message),
  });
  const signal = untilSignal();
  await transport.start();
  await Promise.race([signal, transport.closed()]);
  await transport.stop();
  await end();
  // An open stdin of a disconnected editor must not keep the process alive.
  process.stdin.destroy();
  return EXIT.done;
}

function sessionsOf(running: RunningServer, agent: string | undefined): Sessions {
  const server = new RemoteServer({ ...addressOf(running), WebSocket });
  return { source: serverSource(server, agent), models: [], end: async () => undefined };
}

async function openSessions(rest: readonly string[], agent: string | undefined): Promise<Sessions> {
  const options = parseArguments(rest);
  if (options.print || options.prompt !== undefined || options.session.kind !== 'new') {
    throw new UsageError('Usage: robota acp [--agent NAME] [options]');
  }
  const { defaults, models } = await sessionDefaults(options);
  const { persistence } = options;
  const store = await openHostStore(persistence ? undefined : 'memory:');
  const host = new SessionHost({
    defaults,
    store,
    openElsewhere: (id) => joinSocketSession(id),
  });
  return {
    source: hostSource({ host, agent, ...(persistence && { deleteSession }) }),
    models,
    async end() {
      await host.closeAll('other');
      await store.close();
    },
  };
}
