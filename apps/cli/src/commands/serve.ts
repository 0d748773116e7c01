import { parseArguments } from '../arguments/parse-arguments.ts';
import { readAgent } from '../arguments/read-agent.ts';
import { portOf, takeFlags } from '../arguments/take-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { ARCHIVE_SERVE_FLAGS } from './archive/serve-archive.ts';
import { type ServerOptions, startServer } from './server/start-server.ts';
import { untilSignal } from './until-signal.ts';

const OWN_FLAGS = [
  'port',
  'host',
  'allow-origin',
  'allow-host',
  'store',
  'agent',
  ...ARCHIVE_SERVE_FLAGS,
];
const USAGE =
  '[--port N] [--host ADDRESS] [--store URL] [--archive URL] [--agent NAME] [--allow-origin URL] [--allow-host NAME]';

/** `robota serve`: every session of this machine over HTTP, WebSocket and MCP, and the page, until a signal. */
export async function runServe(args: readonly string[], output: Output): Promise<number> {
  const options = readServerOptions('serve', args);
  const signal = untilSignal();
  const server = await startServer(options, output);
  output.writeLine(server.url);
  output.note(`Answers come from ${server.choice.kind}. The token is in ${server.token?.path}`);
  output.note(`Open ${server.createLink()} (works once, within two minutes; later use robota web)`);
  await signal;
  await server.stop();
  return EXIT.done;
}

/** Server options from the command line. */
export function readServerOptions(command: string, args: readonly string[]): ServerOptions {
  const { values, rest } = takeFlags(args, OWN_FLAGS);
  const run = parseArguments(rest);
  if (run.print || run.prompt !== undefined || run.session.kind !== 'new') {
    throw new UsageError(`Usage: robota ${command} ${USAGE}`);
  }
  return {
    run,
    port: portOf(values),
    hostname: values.host?.at(-1),
    allowedOrigins: values['allow-origin'],
    allowedHosts: values['allow-host'],
    store: values.store?.at(-1),
    agent: readAgent(values.agent?.at(-1)),
    archive: { archive: values.archive, node: values.node, workspace: values.workspace },
  };
}
