import type { WriteStream } from 'node:tty';
import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import { span } from '../../../src/terminal/markdown/styled-text.ts';
import { FullPage } from '../../../src/terminal/output/full-page.ts';
import { PLAIN_THEME } from '../../../src/terminal/output/theme.ts';

const SIZE = { columns: 10, rows: 4 };

function smallPage() {
  const terminal = new headless.Terminal({ cols: 10, rows: 4, allowProposedApi: true });
  const written: string[] = [];
  const stream = {
    write: (text: string) => {
      written.push(text);
      terminal.write(text);
    },
  };
  const shown = async () => {
    await new Promise<void>((resolve) => terminal.write('', resolve));
    const { active } = terminal.buffer;
    return Array.from({ length: terminal.rows }, (_, row) =>
      active.getLine(active.baseY + row)?.translateToString(true),
    );
  };
  return { page: new FullPage(stream as unknown as WriteStream), terminal, written, shown };
}

const toLines = (...texts: readonly string[]) => texts.map((text) => [span(text)]);

it('shows lines as wide as the window whole, and cuts wider ones and too many', async () => {
  const { page, shown } = smallPage();

  page.draw(toLines('0123456789', 'x'.repeat(30), '', 'end', 'too much'), SIZE, PLAIN_THEME);

  expect(await shown()).toEqual(['0123456789', 'xxxxxxxxx…', '', 'end']);
});

it('writes only what differs, and everything in a window of another size', async () => {
  const { page, terminal, written, shown } = smallPage();
  page.draw(toLines('one', 'two', 'three', 'four'), SIZE, PLAIN_THEME);
  written.length = 0;

  page.draw(toLines('one', 'two', 'three', 'four'), SIZE, PLAIN_THEME);
  expect(written).toEqual([]);
  page.draw(toLines('one', 'TWO', 'three', 'four'), SIZE, PLAIN_THEME);
  expect(written.join('')).not.toMatch(/one|three/);
  terminal.resize(8, 3);
  page.draw(toLines('one', 'TWO', 'three'), { columns: 8, rows: 3 }, PLAIN_THEME);

  expect(await shown()).toEqual(['one', 'TWO', 'three']);
});

it('gives back what stood before', async () => {
  const { page, terminal, shown } = smallPage();
  terminal.write('before');
  page.draw(toLines('page'), SIZE, PLAIN_THEME);
  expect(await shown()).toEqual(['page', '', '', '']);

  page.close();

  expect(await shown()).toEqual(['before', '', '', '']);
});
