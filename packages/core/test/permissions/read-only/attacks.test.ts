import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ATTACKS } from './attacks.ts';
import { Box } from './box.ts';
import { CORNER_ATTACKS } from './corner-attacks.ts';

const holes = JSON.parse(
  readFileSync(new URL('../fixtures/permission-holes.json', import.meta.url), 'utf8'),
) as { readonly unasked: readonly { readonly command: string; readonly effect: string }[] };

const box = new Box();

describe('commands without approval, run in a real bash', () => {
  it.each(holes.unasked.map(({ command }) => command))('a fixed hole asks: %j', (command) => {
    expect(box.attempt(command)).toBe('asks');
  });

  it.each(ATTACKS)('has no effect: %j', (command) => {
    expect(['asks', 'no effect']).toContain(box.attempt(command));
  });

  it.each(CORNER_ATTACKS)('has no effect in an edge case of the grammar: %j', (command) => {
    expect(['asks', 'no effect']).toContain(box.attempt(command));
  });
});

describe('the test sandbox', () => {
  it('detects the effects of attacks that run unchanged', () => {
    const effects = holes.unasked.map(({ command }) => box.effectOf(box.at(command)));

    expect(effects.filter((effect) => effect !== 'no effect').length).toBeGreaterThan(15);
  });

  it('contains at least three hundred attacks, most of which have an effect', () => {
    expect(new Set(ATTACKS).size).toBeGreaterThanOrEqual(300);
    expect(new Set(CORNER_ATTACKS).size).toBeGreaterThanOrEqual(800);
  });
});
