import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnySequence, type Plant, type Step, steps } from './any-sequence.ts';

async function played(taken: readonly Step[], plant?: Plant): Promise<void> {
  const sequence = new AnySequence(plant);
  try {
    for (const step of taken) {
      await sequence.take(step);
      await sequence.check(step);
    }
  } finally {
    await sequence.close();
  }
}

it('leaves files and conversation as they should be, whatever agent, shell and person do', {
  timeout: 3_600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, (taken) => played(taken)),
    // `npm run test:property` makes many more.
    { numRuns: Number(process.env.ROBOTA_PROPERTY_RUNS ?? 20) },
  );
});

const write = (path: 'a.txt' | 'b.txt') => ({ path, how: 'write' }) as const;
const back = { kind: 'rewind', back: 0, what: 'both', conflicts: 'keep' } as const;

/** Each is sound by itself, and red with the mistake beside it. */
const MISTAKES: readonly (readonly [Plant, readonly Step[]])[] = [
  [
    'overwrites without asking',
    [{ kind: 'turn', deeds: [write('a.txt')] }, { kind: 'person', deed: write('a.txt') }, back],
  ],
  ['does not undo', [{ kind: 'turn', deeds: [write('b.txt')] }, back, { kind: 'undo' }]],
  [
    'forgets what a crash cut off',
    [
      { kind: 'turn', deeds: [write('b.txt')] },
      { kind: 'killed in a tool', path: 'a.txt' },
      { ...back, conflicts: 'overwrite' },
    ],
  ],
];

describe('a program that', () => {
  it.each(MISTAKES)('%s is noticed', async (plant, taken) => {
    await played(taken);
    await expect(played(taken, plant)).rejects.toThrow();
  });
});
