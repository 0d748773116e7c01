import { describe, expect, it } from 'vitest';
import type { SourceText } from '../../../src/log/redact/characters.ts';
import { Scanner } from '../../../src/log/redact/scan.ts';
import { secretRules } from '../../../src/log/redact/secret-rules.ts';

const SECRET = 'sk-a1B2c3D4e5F6g7H8i9';
const FILLER = 'some words of it, and nothing else to see in here. ';

function scan(text: SourceText, final = true) {
  return new Scanner(secretRules(), (kind) => `[${kind}]`).scan(text, 0, final);
}

/** The same text, of which only single characters can be read. */
function byCharacters(text: string): SourceText {
  return {
    length: text.length,
    charCodeAt: (at) => text.charCodeAt(at),
    slice: (from, to) => text.slice(from, to),
    startsWith: (part, at) => text.startsWith(part, at),
  };
}

function filler(length: number): string {
  return FILLER.repeat(Math.ceil(length / FILLER.length)).slice(0, length);
}

describe('a text that is read as bytes', () => {
  it('shows every secret at the edges of what is read together', () => {
    const missed: number[] = [];
    for (const edge of [96, 1024, 1024 + 8192, 1022 + 8192, 1022 + 8190 + 8192]) {
      for (let before = edge - 30; before < edge + 8; before++) {
        const text = `${filler(before - 1)} ${SECRET} ${filler(3_000)}`;
        const { clean } = scan(text);
        if (clean === undefined || clean.includes(SECRET)) missed.push(before);
      }
    }

    expect(missed).toEqual([]);
  });

  it('is judged like one that is read by its characters, whole or not', () => {
    for (let length = 0; length < 1_400; length += 7) {
      for (const end of [SECRET, 'TOKEN=', 'Authorization: Bear', 's', ' ', '날', '']) {
        const text = filler(length) + end;
        for (const final of [true, false]) {
          expect(scan(text, final)).toEqual(scan(byCharacters(text), final));
        }
      }
    }
  });

  it('is not mistaken for another one that is read in the middle of it', () => {
    const other = `${filler(2_000)} ${SECRET}`;
    const scanner = new Scanner(secretRules(), (kind) => {
      scan(other);
      return `[${kind}]`;
    });
    const text = `${filler(300)} ${SECRET} ${filler(300)} ${SECRET} ${filler(300)}`;

    expect(scanner.scan(text, 0, true)).toEqual(scan(byCharacters(text)));
  });

  it('may hold any script, wherever it begins', () => {
    for (const place of [0, 50, 500, 1_023, 1_024, 5_000]) {
      const text = `${filler(place)}날씨 😀 ${filler(2_000)} ${SECRET} ${filler(9_000)} ${SECRET}`;

      const { clean = text } = scan(text);

      expect(clean.includes(SECRET)).toBe(false);
      expect(clean === scan(byCharacters(text)).clean).toBe(true);
    }
  });
});
