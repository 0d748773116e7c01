import { createHttpTransport } from '@robota-sdk/agent-transport/http';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { expect, it } from 'vitest';
import { TOKEN, usePlace } from './support/place.ts';
import { WsClient } from './support/ws-client.ts';

const place = usePlace();
const SEED = 20260728;
const ROUNDS = 400;

/** A seeded pseudo-random generator. */
function randomInteger(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  '',
  '\u0000\ud800',
  '../../etc/passwd',
  'x'.repeat(300),
  [],
  {},
  { __proto__: { polluted: true } },
  [{ type: 'text' }],
];

/** A valid message with one mutation. */
function mutated(valid: readonly object[], roll: (sides: number) => number): string {
  const picked = structuredClone(valid[roll(valid.length)]) as Record<string, unknown>;
  const keys = Object.keys(picked);
  const key = keys[roll(keys.length)] ?? 'type';
  if (roll(3) === 0) delete picked[key];
  else picked[key] = ODD[roll(ODD.length)];
  const text = JSON.stringify(picked);
  return roll(4) === 0 ? text.slice(0, roll(text.length)) : text;
}

it('answers every mutated HTTP request with a status and keeps running', async () => {
  const session = place.session();
  const transport = createHttpTransport({ port: 0, token: TOKEN });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  const app = transport.getApp();
  const roll = randomInteger(SEED);
  const bodies = [
    { content: 'hi', message_id: 'm1' },
    { decision: 'allow', pattern: 'Bash(*)', message: 'x' },
    { args: 'plan' },
    { session_id: 'x', name: 'y', model: 'z', permission_mode: 'plan' },
  ];
  const paths = ['prompts', 'permissions/x', 'commands/help', 'commands/%00', 'abort', 'fork', 'x'];
  const statuses = new Set<number>();

  for (let round = 0; round < ROUNDS; round++) {
    const id =
      roll(4) === 0 ? encodeURIComponent(JSON.stringify(ODD[roll(ODD.length)])) : session.sessionId;
    const path =
      roll(8) === 0 ? '/api/sessions' : `/api/sessions/${id}/${paths[roll(paths.length)]}`;
    const response = await app.request(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, host: 'localhost' },
      body: mutated(bodies, roll),
    });
    statuses.add(response.status);
    const body = (await response.json()) as { error?: { code: string; message: string } };
    if (response.status >= 400) expect(body.error?.code).toMatch(/^[a-z_]+$/);
  }

  expect([...statuses].sort()).toEqual([200, 202, 400, 404, 409]);
  session.abort();
  expect(await session.submit('still there')).toMatchObject({ status: 'completed' });
});

it('answers every mutated WebSocket message and keeps the connection open', async () => {
  const session = place.session({ queueDepth: 2 });
  const transport = createWsTransport({ port: 0, token: TOKEN });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  const client = new WsClient(transport.getUrl());
  await client.until((message) => message.type === 'snapshot');
  const roll = randomInteger(SEED + 1);
  const valid = [
    { type: 'user', message: { content: 'hi' }, message_id: 'm1' },
    { type: 'permission_response', request_id: 'x', decision: 'deny', message: 'no' },
    { type: 'command', name: 'help', args: '', message_id: 'm2' },
    { type: 'abort' },
    { type: 'cancel_queue' },
    { type: 'ping' },
  ];

  for (let round = 0; round < ROUNDS; round++) client.send(mutated(valid, roll));
  client.send({ type: 'ping' });
  const from = client.heard.length;
  await client.until((message) => message.type === 'pong', from);

  const errors = client.heard.flatMap((message) =>
    message.type === 'protocol_error' ? [message.code] : [],
  );
  expect(new Set(errors)).not.toContain('internal');
  expect(errors.length).toBeGreaterThan(ROUNDS / 2);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  await client.close();
});
