import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const css = readFileSync(join(import.meta.dirname, '../../src/styles/tokens.css'), 'utf8');
const TOKENS = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map((match) => [
    match[1] ?? '',
    [match[2] ?? '', match[3] ?? ''] as const,
  ]),
);

/** Text colours and the backgrounds they appear on. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  text: ['canvas', 'side', 'surface', 'raised'],
  'text-2': ['canvas', 'side', 'surface', 'raised', 'sunken'],
  'text-3': ['canvas', 'side', 'surface', 'raised', 'sunken'],
  accent: ['canvas', 'side', 'accent-soft'],
  wait: ['canvas', 'side', 'wait-soft'],
  bad: ['canvas', 'side', 'bad-soft', 'removed'],
  good: ['canvas', 'added', 'raised'],
  'on-accent': ['accent-fill'],
  'hl-keyword': ['sunken', 'added', 'removed'],
  'hl-string': ['sunken', 'added', 'removed'],
  'hl-number': ['sunken', 'added', 'removed'],
  'hl-comment': ['sunken', 'added', 'removed'],
  'hl-function': ['sunken', 'added', 'removed'],
  'hl-type': ['sunken', 'added', 'removed'],
};

it.each(Object.entries(PAIRS))(
  '%s is readable on its backgrounds, light and dark',
  (name, backgrounds) => {
    const poor = backgrounds.flatMap((ground) =>
      [0, 1].flatMap((theme) => {
        const ratio = contrast(colour(name, theme), colour(ground, theme));
        return ratio >= 4.5 ? [] : [`${name} on ${ground}: ${ratio.toFixed(2)}`];
      }),
    );

    expect(poor).toEqual([]);
  },
);

function colour(name: string, theme: number): string {
  const found = TOKENS.get(name)?.[theme];
  if (found === undefined) throw new Error(`No colour ${name}`);
  return found;
}

function contrast(left: string, right: string): number {
  const [high = 1, low = 0] = [luminance(left), luminance(right)].sort((one, two) => two - one);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
