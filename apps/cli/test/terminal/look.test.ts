import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../src/terminal/layout/cell-width.ts';
import type { Theme } from '../../src/terminal/output/theme.ts';
import { SCENES, sceneAt, scenePainted, sceneText } from './scenes.ts';

const THEMES: Readonly<Record<string, Theme>> = {
  dark: { colors: true, background: 'dark', depth: 'truecolor' },
  light: { colors: true, background: 'light', depth: 'truecolor' },
  'unknown-background': { colors: true, background: undefined, depth: '256' },
  'no-color': { colors: false, background: 'dark', depth: 'truecolor' },
};

describe.each(Object.keys(SCENES))('%s', (name) => {
  it.each([60, 100, 200])('looks as stored at %i columns', async (columns) => {
    const text = sceneText(sceneAt(name, columns));

    expect(Math.max(...text.split('\n').map(cellWidth))).toBeLessThanOrEqual(columns);
    await expect(text).toMatchFileSnapshot(`screens/${name}-${columns}.txt`);
  });

  it.each(Object.keys(THEMES))('looks as stored with the theme %s', async (theme) => {
    const painted = scenePainted(sceneAt(name, 100, THEMES[theme]));

    await expect(painted).toMatchFileSnapshot(`screens/${name}-${theme}.ansi`);
  });
});

it('says without colour everything it says with it', () => {
  for (const name of Object.keys(SCENES)) {
    const painted = scenePainted(sceneAt(name, 100, THEMES['no-color']));
    const codes = painted
      .split('\u001b')
      .filter((code) => /^\[(?:\d+;)*(?:3\d|4\d)[;m]/.test(code));

    expect(codes).toEqual([]);
  }
});
