import { RemoteSession } from '@robota-sdk/agent-transport/client';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { type RemoteSessionState, remoteSessionStore } from '@robota-sdk/agent-transport/react';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { TOKEN, usePlace } from '../support/place.ts';

const place = usePlace();

async function openStore(token = TOKEN) {
  const session = place.session();
  const http = createHttpTransport({ port: 0, token: TOKEN });
  const ws = createWsTransport({ server: () => http.getServer(), token: TOKEN });
  for (const transport of [http, ws]) session.attachTransport(transport);
  await http.start();
  place.after(() => http.stop());
  await ws.start();
  place.after(() => ws.stop());
  const { sessionId } = session;
  const options = { url: http.getUrl(), token, sessionId, WebSocket, minReconnectMs: 1 };
  const store = remoteSessionStore({
    open: () => new RemoteSession(options),
    schedule: (update) => update(),
  });
  return { session, store };
}

type Store = Awaited<ReturnType<typeof openStore>>['store'];

function until(store: Store, isMet: (state: RemoteSessionState) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isMet(store.getState())) return;
      resolve();
    };
    place.after(store.subscribe(look));
    look();
  });
}

it('shows the conversation, and sent prompts until they start', async () => {
  const { store, session } = await openStore();
  await until(store, ({ isReady }) => isReady);

  const outcome = store.submit('hello');
  expect(store.getState().sent.map(({ text }) => text)).toEqual(['hello']);
  await outcome;

  expect(store.getState().conversation.blocks).toEqual(session.getBlocks());
  expect(store.getState().sent).toEqual([]);
  expect(store.getState().isExecuting).toBe(false);
});

it('lists a question until it is answered', async () => {
  const { store, session } = await openStore();
  await until(store, ({ isReady }) => isReady);

  const outcome = store.submit('touch');
  await until(store, ({ questions }) => questions.length === 1);
  const [question] = store.getState().questions;
  session.answerPermission(question?.id ?? '', false);
  await until(store, ({ questions }) => questions.length === 0);

  expect(await store.answer(question?.id ?? '', { decision: 'allow' })).toBe(false);
  await outcome;
});

it('reports why the server refused', async () => {
  const { store } = await openStore('a-wrong-token-that-is-long-enough-too');

  await until(store, ({ connection }) => connection.state === 'closed');

  expect(store.getState().connection).toMatchObject({ error: { code: 'unauthorized' } });
  expect(store.getState().isReady).toBe(false);
});

it('disconnects without subscribers and keeps its state', async () => {
  const { store } = await openStore();
  const leave = store.subscribe(() => undefined);
  await until(store, ({ isReady }) => isReady);
  await store.submit('hello');
  const { blocks } = store.getState().conversation;

  leave();

  expect(store.getState().conversation.blocks).toBe(blocks);
});
