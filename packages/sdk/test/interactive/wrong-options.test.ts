import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { createQuery, InteractiveSession } from '@robota-sdk/agent-sdk';
import { createZodFunctionTool } from '@robota-sdk/agent-tools';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { useTestPlace } from '../sandbox-home.ts';

/** As from JavaScript: the compiler would have refused all of this. */

const test = useTestPlace();

function open(options: Record<string, unknown>): InteractiveSession {
  const given = { cwd: test.project, provider: scriptedProvider(says('Hi.')), bare: true };
  return new InteractiveSession({ ...given, ...options } as never);
}

it.each([
  ['tools', {}, 'tools: a list of tools'],
  ['tools', [{ name: 'a' }], 'tools[0]: a tool with a schema and an execute function'],
  ['tools', [undefined], 'tools[0]: a tool'],
  ['agents', { reader: { prompt: 'Read.' } }, 'agents: a list of agents'],
  ['agents', [{ name: 'reader', prompt: 'Read.' }], 'agents[0]: an agent with a name'],
  ['skills', [{ name: 'cite' }], 'skills[0]: a skill with a name and a body'],
  ['plugins', [{ name: 'x' }], 'plugins[0]: a plugin with a manifest'],
  ['hooks', { BeforeTool: [] }, 'hooks.BeforeTool: one of the events PreToolUse'],
  ['hooks', { Stop: () => undefined }, 'hooks.Stop: a list of hooks'],
  ['hooks', { Stop: ['echo'] }, 'hooks.Stop[0]: a function'],
  ['permissionHandler', 'allow', 'permissionHandler: a function'],
  ['maxTurns', Number.NaN, 'maxTurns: a number'],
  ['maxBudgetTokens', -1, 'maxBudgetTokens: a number'],
  ['maxBudgetUsd', '5', 'maxBudgetUsd: a number'],
  ['temperature', 'hot', 'temperature: a number'],
  ['maxTokens', -1, 'maxTokens: a number'],
  ['stopSequences', 'END', 'stopSequences: a list of texts'],
  ['fallbackModels', [1], 'fallbackModels[0]: a text'],
  ['allowedTools', 'Read', 'allowedTools: a list of texts'],
])('says at once what is wrong with %s', (option, value, expected) => {
  let error: unknown;
  try {
    open({ [option]: value });
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({
    code: 'missing_option',
    message: expect.stringContaining(expected),
  });
});

it.each([
  [{}, 'needs a path, or data'],
  [{ data: 'R0lGOD', mimeType: 'image/gif' }, "Buffer.from(text, 'base64')"],
])('says what an attachment has to be', async (attachment, expected) => {
  const query = createQuery({ provider: scriptedProvider(says('Hi.')), bare: true });
  const asked = query('Look', { cwd: test.project, attachments: [attachment as never] });
  await expect(asked).rejects.toMatchObject({
    code: 'invalid_attachment',
    message: expect.stringContaining(expected),
  });
});

it('says that an object needs a schema', async () => {
  const query = createQuery({ provider: scriptedProvider(says('{}')), bare: true });
  for (const options of [undefined, {}]) {
    await expect(query.object('Go', options as never)).rejects.toMatchObject({ option: 'schema' });
  }
});

it('tells of a permission handler whose answer is none', async () => {
  const weather = createZodFunctionTool('Weather', 'Tells', z.object({}), () => 'sunny');
  const provider = scriptedProvider(calls({ id: '1', name: 'Weather', args: {} }), says('Done.'));
  const session = open({
    provider,
    tools: [weather],
    permissionHandler: () => ({ behavior: 'allow' }),
  });
  const errors: string[] = [];
  session.on('error', (error) => errors.push(error.message));
  await session.submit('Go');
  await session.shutdown();
  expect(errors).toEqual([expect.stringContaining('It has to answer true, false')]);
});

it('knows how often a model was asked that does not say what it used', async () => {
  const provider = scriptedProvider(says('no'), says('{"a":1}'));
  const query = createQuery({ provider, bare: true });
  const { requests, costUsd } = await query.object('Go', { schema: z.object({ a: z.number() }) });
  expect({ requests, costUsd }).toEqual({ requests: 2, costUsd: null });
});
