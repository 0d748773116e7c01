import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { createQuery, InteractiveSession, submitForObject } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const city = z.object({ name: z.string().describe('Its name'), people: z.number().int() });

describe('query.object', () => {
  it('gives a typed value and the result it was taken from', async () => {
    const provider = scriptedProvider(says('{"name":"Bern","people":134000}'));
    const query = createQuery({ provider, cwd: place.project });

    const { object, text } = await query.object('Which city?', { schema: city });

    const people: number = object.people;
    expect([object, people, text]).toEqual([
      { name: 'Bern', people: 134_000 },
      134_000,
      '{"name":"Bern","people":134000}',
    ]);
    expect(provider.requests[0]?.at(-1)?.content).toMatch(
      /^Which city\?\n\nWhen you are done, .*"description":"Its name"/s,
    );
  });

  it.each([
    ['a fence', 'Here you are:\n```json\n{"name":"Bern","people":1}\n```\nEnjoy!'],
    ['words', 'The answer is {"name":"Bern","people":1}.'],
  ])('finds the value between %s', async (_name, answer) => {
    const query = createQuery({ provider: scriptedProvider(says(answer)), cwd: place.project });

    expect((await query.object('Which?', { schema: city })).object.name).toBe('Bern');
  });

  it('sends an answer that does not fit back, once, with what is wrong', async () => {
    const provider = scriptedProvider(
      says('{"name":"Bern","people":"many"}'),
      says('{"name":"Bern","people":1}'),
    );
    const query = createQuery({ provider, cwd: place.project });

    const { object } = await query.object('Which?', { schema: city });

    expect(object).toEqual({ name: 'Bern', people: 1 });
    expect(provider.requests[1]?.at(-1)?.content).toMatch(
      /does not fit the JSON Schema:\n✖ Invalid input: expected number, received string\n {2}→ at people/,
    );
  });

  it('rejects with what was said when there is no value in the end', async () => {
    const provider = scriptedProvider(says('Dunno.'), says('Still dunno.'), says('{}'));
    const query = createQuery({ provider, cwd: place.project });

    await expect(query.object('Which?', { schema: city })).rejects.toMatchObject({
      name: 'ObjectOutputError',
      code: 'invalid_output',
      text: 'Still dunno.',
      problems: 'It is not JSON.',
    });
    expect(provider.requests).toHaveLength(2);
  });

  it('takes a JSON schema, as it comes from elsewhere', async () => {
    const schema = { type: 'array', items: { type: 'integer' }, minItems: 2 } as const;
    const provider = scriptedProvider(says('[1]'), says('[1, 2]'));

    const { object } = await createQuery({ provider, cwd: place.project }).object('Count', {
      schema,
    });

    expect(object).toEqual([1, 2]);
  });

  it('refuses what is no schema before anything is asked', async () => {
    const provider = scriptedProvider();
    const query = createQuery({ provider, cwd: place.project });

    await expect(query.object('Which?', { schema: 'city' as never })).rejects.toMatchObject({
      code: 'invalid_schema',
    });
    expect(provider.requests).toEqual([]);
  });
});

it('submitForObject asks a session that goes on', async () => {
  const provider = scriptedProvider(says('{"name":"Bern","people":1}'), says('It has bears.'));
  const session = new InteractiveSession({ cwd: place.project, provider });

  const { object } = await submitForObject(session, 'Which?', { schema: city });
  const outcome = await session.submit('And?');
  await session.shutdown();

  expect([object.name, outcome]).toMatchObject(['Bern', { result: { response: 'It has bears.' } }]);
  expect(session.getBlocks()[0]).toMatchObject({ type: 'user_message', content: 'Which?' });
});
