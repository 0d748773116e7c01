import {
  createAssistantMessage,
  createToolMessage,
  createUserMessage,
  type Message,
} from '@robota-sdk/agent-core';
import {
  assertStrictHistory,
  fails,
  says,
  scriptedProvider,
  strictProvider,
} from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

const ask = (...wanted: readonly (readonly [id: string, name?: string, args?: string])[]) =>
  createAssistantMessage(null, {
    toolCalls: wanted.map(([id, name = 'Read', args = '{}']) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  });
const user = createUserMessage('Hi');

describe('the strict checker', () => {
  it('accepts a history in which every call is answered', () => {
    const history = [
      user,
      ask(['1'], ['2']),
      createToolMessage('a', '1'),
      createToolMessage('b', '2'),
    ];

    expect(() => assertStrictHistory(history)).not.toThrow();
  });

  it.each<[string, readonly Message[]]>([
    [
      'Message 1 (assistant) has the call "1" without its result right after it.',
      [user, ask(['1'])],
    ],
    [
      'Message 1 (assistant) has the call "1" without its result right after it.',
      [user, ask(['1']), user, createToolMessage('a', '1')],
    ],
    [
      'Message 1 (assistant) has the call "1" without its result right after it.',
      [user, ask(['1'], ['2']), createToolMessage('b', '2'), createToolMessage('a', '1')],
    ],
    ['Message 1 (tool) answers no call in front of it.', [user, createToolMessage('a', '1')]],
    [
      'Message 3 (tool) answers no call in front of it.',
      [user, ask(['1']), createToolMessage('a', '1'), createToolMessage('a', '1')],
    ],
    [
      'Message 3 (assistant) repeats the call id "1".',
      [user, ask(['1']), createToolMessage('a', '1'), ask(['1']), createToolMessage('a', '1')],
    ],
    ['Message 0 (assistant) has a call without an id.', [ask([' '])]],
    ['Message 0 (assistant) calls a tool by the illegal name "a b".', [ask(['1', 'a b'])]],
    [
      'Message 0 (assistant) has arguments that are not a JSON object: [1]',
      [ask(['1', 'Read', '[1]'])],
    ],
    ['Message 0 (user) is empty.', [createUserMessage(' \n')]],
    ['Message 0 (assistant) is empty.', [createAssistantMessage('')]],
  ])('refuses: %s', (problem, history) => {
    expect(() => assertStrictHistory(history)).toThrow(problem);
  });

  it('makes a provider refuse as vendors do', async () => {
    const inner = scriptedProvider(says('Hi.'));
    const provider = strictProvider(inner);

    await expect(provider.chat([user, createAssistantMessage('Hi.')])).rejects.toMatchObject({
      status: 400,
      kind: 'invalid_request',
      isRetryable: false,
      message: 'invalid request: The request ends with a message of the assistant.',
    });
    await expect(provider.chat([user, ask(['1']), createToolMessage('a', '1')])).rejects.toThrow(
      'The request has tool results but defines no tools.',
    );
    await expect(provider.chat([])).rejects.toThrow('The request has no messages.');
    expect((await provider.chat([user])).content).toBe('Hi.');
  });
});

describe('the scripted provider', () => {
  it('says when its script is over', async () => {
    const provider = scriptedProvider(fails(new Error('Broken')));

    await expect(provider.chat([user])).rejects.toThrow('Broken');
    await expect(provider.chat([user])).rejects.toThrow(
      'The script has 1 replies; it was asked for one more.',
    );
    expect(provider.requests).toEqual([[user], [user]]);
  });
});
