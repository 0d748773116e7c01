import { RemoteSession } from '@robota-sdk/agent-transport/client';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { ClaudeTranscript } from './support/claude-transcript.ts';
import { createPlace, runRobota } from './support/run-robota.ts';
import { eventually, type Served, serve } from './support/served.ts';

const SECRET = `sk-ant-api03-${'a1B2c3D4'.repeat(11)}`;
const OTHER = `ghp_${'Z9y8X7w6'.repeat(5)}`.slice(0, 40);
const FOREIGN = '7d1e0a52-0000-4000-8000-000000000001';

/** What a stream says until somebody has read `enough`. */
async function streamed(served: Served, path: string, token: string, enough: string) {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${served.url}${path}`, { headers, signal: stop.signal });
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (text.includes(enough)) break;
  }
  stop.abort();
  return text;
}

it('no route and no stream shows a secret to somebody who may only read', async () => {
  using place = createPlace();
  const reader = (await runRobota(place, ['token', 'new', 'ada', '--role', 'read'])).stdout.trim();
  new ClaudeTranscript(place.home, FOREIGN)
    .prompt(`Remember the key ${OTHER}`)
    .answer(`I keep ${OTHER} in mind.`);
  const served = await serve(place);
  const rows = streamed(served, '/api/sessions/events', reader, 'Renamed');
  const { session_id: id } = await served.json<{ session_id: string }>('POST', '/api/sessions', {
    name: `Remember ${SECRET}`,
  });
  const { url } = served;
  const owner = new RemoteSession({ url, token: served.token, sessionId: id, WebSocket });
  await owner.whenReady();
  const watching = new RemoteSession({ url, token: reader, sessionId: id, WebSocket });
  await watching.whenReady();
  await owner.submit(`Remember ${SECRET}`);
  const running = owner.submit(`run \`printf 'Remember ${SECRET}' && touch made.txt\``);
  await eventually(
    () => watching.getQuestions().length,
    (count) => count > 0,
  );

  const seen = new Map<string, string>();
  const read = async (path: string) => {
    const answer = await served.call('GET', path, undefined, reader);
    const text = await answer.text();
    seen.set(`${answer.status} ${path}`, text);
    return text;
  };
  await read(`/api/sessions/${id}/questions`);
  seen.set('questions on the socket', JSON.stringify(watching.getQuestions()));
  const [question] = owner.getQuestions();
  await owner.answer(question?.id ?? '', true);
  await running;
  await eventually(
    () => served.json<{ hits: unknown[] }>('GET', '/api/search?q=Remember'),
    (answer) => JSON.stringify(answer).includes(FOREIGN) && JSON.stringify(answer).includes(id),
  );

  await served.json('POST', '/api/messages', {
    user_id: OTHER,
    surface_id: `chat:${SECRET}`,
    text: `Remember ${SECRET}`,
  });
  await served.json('PATCH', `/api/sessions/${FOREIGN}?agent=claude`, { name: `Named ${OTHER}` });
  await served.json('PATCH', `/api/sessions/${id}`, { name: `Renamed ${OTHER}` });
  seen.set('rows', await rows);
  for (const path of ['/api/sessions', '/api/usage', '/api/trust', '/api/hand-overs', '/api/me']) {
    await read(path);
  }
  for (const words of ['Remember', SECRET, OTHER, SECRET.slice(0, 30)]) {
    await read(`/api/search?q=${encodeURIComponent(words)}`);
  }
  for (const session of [id, FOREIGN]) {
    const blocks = JSON.parse(await read(`/api/sessions/${session}/blocks`)) as {
      blocks?: { id: string }[];
    };
    for (const block of blocks.blocks ?? []) {
      await read(`/api/sessions/${session}/blocks/${encodeURIComponent(block.id)}`);
    }
    for (const format of ['json', 'markdown', 'html']) {
      await read(`/api/sessions/${session}/export?format=${format}`);
    }
    await read(`/api/sessions/${session}`);
  }
  seen.set('socket', JSON.stringify(watching.getConversation()));
  const events = `/api/sessions/${id}/events?after=0`;
  seen.set('events', await streamed(served, events, reader, 'Remember'));
  owner.close();
  watching.close();
  await served.stop();

  const leaks = [...seen].filter(([, text]) => text.includes(SECRET) || text.includes(OTHER));
  expect(leaks.map(([path, text]) => [path, text.slice(0, 400)])).toEqual([]);
  const failed = [...seen.keys()].filter((path) => /^[45]/.test(path));
  expect(failed).toEqual([]);
  expect(seen.get('socket')).toContain('Remember');
  expect(seen.get('events')).toContain('Remember');
  expect(seen.get('rows')).toContain('Named');
  expect(seen.get('rows')).toContain('chat:');
  expect(seen.size).toBeGreaterThan(20);
});
