import {
  applyStreamEvent,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  parseTranscripts,
} from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { codexTranscriptParser } from '../../../src/architectures/codex/parse-transcript.ts';
import { unnamedIn } from '../../sound-ids.ts';
import { liveRecordings, recordings } from './recordings.ts';

const CASES = Number(process.env.ROBOTA_PROPERTY_RUNS ?? 500);

describe('damaged input', () => {
  it(`is read without throwing, the same every time, in ${CASES} mutations of the rollouts`, () => {
    const random = randomFrom(20261116);
    for (let index = 0; index < CASES; index++) {
      const text = mutate(pick(recordings, random).text, random);
      const agent = mutate(pick(recordings, random).text, random);
      const raw = { main: text, subagents: [{ id: 'other', transcript: agent }] };

      const parsed = parseTranscripts('codex', raw);

      expect(new Set(parsed.blocks.map((block) => block.id)).size).toBe(parsed.blocks.length);
      expect(unnamedIn(parsed)).toEqual([]);
      codexTranscriptParser.readTail?.(text.split('\n').slice(3), 3);
      if (index % 50 === 0) {
        expect(JSON.stringify(parseTranscripts('codex', raw))).toBe(JSON.stringify(parsed));
      }
    }
  });

  it(`is translated without throwing, in ${CASES} mutations of the live streams`, () => {
    const random = randomFrom(47);
    for (let index = 0; index < CASES; index++) {
      const { events } = pick(liveRecordings, random);
      const lines = mutate(events.map((event) => JSON.stringify(event)).join('\n'), random);
      const translator = createStreamTranslator('codex', () => '2000-01-01T00:00:00.000Z');
      let state = EMPTY_CONVERSATION;
      for (const line of lines.split('\n')) {
        for (const event of translator.translate(parse(line)))
          state = applyStreamEvent(state, event);
      }
      for (const event of translator.end()) state = applyStreamEvent(state, event);
      expect(unnamedIn(state)).toEqual([]);
    }
  });
});

type Random = () => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
}

/** One to four kinds of damage: lines lost, duplicated, swapped or truncated; values replaced, keys renamed. */
function mutate(text: string, random: Random): string {
  let lines = text.split('\n');
  const rounds = 1 + Math.floor(random() * 4);
  for (let round = 0; round < rounds; round++) lines = pick(DAMAGES, random)(lines, random);
  return lines.join('\n');
}

type Damage = (lines: string[], random: Random) => string[];

const DAMAGES: readonly Damage[] = [
  (lines, random) => lines.filter(() => random() > 0.15),
  (lines, random) => lines.flatMap((line) => (random() < 0.1 ? [line, line] : [line])),
  (lines, random) => [...lines].sort(() => random() - 0.5),
  (lines, random) => lines.map((line) => (random() < 0.1 ? line.slice(0, random() * 200) : line)),
  (lines, random) =>
    lines.map((line) =>
      random() < 0.2 ? line.replace(/"[^"]{1,60}"/, pick(VALUES, random)) : line,
    ),
  (lines, random) =>
    lines.map((line) =>
      random() < 0.3
        ? line.replace(/:(?:"[^"]*"|\d+|\[\]|null)/g, (old) => swap(old, random))
        : line,
    ),
  (lines, random) => lines.map((line) => (random() < 0.05 ? `\0\0${line}\uD800` : line)),
];

function swap(old: string, random: Random): string {
  return random() < 0.1 ? `:${pick(VALUES, random)}` : old;
}

const VALUES: readonly string[] = [
  'null',
  '{}',
  '[]',
  '0',
  '-1e999',
  'true',
  '""',
  '"__proto__"',
  '[[{"type":1}]]',
  '{"type":{"a":[null]}}',
  '"[elided 9 chars]"',
];
