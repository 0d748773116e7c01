import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVERYTHING, Scenario, type Step, steps } from './scenario.ts';
import { foldedView, followedView, liveView, openedView, type Plant, parsedView } from './views.ts';

async function played(taken: readonly Step[]): Promise<Scenario> {
  const scenario = new Scenario();
  for (const step of taken) await scenario.take(step);
  await scenario.session.whenReady();
  return scenario;
}

it('is the same session live, resumed, replayed, followed and parsed, whatever happened in it', {
  timeout: 3_600_000,
}, async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 4_000 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, cuts, async (taken, cut) => {
      const scenario = await played(taken);
      try {
        const live = await liveView(scenario);

        expect(openedView(scenario), 'from the record and the tail of the log').toEqual(live);
        expect(foldedView(scenario, 'whole'), 'from single pieces').toEqual(live);
        expect(foldedView(scenario, 'folds'), 'from joined lines').toEqual(live);
        expect({ ...followedView(scenario, cut), blocks: live.blocks }, 'followed').toEqual(live);
        expect(parsedView(scenario).blocks, 'parsed').toEqual(live.blocks);
        rmSync(scenario.store.getFilePath(scenario.session.sessionId), { force: true });
        expect(openedView(scenario), 'from the log alone').toEqual(live);
      } finally {
        await scenario.close();
      }
    }),
    // `npm run test:property` makes many more.
    { numRuns: Number(process.env.ROBOTA_PROPERTY_RUNS ?? 30) },
  );
});

/** What a careless reader might do; each of them has to be noticed. */
const BUGS: readonly (readonly [string, Plant])[] = [
  ['forgets what was displayed', (entry) => without(entry, 'prompt', 'display')],
  ['does not know the end of a turn', (entry) => unless(entry, 'turn_end')],
  ['loses thinking', (entry) => unless(entry, 'provider_thinking_delta')],
  ['does not clear', (entry) => (entry.mutation === 'clear' ? undefined : entry)],
  ['does not rewind', (entry) => (entry.mutation === 'truncate' ? undefined : entry)],
  ['does not compact', (entry) => (entry.mutation === 'replace_all' ? undefined : entry)],
  ['does not count subagents', (entry) => unless(entry, 'subagent_usage')],
  ['never starts a subagent', (entry) => unless(entry, 'subagent_started')],
  ['never ends a subagent', (entry) => unless(entry, 'subagent_ended')],
  ['takes a retry for an answer', (entry) => unless(entry, 'provider_retry')],
  ['loses results', (entry) => unless(entry, 'tool_execution_result')],
  ['loses the name', (entry) => unless(entry, 'session_renamed')],
  ['loses the model', (entry) => unless(entry, 'model_changed')],
  ['forgets that it was denied', (entry) => without(entry, 'tool_execution_result', 'errorCode')],
  ['counts no answers', (entry) => unless(entry, 'provider_response_normalized')],
];

function unless(entry: Parameters<Plant>[0], event: string): ReturnType<Plant> {
  return entry.event === event ? undefined : entry;
}

function without(entry: Parameters<Plant>[0], event: string, field: string): ReturnType<Plant> {
  return entry.event === event ? { ...entry, [field]: '' } : entry;
}

describe('a reader that', () => {
  it.each(BUGS)('%s is noticed', async (_name, plant) => {
    const taken = EVERYTHING.slice(0, plantEnd(_name));
    const scenario = await played(taken);
    try {
      const live = await liveView(scenario);

      expect(foldedView(scenario, 'whole')).toEqual(live);
      expect(foldedView(scenario, 'whole', plant)).not.toEqual(live);
    } finally {
      await scenario.close();
    }
  });
});

/** What is cleared afterwards hides bugs before it. */
function plantEnd(name: string): number {
  if (name.includes('clear')) return EVERYTHING.length;
  return name.includes('rewind') ? 8 : 7;
}
