import { describe, expect, it } from 'vitest';
import { layoutScreen } from '../../../src/terminal/layout/layout-screen.ts';
import { plainText } from '../../../src/terminal/markdown/styled-text.ts';
import type { ScreenAction } from '../../../src/terminal/state/screen-action.ts';
import { after, emptyScreen, presses, types } from './screen-fixture.ts';

const commands = Array.from({ length: 30 }, (_, index) => ({
  name: `command${index}`,
  description: 'Does it',
  argumentHint: undefined,
  subcommands: [],
}));
const listed: ScreenAction = { type: 'commands_listed', commands };
const sessions = Array.from({ length: 30 }, (_, index) => ({
  id: `s${index}`,
  agent: 'robota',
  agentName: 'Robota',
  title: `Session ${index}`,
  updatedAt: 100 - index,
  when: '4 min',
  directory: '/code/relay',
  isHere: true,
  blockCount: 3,
}));

/** The row in which the cursor stands. */
function cursorRow(rows: number, ...actions: readonly ScreenAction[]): string {
  const { state } = after({ ...emptyScreen, rows }, listed, ...actions);
  const { lines, cursor } = layoutScreen(state);
  expect(lines.length).toBeLessThan(Math.max(2, rows));
  return plainText(lines).split('\n')[cursor.y] ?? '';
}

describe.each([2, 3, 4, 5, 6, 8, 12])('in a window of %i rows', (rows) => {
  it('the cursor stands where it writes', () => {
    const draft = [types('one'), presses('enter'), types('two'), presses('enter'), types('three')];
    const list: ScreenAction = { type: 'sessions_listed', sessions, isLast: true };

    expect(cursorRow(rows, types('draft'))).toBe('❯ draft');
    expect(cursorRow(rows, ...draft)).toBe('  three');
    expect(cursorRow(rows, ...draft, presses('up'), presses('up'))).toBe('❯ one');
    expect(cursorRow(rows, types('/com'))).toBe('❯ /com');
    expect(cursorRow(rows, types('?'))).toMatch(/^❯ Ask/);
    expect(cursorRow(rows, { type: 'picker_opened' }, list, types('Ses'))).toBe('❯ Ses');
    expect(cursorRow(rows, presses('ctrl+r'), types('first'))).toBe('Search prompts: first');
  });
});

it('a menu shows what is chosen in any window', () => {
  for (const rows of [5, 6, 8, 24]) {
    const { state } = after({ ...emptyScreen, rows }, listed, types('/com'), presses('up'));

    expect(plainText(layoutScreen(state).lines)).toContain('❯ /command29');
  }
});
