import { RemoteError } from '@robota-sdk/agent-transport/client';
import { describe, expect, it } from 'vitest';
import { PageApi } from '../src/api.ts';
import { readServerEvents } from '../src/server-events.ts';

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function apiAnswering(answer: unknown, status = 200) {
  const sent: Sent[] = [];
  const api = new PageApi({
    url: 'http://127.0.0.1:7070',
    token: 'secret',
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init ?? {} });
      return new Response(JSON.stringify(answer), { status });
    },
  });
  return { api, sent };
}

describe('requests of the page', () => {
  it('carry the token in a header, never in the URL', async () => {
    const { api, sent } = apiAnswering({ sessions: [], totals: {} });

    await api.listSessions({ state: 'waiting', cursor: undefined, limit: 50 });

    expect(sent[0]?.url).toBe('http://127.0.0.1:7070/api/sessions?state=waiting&limit=50');
    expect(sent[0]?.init).toMatchObject({
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      headers: { authorization: 'Bearer secret' },
    });
  });

  it('encode session ids in paths', async () => {
    const { api, sent } = apiAnswering({ ok: true });

    await api.act('../trust?x', 'compact');

    expect(sent[0]?.url).toBe('http://127.0.0.1:7070/api/sessions/..%2Ftrust%3Fx/compact');
  });

  it('report a refusal of the server', async () => {
    const { api } = apiAnswering({ error: { code: 'session_busy', message: 'Later.' } }, 409);

    const refusal = await api.forkSession('a').catch((error: unknown) => error);

    expect(refusal).toBeInstanceOf(RemoteError);
    expect(refusal).toMatchObject({ code: 'session_busy', message: 'Later.', status: 409 });
  });
});

it('reads server-sent events however they are split', async () => {
  const text = ': hello\n\nevent: row\ndata: {"a":\ndata: 1}\n\ndata: two\r\n\r\n';
  const bytes = new TextEncoder().encode(text);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });

  const events: string[] = [];
  for await (const data of readServerEvents(stream)) events.push(data);

  expect(events).toEqual(['{"a":\n1}', 'two']);
});
