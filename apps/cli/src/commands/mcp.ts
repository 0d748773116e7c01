import { createMcpTransport } from '@robota-sdk/agent-transport/mcp';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { portOf, takeFlags } from '../arguments/take-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { openCommandSession } from './open-session.ts';
import { untilSignal } from './until-signal.ts';

/** `robota mcp`: one session as an MCP server, on stdio, or over HTTP if a port is given. */
export async function runMcp(args: readonly string[], output: Output): Promise<number> {
  const { values, rest } = takeFlags(args, ['port', 'host']);
  const port = portOf(values);
  const options = parseArguments(rest);
  if (options.print || options.prompt !== undefined || options.session.kind === 'pick') {
    throw new UsageError(
      'Usage: robota mcp [--port N] [--host ADDRESS] [--continue | --resume ID]',
    );
  }
  const { session } = await openCommandSession(options);
  session.on('notice', ({ message }) => output.note(message));
  const http = port === undefined ? undefined : { port, hostname: values.host?.at(-1) };
  const transport = createMcpTransport({ http });
  const signal = untilSignal();
  transport.attach(session);
  await transport.start();
  if (http) announce(transport, output);
  await (http ? signal : Promise.race([signal, transport.closed()]));
  await transport.stop();
  await session.shutdown({ reason: 'other' });
  return EXIT.done;
}

function announce(transport: ReturnType<typeof createMcpTransport>, output: Output): void {
  const token = transport.getToken();
  output.writeLine(transport.getUrl());
  if (token?.isNew) output.note(`The token ${token.token} is shown once; kept in ${token.path}`);
  else if (token) output.note(`The token is in ${token.path}`);
}
