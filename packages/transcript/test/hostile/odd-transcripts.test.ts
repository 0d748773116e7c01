import { parseTranscripts } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { Dice } from '../mutations.ts';
import { brokenPromises } from './invalid-blocks.ts';
import { smallSessions } from './small-sessions.ts';

const ODD_VALUES: readonly unknown[] = [
  null,
  0,
  -1.5,
  1e308,
  true,
  '',
  'x'.repeat(5000),
  '__proto__',
  '\ud800',
  [],
  [null],
  [[]],
  {},
  { type: 'text' },
  { text: 5 },
];

/** Recordings are many and long, so that a sample of their values is replaced. */
const MOST_CASES = Number(process.env.ROBOTA_PROPERTY_RUNS ?? 30);
const MOST_ORDERS = Number(process.env.ROBOTA_PROPERTY_RUNS ?? 12);

it.each(smallSessions)('$name keeps what a reading promises', ({ type, raw }) => {
  expect(brokenPromises(parseTranscripts(type, raw))).toEqual([]);
});

const sessionsOfLines = smallSessions.filter(({ raw }) => !raw.main.startsWith('{\n'));

describe.each(sessionsOfLines)('$name', ({ type, raw }) => {
  const lines = raw.main.split('\n').filter((line) => line !== '');

  it('keeps it with any value replaced by another one', () => {
    const dice = new Dice(lines.length);
    const places = lines.flatMap((line, index) =>
      placesIn(JSON.parse(line)).map((path) => ({ index, path })),
    );
    const rate = Math.max(1, (places.length * ODD_VALUES.length) / MOST_CASES);
    for (const { index, path } of places) {
      for (const odd of ODD_VALUES) {
        if (dice.below(1000) >= 1000 / rate) continue;
        const main = lines.toSpliced(index, 1, withOdd(lines[index] ?? '', path, odd)).join('\n');
        const parsed = parseTranscripts(type, { ...raw, main });
        expect(brokenPromises(parsed), `${index} ${path.join('.')} ${String(odd)}`).toEqual([]);
      }
    }
  });

  it('keeps it with lines in another order, and without any one of them', () => {
    const dice = new Dice(lines.length);
    const orders = [
      lines.toReversed(),
      ...Array.from({ length: 4 }, () => shuffled(lines, dice)),
      ...Array.from({ length: MOST_ORDERS }, (_, round) => {
        const index = dice.below(lines.length);
        const others = lines.toSpliced(index, 1);
        return round % 2 === 0 ? others : [...others, lines[index] ?? ''];
      }),
    ];
    // In our own log the entries are numbered; it is read in its order.
    const isOwnLog = type === 'robota';
    for (const order of orders) {
      const problems = brokenPromises(parseTranscripts(type, { ...raw, main: order.join('\n') }));
      expect(problems.filter((one) => !isOwnLog || !one.endsWith('with a result'))).toEqual([]);
    }
  });

  it('reads the same with line ends and marks of other systems', () => {
    const whole = JSON.stringify(withoutOffsets(parseTranscripts(type, raw)));
    const texts = [`${lines.join('\r\n')}\r\n`, `\ufeff${lines.join('\n')}`, lines.join('\n\n\n')];

    for (const main of texts) {
      expect(JSON.stringify(withoutOffsets(parseTranscripts(type, { ...raw, main })))).toBe(whole);
    }
  });
});

/** Old rollouts and logs have no times or numbers, so that a repeated line can be another one. */
const repeatable = sessionsOfLines.filter(
  ({ type, name }) => type !== 'robota' && !name.includes('0.29.0'),
);

it.each(repeatable)('$name: a line that was written twice counts once', ({ type, raw }) => {
  const main = raw.main.split('\n').flatMap((line) => (line === '' ? [] : [line, line]));

  const whole = parseTranscripts(type, raw);
  const twice = parseTranscripts(type, { ...raw, main: main.join('\n') });

  expect(twice.blocks).toEqual(whole.blocks);
  expect(twice.metadata.usage).toEqual(whole.metadata.usage);
  expect(twice.requests).toEqual(whole.requests);
});

function withoutOffsets(parsed: ReturnType<typeof parseTranscripts>) {
  const { offsets: _offsets, skipped: _skipped, ...rest } = parsed;
  return {
    ...rest,
    subagents: rest.subagents.map(({ id, blocks }) => ({ id, blocks })),
  };
}

function shuffled(lines: readonly string[], dice: Dice): string[] {
  return lines
    .map((line) => ({ line, at: dice.below(1e9) }))
    .sort((one, other) => one.at - other.at)
    .map(({ line }) => line);
}

/** The paths to all values of a record. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const inner = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...path, key]));
  return path.length === 0 ? inner : [path, ...inner];
}

function withOdd(line: string, path: readonly string[], odd: unknown): string {
  const record = JSON.parse(line) as Record<string, unknown>;
  const last = path.at(-1) ?? '';
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => Reflect.get(Object(value), key), record);
  Object.defineProperty(parent, last, { value: odd, enumerable: true });
  return JSON.stringify(record);
}
