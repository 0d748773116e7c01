import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packPlaces, unpackPlaces } from '../../src/sqlite/places.ts';

const base62 = fc.stringMatching(/^[A-Za-z0-9]{24}$/);
const ids = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.tuple(fc.uuid(), fc.nat(40)).map(([id, part]) => `${id}:thought:${part}`),
  base62.map((id) => `msg_${id}:0`),
  base62.map((id) => `toolu_${id}:result`),
  fc.constantFrom(
    '',
    'at:2026-01-02T03:04:05.678Z:0',
    'at:2026-01-02T03:04:06.001Z:12',
    '解析器',
    '😀a',
    '😁a',
  ),
  fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n')),
);
const block = fc.record({
  id: ids,
  offset: fc.oneof(
    fc.constant(-1),
    fc.nat(),
    fc.nat().map((number) => number * 4096),
  ),
  column: fc.constant('said' as const),
  text: fc.constant(''),
});
const threads = fc.array(
  fc.record({
    thread: fc.oneof(
      fc.constant('main'),
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n')),
    ),
    isSuperseded: fc.boolean(),
    blocks: fc.array(block, { maxLength: 40 }),
  }),
  { maxLength: 4 },
);

it('gives back where every block stands, whatever its id looks like', () => {
  fc.assert(
    fc.property(threads, (given) => {
      const expected = given.flatMap(({ thread, isSuperseded, blocks }) =>
        blocks.map(({ id, offset }) => ({ id, thread, isSuperseded, offset })),
      );

      const places = unpackPlaces(packPlaces(given), expected.keys());

      expect([...places.values()]).toEqual(expected);
    }),
  );
});

it('finds one block among thousands', () => {
  const blocks = Array.from({ length: 5000 }, (_, index) => ({
    id: `msg_${index}`,
    offset: index * 1000,
    column: 'said' as const,
    text: '',
  }));

  const places = unpackPlaces(
    packPlaces([{ thread: 'main', isSuperseded: false, blocks }]),
    [4321],
  );

  expect([...places]).toEqual([
    [4321, { id: 'msg_4321', thread: 'main', isSuperseded: false, offset: 4_321_000 }],
  ]);
});
