import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import type { SessionListPage, SessionRow } from '@robota-sdk/agent-transport/protocol';
import { expect, it } from 'vitest';
import { ClaudeTranscript } from '../../../../apps/cli/test/support/claude-transcript.ts';
import { TOKEN, usePlace } from '../support/place.ts';

const place = usePlace();
const idOf = (number: number) => `11111111-2222-4333-8444-${String(number).padStart(12, '0')}`;

/** A server with a catalogue that tests refresh explicitly. */
async function serve() {
  const catalogue = new SqliteCatalogue({
    home: place.home,
    robotaHome: join(place.home, '.robota'),
    environment: {},
  });
  place.after(() => catalogue.close());
  const listeners = new Set<() => void>();
  const host = place.host();
  const http = createHttpTransport({
    host,
    token: TOKEN,
    port: 0,
    catalogue: {
      catalogue,
      labels: catalogue.labels,
      onRefresh(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  await http.start();
  place.after(() => http.stop());
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const call = (method: string, path: string, body?: object) =>
    fetch(`${http.getUrl()}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
  return {
    host,
    call,
    list: async (query = '') =>
      (await (await call('GET', `/api/sessions${query}`)).json()) as SessionListPage,
    async refresh() {
      await catalogue.refresh();
      for (const listener of listeners) listener();
    },
  };
}

it('lists every session once, open ones first, page by page', async () => {
  const { host, list, refresh } = await serve();
  for (let number = 0; number < 7; number++) {
    new ClaudeTranscript(place.home, idOf(number)).prompt(`Prompt ${number}`).answer('Yes.');
  }
  const ours = await host.create({ sessionId: 'ours' });
  await ours.submit('Of our own');
  await host.create({ sessionId: 'silent' });
  await refresh();

  const pages: SessionRow[][] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await list(`?limit=3${query}`);
    pages.push(page.sessions);
    cursor = page.next_cursor;
  } while (cursor !== undefined);

  const ids = pages.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(9);
  expect(pages[0]?.map(({ id }) => id)).toEqual(expect.arrayContaining(['ours', 'silent']));
  expect(pages[0]?.find(({ id }) => id === 'ours')).toMatchObject({
    title: 'Of our own',
    access: 'drive',
    is_live: true,
    lifecycle: 'active',
  });
});

it('filters by agent, project, name and text', async () => {
  const { list, refresh, call } = await serve();
  new ClaudeTranscript(place.home, idOf(1), '/home/ada/atlas')
    .prompt('Slow relay')
    .answer('Lease.');
  new ClaudeTranscript(place.home, idOf(2), '/home/ada/docs').prompt('Write docs').answer('Done.');
  await refresh();
  const found = async (query: string) => (await list(query)).sessions.map(({ title }) => title);

  expect(await found('?agent=claude&project=docs')).toEqual(['Write docs']);
  expect(await found('?name=slow')).toEqual(['Slow relay']);
  expect(await found('?text=lease')).toEqual(['Slow relay']);
  expect(await found('?agent=codex')).toEqual([]);
  expect(await found('?since=2999-01-01T00:00:00Z')).toEqual([]);
  expect((await call('GET', '/api/sessions?cursor=nonsense')).status).toBe(400);
});

it('stores names, pins and archive flags of sessions of other agents separately', async () => {
  const { list, refresh, call } = await serve();
  const transcript = new ClaudeTranscript(place.home, idOf(1))
    .prompt('Slow relay')
    .answer('Lease.');
  await refresh();
  const path = `/api/sessions/${transcript.id}?agent=claude`;

  const changed = await call('PATCH', path, { name: 'The relay', is_pinned: true });
  const named = (await list()).sessions;
  await call('PATCH', path, { is_archived: true });
  const model = await call('PATCH', path, { model: 'x' });

  expect(changed.status).toBe(200);
  expect(named).toMatchObject([{ title: 'The relay', is_pinned: true }]);
  expect((await list()).sessions).toEqual([]);
  expect((await list('?archived=only')).sessions).toHaveLength(1);
  expect(model.status).toBeGreaterThanOrEqual(400);
});

it('lists pinned sessions on the first page however old they are, each once', async () => {
  const { list, refresh, call } = await serve();
  for (let number = 0; number < 5; number++) {
    new ClaudeTranscript(place.home, idOf(number)).prompt(`Prompt ${number}`).answer('Yes.');
  }
  await refresh();
  const oldest = (await list()).sessions.at(-1)?.id ?? '';
  await call('PATCH', `/api/sessions/${oldest}?agent=claude`, { is_pinned: true });

  const { sessions } = await list('?limit=2');

  expect(sessions).toHaveLength(3);
  expect(sessions.find(({ id }) => id === oldest)).toMatchObject({ is_pinned: true });
  expect((await list()).sessions).toHaveLength(5);
});

it('hides an archived session that is open here unless requested', async () => {
  const { host, list, refresh, call } = await serve();
  const session = await host.create({ sessionId: 'ours' });
  await session.submit('Of our own');
  await refresh();

  await call('PATCH', '/api/sessions/ours', { is_archived: true });

  expect((await list()).sessions).toEqual([]);
  expect((await list('?archived=only')).sessions).toMatchObject([{ id: 'ours' }]);
});

it('searches within one session', async () => {
  const { refresh, call } = await serve();
  for (const number of [1, 2]) {
    new ClaudeTranscript(place.home, idOf(number)).prompt('Slow relay').answer('Lease.');
  }
  await refresh();

  const response = await call('GET', `/api/search?q=lease&session=${idOf(2)}`);

  const { hits } = (await response.json()) as { hits: { session_id: string }[] };
  expect(hits.map(({ session_id }) => session_id)).toEqual([idOf(2)]);
});

it('reports rows as they change', async () => {
  const { host, refresh, call } = await serve();
  const response = await call('GET', '/api/sessions/events');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (expected: string) => {
    while (!text.includes(expected)) text += (await reader?.read())?.value ?? '';
  };
  await until(': here');

  const session = await host.create({ sessionId: 'ours' });
  await until('"id":"ours"');
  const asked = session.submit('touch');
  await until('"state":"waiting"');
  await session.abort();
  await asked;
  new ClaudeTranscript(place.home, idOf(1)).prompt('Slow relay');
  await refresh();
  await until('"title":"Slow relay"');

  await call('PATCH', `/api/sessions/${idOf(1)}?agent=claude`, { is_pinned: true });
  await until('"is_pinned":true');

  await reader?.cancel();
  expect(text).toContain('"access":"follow"');
});
