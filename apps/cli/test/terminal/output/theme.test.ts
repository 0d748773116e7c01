import { describe, expect, it } from 'vitest';
import { paintLine } from '../../../src/terminal/output/paint.ts';
import { backgroundOf, themeFromEnvironment } from '../../../src/terminal/output/theme.ts';

describe('what the terminal can show', () => {
  it.each([
    [{ COLORFGBG: '15;0', TERM: 'xterm-256color' }, 'dark', '256'],
    [{ COLORFGBG: '0;15', COLORTERM: 'truecolor' }, 'light', 'truecolor'],
    [{ ROBOTA_BACKGROUND: 'light', COLORFGBG: '15;0', TERM: 'xterm' }, 'light', '16'],
    [{ TERM: 'xterm-256color' }, undefined, '256'],
  ])('is read from %j', (environment, background, depth) => {
    expect(themeFromEnvironment(true, environment)).toEqual({ colors: true, background, depth });
  });

  it('is light or dark by what the eye makes of the colour', () => {
    const of = (red: number, green: number, blue: number) =>
      backgroundOf({ kind: 'background', red, green, blue });

    expect([of(0.1, 0.1, 0.1), of(1, 1, 0.9), of(0, 0, 1)]).toEqual(['dark', 'light', 'dark']);
  });
});

describe('a band', () => {
  const line = [{ text: 'a', style: 'keyword', band: 'added' }] as const;

  it('is a colour behind the text where the background is known', () => {
    const theme = { colors: true, background: 'dark', depth: '256' } as const;

    expect(paintLine(line, theme)).toBe('\u001b[35;48;5;22ma\u001b[0m');
  });

  it('is the colour of the text where it is not', () => {
    const theme = { colors: true, background: undefined, depth: '256' } as const;

    expect(paintLine(line, theme)).toBe('\u001b[32ma\u001b[0m');
  });

  it('is nothing without colour', () => {
    expect(paintLine(line, { colors: false, background: 'dark', depth: '256' })).toBe('a');
  });
});
