import { expect, it } from 'vitest';
import { markHits } from '../../src/http/mark-hits.ts';

it.each([
  ['the Relay is slow', 'relay', ['the ', '[Relay]', ' is slow']],
  ['a "lease protocol" here', '"lease protocol" lease', ['a "', '[lease protocol]', '" here']],
  ['configuration', 'conf*', ['[conf]', 'iguration']],
  ['keep out', 'keep -out', ['[keep]', ' out']],
  ['a.b (c)', 'a.b (c)', ['[a.b]', ' ', '[(c)]']],
  ['nothing', '-nothing', ['nothing']],
  ['<b>x</b>', 'x', ['<b>', '[x]', '</b>']],
])('splits %j at %j', (text, query, pieces) => {
  expect(
    markHits(text, query).map((piece) => (piece.hit ? `[${piece.text}]` : piece.text)),
  ).toEqual(pieces);
});
