import { describe, expect, it } from 'vitest';
import type { SourceText } from '../../../src/log/redact/characters.ts';
import { Scanner } from '../../../src/log/redact/scan.ts';
import { secretRules } from '../../../src/log/redact/secret-rules.ts';
import { HOSTILE } from './hostile-units.ts';

/** How many characters are read to redact a text: steps instead of time, so that a slow machine changes nothing. */
function stepsFor(text: string): number {
  let steps = 0;
  const counted: SourceText = {
    length: text.length,
    charCodeAt(at) {
      steps++;
      return text.charCodeAt(at);
    },
    slice(from = 0, to = text.length) {
      steps += Math.max(0, Math.min(to, text.length) - from);
      return text.slice(from, to);
    },
    startsWith(part, at) {
      steps += part.length;
      return text.startsWith(part, at);
    },
  };
  new Scanner(secretRules(), () => '').scan(counted, 0, true);
  return steps;
}

describe('the number of steps grows no faster than the text', () => {
  it.each(HOSTILE)('when it is made of %j', (unit) => {
    const text = unit.repeat(Math.ceil(20_000 / unit.length));
    const steps = stepsFor(text);

    expect(steps).toBeLessThan(text.length * 150);
    expect(stepsFor(text + text)).toBeLessThan(steps * 2.05 + 1_000);
  });

  it('when a sign stands before 100,000 backslashes', () => {
    const text = (count: number) => `{"token":${'\\'.repeat(count)}"}`;

    expect(stepsFor(text(200_000))).toBeLessThan(stepsFor(text(100_000)) * 2.05);
  });

  it('when every two kinds of it are mixed', () => {
    for (const first of HOSTILE) {
      for (const second of HOSTILE) {
        const text = (first + second).repeat(50);

        expect(stepsFor(text)).toBeLessThan(text.length * 150 + 1_000);
      }
    }
  });
});
