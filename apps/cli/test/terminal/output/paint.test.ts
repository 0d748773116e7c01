import { expect, it } from 'vitest';
import { paintLine } from '../../../src/terminal/output/paint.ts';

const EVIL = '\u001b[2J\u001b]0;owned\u0007\u001b[8m\u009b2J\u009d0;x\u009c\r\u0008\n';

it('nothing in a line steers the terminal, wherever the words came from', () => {
  const theme = { colors: false, background: undefined, depth: '16' } as const;

  const painted = paintLine(
    [
      { text: `main${EVIL}`, style: 'plain' },
      { text: 'two\tcells 日本', style: 'plain' },
    ],
    theme,
  );

  expect(paintLine([{ text: 'a\u202eb\u2066c\u200fd', style: 'plain' }], theme)).toBe('abcd');
  expect(painted).toMatch(/^main[^\p{Cc}]*two {4}cells 日本$/u);
});
