import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { expect, it } from 'vitest';
import { TOKEN, usePlace } from '../support/place.ts';

const place = usePlace();

/** A served session with two prompts, and a function to post to it. */
async function served() {
  const host = place.host();
  const session = await host.create({});
  await session.submit('one');
  await session.submit('two');
  const transport = createHttpTransport({ port: 0, token: TOKEN, host });
  await transport.start();
  place.after(() => transport.stop());
  const post = async (path: string, body: object) => {
    const response = await fetch(`${transport.getUrl()}/api/sessions/${session.sessionId}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const prompts = () =>
    session.getConversation().blocks.filter(({ type }) => type === 'user_message');
  return { session, post, prompts };
}

it('rewinds to before a prompt over HTTP, and undoes it', async () => {
  const { post, prompts } = await served();
  const to = prompts()[1]?.id;

  expect(await post('/rewind/preview', { to })).toEqual({
    status: 200,
    body: { to, prompt: 'two', files: [], notCovered: [], seen: expect.any(String) },
  });
  expect(await post('/rewind', { to, what: 'both' })).toEqual({
    status: 200,
    body: { to, what: 'both', prompt: 'two', files: [], kept: [] },
  });
  expect(prompts()).toHaveLength(1);
  expect(await post('/rewind/undo', {})).toMatchObject({ status: 200 });
  expect(prompts()).toHaveLength(2);
  expect(await post('/rewind/undo', {})).toMatchObject({
    status: 409,
    body: { error: { code: 'nothing_to_undo' } },
  });
});

it('refuses an unknown prompt and an unknown scope', async () => {
  const { post } = await served();

  expect(await post('/rewind', { to: 'nobody' })).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_prompt' } },
  });
  expect(await post('/rewind', { to: 'x', what: 'everything' })).toMatchObject({ status: 400 });
});

it('forks before a prompt', async () => {
  const { post, prompts } = await served();

  const { status, body } = await post('/fork', { at: prompts()[1]?.id });

  expect(status).toBe(201);
  expect(body.session_id).toEqual(expect.any(String));
  expect(await post('/fork', { at: 'nowhere' })).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_block' } },
  });
});
