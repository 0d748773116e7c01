import { expect, it } from 'vitest';
import { LayeredMap } from '../../../src/terminal/state/layered-map.ts';

it('keeps every entry, the last value of each, and leaves earlier maps as they are', () => {
  let map = new LayeredMap<number, string>();
  const first = map.set(0, 'first');
  for (let key = 0; key < 1_000; key++) map = map.set(key, `one ${key}`);
  for (let key = 0; key < 1_000; key += 2) map = map.set(key, `two ${key}`);

  expect([map.get(0), map.get(1), map.get(998), map.get(999), map.get(1_000)]).toEqual([
    'two 0',
    'one 1',
    'two 998',
    'one 999',
    undefined,
  ]);
  expect([first.get(0), first.get(1)]).toEqual(['first', undefined]);
});
