import { deleteSession, SessionHost } from '@robota-sdk/agent-sdk';
import { createHttpTransport, type HttpTransport } from '@robota-sdk/agent-transport/http';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { parseArguments } from '../arguments/parse-arguments.ts';
import { portOf, takeFlags } from '../arguments/take-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { sessionDefaults } from './session-defaults.ts';
import { untilSignal } from './until-signal.ts';

const OWN_FLAGS = ['port', 'host', 'allow-origin', 'allow-host'];

/** `robota serve`: sessions over HTTP and WebSocket on one port, until a signal. */
export async function runServe(args: readonly string[], output: Output): Promise<number> {
  const { values, rest } = takeFlags(args, OWN_FLAGS);
  const port = portOf(values);
  const options = parseArguments(rest);
  if (options.print || options.prompt !== undefined || options.session.kind !== 'new') {
    throw new UsageError('Usage: robota serve [--port N] [--host ADDRESS] [--allow-origin URL]');
  }
  const { defaults, choice } = await sessionDefaults(options);
  const host = new SessionHost({ defaults });
  const shared = {
    host,
    deleteSession: options.persistence ? deleteSession : undefined,
    allowedOrigins: values['allow-origin'],
    allowedHosts: values['allow-host'],
  };
  const http = createHttpTransport({ ...shared, port, hostname: values.host?.at(-1) });
  const ws = createWsTransport({ ...shared, server: () => http.getServer() });
  const signal = untilSignal();
  await http.start();
  await ws.start();
  output.writeLine(http.getUrl());
  output.note(`Answers come from ${choice.kind}. ${welcome(http)}`);
  await signal;
  await ws.stop();
  await http.stop();
  await host.closeAll('other');
  return EXIT.done;
}

/** The token is shown once, as a link, when it was made; later only where it is kept. */
function welcome(http: HttpTransport): string {
  const token = http.getToken();
  if (!token) return '';
  return token.isNew
    ? `Open ${http.getUrl()}/#token=${token.token} (shown once; kept in ${token.path})`
    : `The token is in ${token.path}`;
}
