import { expect, it } from 'vitest';
import { LineSplitter } from '../src/line-splitter.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function split(chunks: readonly string[], limit?: number): [text: string, offset: number][] {
  const lines: [string, number][] = [];
  const splitter = new LineSplitter((text, offset) => lines.push([text, offset]), 0, limit);
  for (const chunk of chunks) splitter.write(bytes(chunk));
  splitter.end();
  return lines;
}

it('joins lines across chunks and says where each begins', () => {
  expect(split(['one\ntw', 'o\n', 'three'])).toEqual([
    ['one', 0],
    ['two', 4],
    ['three', 8],
  ]);
});

it('gives only the start of a line that is too long, and the lines around it whole', () => {
  const long = `{"text":"${'a'.repeat(200)}"}`;
  const lines = split(['{"n":1}\n', long.slice(0, 90), long.slice(90), '\n{"n":2}\n'], 100);

  expect(lines.map(([text]) => text.length)).toEqual([7, 64, 7]);
  expect(() => JSON.parse(lines[1]?.[0] ?? '')).toThrow();
  expect(lines[2]).toEqual(['{"n":2}', 8 + long.length + 1]);
});

it('does not take the start of a long line for a record, however it ends', () => {
  const [line] = split(['{}', ' '.repeat(200), '\n'], 100);

  expect(() => JSON.parse(line?.[0] ?? '')).toThrow();
});
