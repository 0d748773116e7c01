import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentPlaceRequest, type LiveSession, openAgentPlace } from '@robota-sdk/agent-sdk';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { WebSocket } from 'ws';
import { describeLiveSession } from '../../../sdk/test/live/describe-live-session.ts';
import { describeSessionView } from '../../../sdk/test/live/describe-session-view.ts';
import { FAKE_PROGRAMS, fakeProgram } from '../../../sdk/test/live/fake-programs.ts';
import { type Place, TOKEN, usePlace } from '../support/place.ts';

const place = usePlace();
const AGENTS = [{ name: 'robota', hanging: 'wait' }, ...FAKE_PROGRAMS];

for (const { name, hanging } of AGENTS) {
  describeLiveSession(`${name} over a server`, async () => {
    const session = await remote(place, name);
    const asking = name === 'robota' ? 'touch' : 'ask';
    return { session, asking, hanging, heardText: text(session), knownAs: 'owner' };
  });
  describeSessionView(`${name} over a server`, async () => {
    const view = await remote(place, name);
    return { view, happen: async () => void (await view.submit('hello')) };
  });
}

async function remote(where: Place, agent: string): Promise<LiveSession> {
  const host = where.host({ openPlace: (request) => openPlace(where, request) });
  const http = createHttpTransport({ port: 0, token: TOKEN, host });
  const ws = createWsTransport({ server: () => http.getServer(), token: TOKEN, host });
  await http.start();
  await ws.start();
  where.after(async () => {
    await ws.stop();
    await http.stop();
  });
  const server = new RemoteServer({ url: http.getUrl(), token: TOKEN, WebSocket });
  const session = server.openSession(await server.createSession({ agent }));
  where.after(() => session.shutdown());
  await session.whenReady();
  return session;
}

function openPlace({ project, home }: Place, { agent, cwd }: AgentPlaceRequest) {
  const where = cwd === project ? join(project, 'work') : cwd;
  mkdirSync(where, { recursive: true });
  return openAgentPlace({
    cwd: where,
    homeDirectory: join(home, agent),
    directory: join(home, 'agents'),
    program: fakeProgram(agent),
  });
}

/** Resolves with the first text, streamed or not. */
function text(session: LiveSession): Promise<void> {
  return new Promise((resolve) => {
    session.on('stream_event', () => {
      if (session.getConversation().blocks.some(({ type }) => type === 'assistant_text')) resolve();
    });
  });
}
