import { describe, expect, it } from 'vitest';
import { Box } from './box.ts';
import { LATER_ATTACKS } from './later-attacks.ts';

const box = new Box();

describe('a third set of attacks, run in a real bash', () => {
  it.each(LATER_ATTACKS)('has no effect: %j', (command) => {
    expect(['asks', 'no effect']).toContain(box.attempt(command));
  });

  it('contains over four hundred distinct attacks', () => {
    expect(new Set(LATER_ATTACKS).size).toBe(LATER_ATTACKS.length);
    expect(LATER_ATTACKS.length).toBeGreaterThan(400);
  });
});
