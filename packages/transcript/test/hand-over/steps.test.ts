import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import {
  compactSteps,
  compareSteps,
  type HandOverStep,
  type ModelStep,
  toMessages,
  toSteps,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';

const timestamp = '2026-11-10T10:00:00.000Z';

const said = (id: string, content: string): ConversationBlock => ({
  type: 'user_message',
  id,
  timestamp,
  content,
});
const answered = (id: string, content: string): ConversationBlock => ({
  type: 'assistant_text',
  id,
  timestamp,
  content,
});
const asked = (toolUseId: string, toolName = 'Bash'): ConversationBlock => ({
  type: 'tool_use',
  id: toolUseId,
  timestamp,
  toolName,
  toolUseId,
  input: { command: 'ls' },
  status: 'success',
});
const result = (toolUseId: string, output: unknown): ConversationBlock => ({
  type: 'tool_result',
  id: `${toolUseId}:result`,
  timestamp,
  toolUseId,
  output,
  isError: false,
});

describe('steps', () => {
  it('puts parallel calls with their results in one step, and later messages in the next', () => {
    const steps = toSteps([
      said('u', 'Go.'),
      asked('a'),
      asked('b'),
      result('b', 'B'),
      result('a', 'A'),
      answered('t', 'Done.'),
    ]);

    expect(steps.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
    expect(outcomes(steps)).toEqual([
      ['a', 'A'],
      ['b', 'B'],
    ]);
  });

  it('gives an interrupted call an error result', () => {
    const steps = toSteps([said('u', 'Go.'), asked('a'), said('v', 'Stop.')]);

    expect(callsOf(steps)[0]?.result).toMatchObject({ isError: true, isMissing: true });
  });

  it('begins with the last summary, the kept blocks, and those after it', () => {
    const metadata = { compaction: { summary: 'We began.', keptBlockIds: ['v'] } };
    const blocks: ConversationBlock[] = [
      said('u', 'one'),
      said('v', 'two'),
      { type: 'system', id: 's', timestamp, subtype: 'status', message: 'Compacted', metadata },
      said('w', 'three'),
    ];

    expect(toSteps(blocks).map(textOf)).toEqual(['We began.', 'two', 'three']);
    expect(toSteps(blocks, { full: true }).map(textOf)).toEqual(['one', 'two', 'three']);
  });

  it('gives calls unique ids and names that every vendor accepts', () => {
    const steps = toSteps([
      asked('read.file|1', 'mcp tool.read'),
      result('read.file|1', 'x'),
      asked('a', '9lives'),
      asked('a'),
    ]);

    const calls = callsOf(steps);
    expect(calls.map(({ name }) => name)).toEqual(['mcp_tool_read', '_9lives', 'Bash']);
    expect(calls.every(({ id }) => /^[A-Za-z0-9_-]{1,64}$/.test(id))).toBe(true);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
  });
});

describe('fidelity', () => {
  it('counts missing, changed and added content, in order', () => {
    const source = toSteps([said('u', 'one'), asked('a'), result('a', 'A'), said('v', 'two')]);
    const written = toSteps([
      said('u', 'two'),
      asked('a'),
      result('a', 'Z'),
      said('v', 'one'),
      said('w', 'new'),
    ]);

    const { userTexts, calls, results } = compareSteps(source, written);

    expect(userTexts).toEqual({ of: 2, exact: 1, kept: 1, extra: 2 });
    expect(calls).toMatchObject({ of: 1, kept: 1 });
    expect(results).toMatchObject({ of: 1, kept: 0, extra: 1 });
  });
});

describe('compacting', () => {
  const steps = toSteps(
    Array.from({ length: 10 }, (_, index) =>
      said(`u${index}`, `prompt ${index} ${'x'.repeat(400)}`),
    ),
  );

  it('replaces everything but the end, and refuses an empty summary', async () => {
    const short = await compactSteps(steps, {
      keepTokens: 250,
      summarise: () => Promise.resolve('So far.'),
    });

    expect(short.map(textOf).map((text) => text.slice(0, 8))).toEqual([
      'So far.',
      'prompt 8',
      'prompt 9',
    ]);
    const empty = compactSteps(steps, { keepTokens: 250, summarise: () => Promise.resolve(' ') });
    await expect(empty).rejects.toThrow('the summary is empty');
  });
});

it('passes an image with its result to our engine, and never an empty message', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', data: 'iVBORw0', mediaType: 'image/png' },
  };
  const steps = toSteps([
    said('u', 'Look.'),
    asked('a'),
    result('a', [image]),
    asked('b'),
    result('b', ''),
  ]);
  const origin = { agent: 'codex', title: 'Codex', id: 's' };

  const messages = toMessages(steps, { id: 'n', cwd: '/', now: new Date(0), origin });

  expect(messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
  ]);
  expect(messages[2]).toMatchObject({
    content: '(no output)',
    parts: [{ type: 'text' }, { type: 'image_inline' }],
  });
  expect(messages[4]).toMatchObject({ content: '(no output)', metadata: { success: true } });
});

function callsOf(steps: readonly HandOverStep[]) {
  const models = steps.filter((step): step is ModelStep => step.role === 'assistant');
  return models.flatMap(({ pieces }) =>
    pieces.flatMap((piece) => (piece.type === 'call' ? [piece.call] : [])),
  );
}

function outcomes(steps: readonly HandOverStep[]) {
  return callsOf(steps).map(({ id, result: { parts } }) => [
    id,
    parts[0]?.type === 'text' ? parts[0].text : '',
  ]);
}

function textOf(step: HandOverStep): string {
  if (step.role === 'summary') return step.text;
  const [first] = step.role === 'user' ? step.parts : [];
  return first?.type === 'text' ? first.text : '';
}
