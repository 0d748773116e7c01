import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

interface Habit {
  readonly name: string;
  /** Where Robota has it. */
  readonly place: string;
  readonly file: string;
  readonly test: string;
}

const habits = readHabits(readFileSync(join(root, 'docs/guide/habits.md'), 'utf8'));

describe('the table of habits', () => {
  it('has a row for every habit', () => {
    expect(habits.length).toBeGreaterThan(25);
  });

  it.each(habits)('describes "$name" and names its test', (habit) => {
    const tests = readFileSync(join(root, habit.file), 'utf8');

    expect(habit.place).not.toBe('');
    expect(tests).toContain(habit.test);
  });
});

function readHabits(text: string): Habit[] {
  return text.split('\n').flatMap((line) => {
    // A bar inside a cell is escaped as `\|`.
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, name = '', , , , place = '', proof = ''] = cells;
    const [file = '', test = ''] = proof.split(' › ');
    return file.endsWith('.test.ts') ? [{ name, place, file, test }] : [];
  });
}
