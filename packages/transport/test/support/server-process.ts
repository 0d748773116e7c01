// A server in its own process, so that a test can kill it. Arguments: project, home, port, folder of the fake agents.
import { join } from 'node:path';
import { createProjectSessionStore, openAgentPlace, SessionHost } from '@robota-sdk/agent-sdk';
import { openSessionStore } from '@robota-sdk/agent-store/open';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { echoProvider } from './echo-provider.ts';

const [project = '', home = '', port = '0', fakes = ''] = process.argv.slice(2);
const token = process.env.SERVER_TOKEN ?? '';
const store = await openSessionStore(`sqlite:${join(home, 'sessions.db')}`);
const host = new SessionHost({
  store,
  node: 'test',
  openPlace: ({ agent, cwd }) =>
    openAgentPlace({
      cwd,
      homeDirectory: join(home, agent),
      directory: join(home, 'agents'),
      program: { command: join(fakes, `fake-${agent}.mjs`) },
    }),
  defaults: {
    cwd: project,
    provider: echoProvider(),
    bare: true,
    sessionStore: createProjectSessionStore(project),
  },
});
const http = createHttpTransport({ host, token, port: Number(port) });
const ws = createWsTransport({ host, token, server: () => http.getServer() });
await http.start();
await ws.start();
process.stdout.write(`${http.getUrl()}\n`);
