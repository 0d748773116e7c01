import {
  createCodexTranscriptParser,
  parseCodexTranscriptFile,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { recordings } from './recordings.ts';
import { call, event, header, numbered, output, prompt, reply, rollout } from './rollout.ts';

describe('requests', () => {
  it.each(['0.166.0', '0.142.0'])('of %s mark the one that wrote a summary', (version) => {
    const text = recordings.find(({ name }) => name.startsWith(`${version}/app-compact`))?.text;

    const { requests } = parseCodexTranscriptFile(text ?? '');

    expect(requests?.map(({ cause, usage }) => [cause, usage.inputTokens])).toEqual([
      ['turn', 1000],
      ['compaction', 1000],
      ['turn', 1000],
    ]);
    expect(requests?.every(({ model, at }) => model !== undefined && at !== '')).toBe(true);
  });
});

it.each(['0.166.0', '0.142.0'])('lists the blocks a compaction of %s keeps', (version) => {
  const text = recordings.find(({ name }) => name.startsWith(`${version}/app-compact`))?.text;

  const { blocks } = parseCodexTranscriptFile(text ?? '');

  const compaction = blocks.find(({ metadata }) => metadata?.compaction !== undefined);
  const first = blocks.find(({ type }) => type === 'user_message');
  expect(compaction?.metadata?.compaction).toMatchObject({ keptBlockIds: [first?.id] });
});

it('gives a nested agent the same id in the thread that started it', () => {
  const spawn = (id: string, task: string) =>
    call(id, 'spawn_agent', JSON.stringify({ message: task }));
  const main = rollout(prompt('Go'), spawn('c1', 'Outer'), output('c1', '{"agent_id":"outer"}'));
  const outer = numbered(
    [header({ parent_thread_id: 'm' }, 'outer'), prompt('Outer'), spawn('c2', 'Inner')],
    0,
  );
  const inner = numbered([header({ parent_thread_id: 'outer' }, 'inner'), prompt('Inner')], 0);

  const { subagents } = parseCodexTranscriptFile({
    main,
    subagents: [
      { id: 'outer', transcript: outer },
      { id: 'inner', transcript: inner },
    ],
  });

  expect(subagents[0]?.blocks.filter(({ type }) => type === 'subagent')).toMatchObject([
    { toolUseId: 'c2', subagentId: 'inner' },
  ]);
});

describe('rolled-back turns', () => {
  it('are superseded, however often turns are rolled back', () => {
    const turn = (index: number) => [
      prompt(`Ask ${index}`),
      reply(`Answer ${index}`, `r${index}`),
      ...(index % 2 === 0 ? [event({ type: 'thread_rolled_back', num_turns: 1 })] : []),
    ];
    const many = Array.from({ length: 400 }, (_, index) => turn(index)).flat();

    const { blocks, superseded } = parseCodexTranscriptFile(rollout(...many));

    expect(blocks).toHaveLength(400);
    expect(superseded).toHaveLength(200);
    expect(superseded[1]?.afterBlockId).toBe('r1:0');
    expect(blocks.at(-1)?.id).toBe('r399:0');
  });

  it('can be all turns, and more than exist', () => {
    const text = rollout(
      prompt('One'),
      prompt('Two'),
      event({ type: 'thread_rolled_back', num_turns: 9 }),
      prompt('Three'),
    );

    const { blocks, superseded } = parseCodexTranscriptFile(text);

    expect(blocks.map(({ id }) => id)).toEqual(['user-Three']);
    expect(superseded.map(({ blocks: gone }) => gone.map(({ id }) => id))).toEqual([
      ['user-One', 'user-Two'],
    ]);
  });
});

it('counts missing history once, however often end is called', () => {
  const base = { history_base: { thread_id: 'nowhere', end_ordinal_exclusive: 5 } };
  const reader = createCodexTranscriptParser().start();
  for (const line of numbered([header(base), prompt('One')], 0).split('\n')) reader.line(line);

  const [first, second] = [reader.end(), reader.end()];

  expect(first.skipped.kinds).toEqual({ 'history_base/missing': 1 });
  expect(second).toEqual(first);
});
