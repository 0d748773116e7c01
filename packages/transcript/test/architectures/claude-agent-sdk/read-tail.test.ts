import { parseClaudeTranscriptFile } from '@robota-sdk/agent-transcript';
import { expect, it } from 'vitest';
import { readTail } from '../../../src/architectures/claude-agent-sdk/read-tail.ts';
import { ClaudeSession } from './claude-session.ts';
import { recordings } from './recordings.ts';

const files: readonly (readonly [string, string])[] = [
  ['a session of parallel tools', parallelSession()],
  ...recordings.map(({ name, raw }) => [name, raw.main] as const),
];

it.each(files)('for any tail of %s returns the blocks of a full reading, or nothing', (_, main) => {
  const lines = main.trimEnd().split('\n');
  const { blocks } = parseClaudeTranscriptFile(main);

  for (let cut = 0; cut < lines.length; cut++) {
    for (const limit of [1, 2, 5]) {
      const tail = readTail(lines.slice(cut), limit);
      if (tail !== undefined) expect(tail).toEqual(blocks.slice(-limit));
    }
  }
});

it('needs only a few more messages than it returns', () => {
  const lines = parallelSession().trimEnd().split('\n').slice(-30);

  expect(readTail(lines, 10)).toHaveLength(10);
});

function parallelSession(): string {
  const session = new ClaudeSession();
  for (let turn = 0; turn < 12; turn++) {
    session.user(`Step ${turn}`);
    session.says(`m${turn}`, 'Working.');
    const first = session.calls(`m${turn}`, `a${turn}`);
    const second = session.calls(`m${turn}`, `b${turn}`);
    session.says(`m${turn}`, 'On it.');
    session.from(first).result(`a${turn}`, 'one', { sourceToolAssistantUUID: first });
    session.from(second).result(`b${turn}`, 'two', { sourceToolAssistantUUID: second });
  }
  return session.text;
}
