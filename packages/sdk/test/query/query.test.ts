import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { calls, fails, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { createQuery } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

it('answers a prompt and streams on the way', async () => {
  const query = createQuery({
    provider: scriptedProvider(says('hello you', { deltas: ['hello ', 'you'] })),
  });
  const deltas: string[] = [];

  const answer = await query('hi', {
    cwd: place.project,
    onTextDelta: (delta) => deltas.push(delta),
  });

  expect([answer, deltas]).toEqual(['hello you', ['hello ', 'you']]);
});

it('gives overlapping questions their own answers, without memory of each other', async () => {
  const waiting = new Map<string, () => void>();
  const requests: number[] = [];
  const provider: Provider = {
    name: 'echo',
    async chat(messages) {
      requests.push(messages.length);
      const prompt = messages.at(-1)?.content ?? '';
      await new Promise<void>((resolve) => waiting.set(prompt, resolve));
      return createAssistantMessage(`answer to ${prompt}`);
    },
  };
  const query = createQuery({ provider, cwd: place.project, bare: true });

  const answers = Promise.all([query('first'), query('second')]);
  while (waiting.size < 2) await new Promise((resolve) => setImmediate(resolve));
  waiting.get('second')?.();
  waiting.get('first')?.();

  expect(await answers).toEqual(['answer to first', 'answer to second']);
  expect(requests).toEqual([2, 2]);
});

it('rejects when the model fails', async () => {
  const query = createQuery({
    provider: scriptedProvider(fails(new Error('no key'))),
    cwd: place.project,
  });

  await expect(query('hi')).rejects.toThrow('no key');
});

it('denies what would have to be asked, and runs it in a freer mode', async () => {
  const replies = [
    calls({ id: 'w', name: 'Write', args: { filePath: 'a.txt', content: 'x' } }),
    says('done'),
  ];
  const provider = scriptedProvider(...replies, ...replies);
  const query = createQuery({ provider, cwd: place.project });
  const file = join(place.project, 'a.txt');

  await query('write');
  const before = existsSync(file);
  await query('write', { permissionMode: 'acceptEdits' });

  expect([before, existsSync(file)]).toEqual([false, true]);
});

it('answers with what had arrived when it is called off', async () => {
  const controller = new AbortController();
  const provider = scriptedProvider(says('one two three', { deltas: ['one ', 'two ', 'three'] }));
  const query = createQuery({ provider, cwd: place.project });

  const answer = await query('count', {
    signal: controller.signal,
    onTextDelta: () => controller.abort(),
  });

  expect(answer).toBe('one ');
});

it('tells about compaction', async () => {
  const summaries: string[] = [];
  const inner = scriptedProvider(
    calls({ id: '1', name: 'Glob', args: { pattern: '*' } }),
    calls({ id: '2', name: 'Glob', args: { pattern: '*' } }),
    says('done'),
  );
  const provider: Provider = {
    name: 'nearly-full',
    async chat(messages, options) {
      if (messages.length === 1) return createAssistantMessage('the summary');
      const metadata = { inputTokens: 170_000, outputTokens: 10 };
      return { ...(await inner.chat(messages, options)), metadata };
    },
  };
  const query = createQuery({
    provider,
    cwd: place.project,
    onCompact: (summary) => summaries.push(summary),
  });

  await query('look around');

  expect(summaries).toEqual(['the summary']);
});
