import { join } from 'node:path';
import { robotaHome } from '@robota-sdk/agent-sdk';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { takeFlags } from '../arguments/take-flags.ts';
import type { Output } from '../output.ts';
import type { TerminalSession } from '../terminal/run-terminal.ts';
import { UsageError } from '../usage-error.ts';
import { runInteractive } from './interactive.ts';
import { addressOf, type JoinAddress, joinAt, joinElsewhere, tokenIn } from './join-session.ts';
import { joinedSession } from './open-locally.ts';

const USAGE = 'Usage: robota attach [url] <session> [--token <token>]';

/** `robota attach`: a terminal for a session held by a server or another terminal. */
export async function runAttach(args: readonly string[], output: Output): Promise<number> {
  const { values, rest } = takeFlags(args, ['token']);
  const places = rest.filter((argument) => !argument.startsWith('-'));
  const [first = '', second] = places;
  const isAddress = /^(https?|wss?):\/\//.test(first);
  const id = isAddress ? second : first;
  if (id === undefined || id === '' || places.length !== (isAddress ? 2 : 1)) {
    throw new UsageError(USAGE);
  }
  const options = parseArguments(rest.filter((argument) => argument.startsWith('-')));
  if (options.print) throw new UsageError(USAGE);
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw new UsageError('attach needs a terminal; robota sessions follow prints a session.');
  }
  const token = values.token?.at(-1) ?? process.env.ROBOTA_TOKEN;
  const address = isAddress ? { url: first, token: token ?? ownToken() } : undefined;
  const session = await connect(id, address, token);
  return runInteractive(options, output, (choice) => {
    if (choice.kind === 'start') return Promise.resolve(attached(session));
    // A fork is created on the server that holds the session.
    if (choice.kind === 'copy') return session.fork({ at: choice.at }).then(attached);
    return undefined;
  });
}

function attached(session: Awaited<ReturnType<typeof joinAt>>): TerminalSession {
  return joinedSession(session, 'Attached; leaving does not end the session.');
}

async function connect(id: string, address: JoinAddress | undefined, token: string | undefined) {
  if (address) return joinAt(address, id);
  const { findServer } = await import('@robota-sdk/agent-transport/run');
  const server = findServer();
  if (server && token !== undefined) return joinAt({ ...addressOf(server), token }, id);
  const joined = await joinElsewhere(id).catch((error: Error) => {
    if (codeOf(error) !== 'session_not_found') throw error;
    throw new Error(
      `Session ${id} is open neither on the server that runs here nor in a terminal. Run robota sessions to list sessions.`,
    );
  });
  if (joined) return joined;
  throw new Error(
    `No server is running here, and session ${id} is open in no terminal. Start a server with robota serve, or open the session here with robota -r ${id}.`,
  );
}

function codeOf(error: Error): unknown {
  return 'code' in error ? error.code : undefined;
}

/** The token of this machine's server, also used for a server reached through a tunnel. */
function ownToken(): string | undefined {
  return tokenIn(join(robotaHome(), 'server-token'));
}
