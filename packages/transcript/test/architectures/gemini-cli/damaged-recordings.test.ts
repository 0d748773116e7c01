import {
  applyStreamEvent,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  type ParsedTranscript,
  parseGeminiTranscriptFile,
  parseTranscripts,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { Dice, damage, damageValue } from '../../mutations.ts';
import { unnamedIn } from '../../sound-ids.ts';
import { CONTEXT, GeminiChat } from './gemini-chat.ts';
import { recordings } from './recordings.ts';

const CASES = 30;

/** A chat with what no recording has: rewinds, notices and restarts. */
const restless = new GeminiChat()
  .raw(CONTEXT)
  .user('u1', 'One')
  .answered('m1', 'Reading.', ['t1', 't2'])
  .message('i1', 'info', { content: 'Note' })
  .user('u2', 'Two')
  .rewindTo('u2')
  .checkpoint(CONTEXT, 'u1', 'm1', 'm1-answers')
  .raw({ sessionId: 'session-1', projectHash: 'hash', startTime: '2026-01-01T00:00:20.000Z' })
  .checkpoint(CONTEXT)
  .checkpoint(CONTEXT, 'u1', 'm1', 'm1-answers')
  .user('u3', 'Three')
  .checkpoint(CONTEXT, 'u1', 'm1');

const subjects = [
  { name: 'a restless chat', raw: { main: restless.text, subagents: [] }, live: [] },
  ...recordings,
].map(({ name, raw, live }, seed) => ({ name, raw, live, seed }));

describe.each(subjects)('damaged copies of $name', ({ seed, raw, live }) => {
  it('are read without an error, with valid results, in both views', () => {
    const dice = new Dice(seed + 1);
    const main = raw.main.split('\n');
    for (let round = 0; round < CASES; round++) {
      const copy = {
        main: damageChat(main, dice).join('\n'),
        subagents: (raw.subagents ?? []).map(({ id, transcript = '' }) => ({
          id,
          transcript: damageChat(transcript.split('\n'), dice).join('\n'),
        })),
      };
      const parsed = parseTranscripts('gemini-cli', copy);
      expectSound(parsed);
      expect(parseTranscripts('gemini-cli', copy)).toEqual(parsed);
      expectSound(parseGeminiTranscriptFile(copy, { view: 'program' }));
    }
  });

  it('are translated without an error', () => {
    const dice = new Dice(seed + 1001);
    for (let round = 0; round < (live.length === 0 ? 0 : CASES); round++) {
      const translator = createStreamTranslator('gemini-cli', () => 'now');
      const hit = new Set([dice.below(live.length), dice.below(live.length)]);
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

/** All kinds of damage, and rewinds and checkpoints in unexpected places. */
function damageChat(lines: readonly string[], dice: Dice): string[] {
  const damaged = damage(lines, dice);
  if (dice.below(3) > 0) return damaged;
  const id = /"id":\s*"([^"]*)"/.exec(dice.pick(lines))?.[1] ?? 'nobody';
  const extra = dice.pick([
    { $rewindTo: id },
    {
      $set: {
        messages: [
          { id, type: 'user', content: dice.pick(['x', null, [{ text: '<state_snapshot>' }]]) },
        ],
      },
    },
    { $set: { messages: [] } },
    { sessionId: 's', projectHash: 'p', messages: [null, { id }] },
    { id, type: 'user', content: [{ functionResponse: { response: null } }] },
    { id: `${id}_response`, type: 'gemini', toolCalls: [{ id }, null, { id, agentId: id }] },
  ]);
  damaged.splice(dice.below(damaged.length), 0, JSON.stringify(extra));
  return damaged;
}

function expectSound(parsed: ParsedTranscript): void {
  expect(unnamedIn(parsed)).toEqual([]);
  const ids = parsed.blocks.map((block) => block.id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { blocks } of parsed.subagents) {
    expect(new Set(blocks.map((block) => block.id)).size).toBe(blocks.length);
  }
  for (const { afterBlockId, conversationId, blocks } of parsed.superseded) {
    expect(blocks.length).toBeGreaterThan(0);
    if (conversationId === undefined && afterBlockId !== null) expect(ids).toContain(afterBlockId);
  }
  const json = JSON.stringify(parsed);
  expect(JSON.stringify(JSON.parse(json)) === json).toBe(true);
}
