import {
  applyStreamEvent,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  type ParsedTranscript,
  parseTranscripts,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { Dice, damage, damageValue } from '../../mutations.ts';
import { unnamedIn } from '../../sound-ids.ts';
import { recordings } from './recordings.ts';

const CASES = 30;

/** Without the long notes of the harness, more cases fit into the time limit. */
const shortened = recordings.map(({ name, raw, live }, seed) => ({
  name,
  seed,
  main: raw.main.split('\n').filter((line) => line.length < 2500),
  subagents: raw.subagents ?? [],
  live: live.filter((event) => JSON.stringify(event).length < 2500),
}));

describe.each(shortened)('damaged copies of $name', ({ seed, main, subagents, live }) => {
  it('are read without an error, with valid results', () => {
    const dice = new Dice(seed + 1);
    for (let round = 0; round < CASES; round++) {
      const parsed = parseTranscripts('claude-agent-sdk', {
        main: damage(main, dice).join('\n'),
        subagents: subagents.map(({ id, transcript = '', meta }) => ({
          id,
          transcript: damage(transcript.split('\n'), dice).join('\n'),
          ...(meta === undefined ? {} : { meta: dice.pick([meta, '{', 'null', '[]']) }),
        })),
      });
      expectSound(parsed);
    }
  });

  it('are translated without an error', () => {
    const dice = new Dice(seed + 1001);
    for (let round = 0; round < CASES; round++) {
      const translator = createStreamTranslator('claude-agent-sdk', () => 'now');
      const hit = new Set([
        dice.below(live.length),
        dice.below(live.length),
        dice.below(live.length),
      ]);
      const events = live.flatMap((event, index) =>
        translator.translate(hit.has(index) ? damageValue(event, dice) : event),
      );
      const state = [...events, ...translator.end()].reduce(applyStreamEvent, EMPTY_CONVERSATION);
      expect(unnamedIn(state)).toEqual([]);
      const ids = state.blocks.map((block) => block.id);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });
});

function expectSound(parsed: ParsedTranscript): void {
  expect(unnamedIn(parsed)).toEqual([]);
  const ids = parsed.blocks.map((block) => block.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, blocks } of parsed.subagents) {
    expect(typeof id).toBe('string');
    expect(new Set(blocks.map((block) => block.id)).size).toBe(blocks.length);
  }
  for (const { afterBlockId, conversationId, blocks } of parsed.superseded) {
    expect(blocks.length).toBeGreaterThan(0);
    if (conversationId === undefined && afterBlockId !== null) expect(ids).toContain(afterBlockId);
  }
  const json = JSON.stringify(parsed);
  expect(JSON.stringify(JSON.parse(json)) === json).toBe(true);
}
