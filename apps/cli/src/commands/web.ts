import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { findServer, type RunningServer } from '@robota-sdk/agent-transport/run';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { programEnvironment } from '../program-environment.ts';
import { readServerOptions } from './serve.ts';
import { startServer } from './server/start-server.ts';
import { untilSignal } from './until-signal.ts';

/** `robota web`: opens the page of the running server, or starts a server and keeps it running. */
export async function runWeb(args: readonly string[], output: Output): Promise<number> {
  const noBrowser = args.includes('--no-open');
  const options = readServerOptions(
    'web',
    args.filter((argument) => argument !== '--no-open'),
  );
  const open = noBrowser ? () => undefined : openBrowser;
  const running = findServer();
  if (running) {
    showLink(await linkTo(running), { open, output });
    return EXIT.done;
  }
  const signal = untilSignal();
  const server = await startServer(options, output);
  output.note(`Serving at ${server.url}; press ctrl+c to stop.`);
  showLink(server.createLink(), { open, output });
  await signal;
  await server.stop();
  return EXIT.done;
}

/** Requests a login link from the running server with the token in our home. */
async function linkTo({ url, tokenPath }: RunningServer): Promise<string> {
  const token = readFileSync(tokenPath, 'utf8').trim();
  const response = await fetch(`${url}/api/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  }).catch((error: unknown) => {
    throw new Error(`The server at ${url} is not responding. Stop it and start another.`, {
      cause: error,
    });
  });
  if (!response.ok) throw new Error(`The server at ${url} refused a link (${response.status}).`);
  const { code } = (await response.json()) as { readonly code: string };
  return `${url}/#code=${code}`;
}

function showLink(
  link: string,
  { open, output }: { open: (link: string) => void; output: Output },
): void {
  output.writeLine(link);
  output.note('It works once, within two minutes.');
  open(link);
}

/** Failures are ignored: the link is printed as well. */
function openBrowser(link: string): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const [command = program] = [process.env.BROWSER].filter(Boolean);
  const child = spawn(command, [link], {
    stdio: 'ignore',
    detached: true,
    env: programEnvironment(),
  });
  child.on('error', () => undefined);
  child.unref();
}
