import type { WriteStream } from 'node:tty';
import headless from '@xterm/headless';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { span } from '../../../src/terminal/markdown/styled-text.ts';
import { LiveArea } from '../../../src/terminal/output/live-area.ts';
import { PLAIN_THEME } from '../../../src/terminal/output/theme.ts';

const COLUMNS = 20;
const ROWS = 8;

/** A live area in a small terminal, in which some lines stand already. */
function smallTerminal() {
  const terminal = new headless.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  const written: string[] = [];
  const stream = {
    columns: COLUMNS,
    rows: ROWS,
    write: (text: string) => {
      written.push(text);
      terminal.write(text);
    },
  };
  const area = new LiveArea(stream as unknown as WriteStream, {
    folds: true,
    settledMs: 0,
    lateMs: 0,
  });
  const drained = () => new Promise<void>((resolve) => terminal.write('', resolve));
  const lines = async () => {
    await drained();
    const { active } = terminal.buffer;
    const all = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? '',
    );
    return all.slice(0, active.baseY + ROWS);
  };
  /** Its row is counted from the first line. */
  const cursor = () => {
    const { cursorX, cursorY, baseY } = terminal.buffer.active;
    return { x: cursorX, y: baseY + cursorY };
  };
  const resize = (columns: number, rows: number) => {
    Object.assign(stream, { columns, rows });
    terminal.resize(columns, rows);
  };
  return { area, written, lines, cursor, resize, drained, terminal };
}

const toLine = (text: string) => (text === '' ? [] : [span(text)]);

const text = fc.oneof(
  fc.constantFrom('', 'short', 'x'.repeat(COLUMNS), '日本語のテキスト', 'e\u0301a\u0308'),
  fc.string({ unit: fc.constantFrom('a', 'b', ' ', '世'), maxLength: 10 }),
);
const frame = fc.record({
  printed: fc.array(text, { maxLength: 3 }),
  rows: fc.array(text, { minLength: 1, maxLength: ROWS - 1 }),
  cursorRow: fc.nat(),
  cursorColumn: fc.nat({ max: COLUMNS - 1 }),
});

it('shows what was printed in order and the last frame below it, whatever was drawn before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 12 }), async (frames) => {
      const { area, lines, cursor, terminal } = smallTerminal();
      terminal.write('earlier\r\n');
      const last = frames.at(-1);
      for (const { printed, rows, cursorRow, cursorColumn } of frames) {
        const layout = {
          lines: rows.map(toLine),
          cursor: { x: cursorColumn, y: cursorRow % rows.length },
        };
        area.draw(printed.map(toLine), layout, PLAIN_THEME);
      }

      const wanted = [
        'earlier',
        ...frames.flatMap(({ printed }) => printed),
        ...(last?.rows ?? []),
      ];
      const shown = await lines();
      expect(shown.join('\n').trimEnd()).toBe(
        wanted
          .map((row) => row.trimEnd())
          .join('\n')
          .trimEnd(),
      );
      const top = wanted.length - (last?.rows.length ?? 0);
      expect(cursor()).toEqual({
        x: last?.cursorColumn,
        y: top + ((last?.cursorRow ?? 0) % (last?.rows.length ?? 1)),
      });
      terminal.dispose();
    }),
    { numRuns: 300 },
  );
});

it('draws a frame whole in a window that has become lower or higher, and keeps what was printed', async () => {
  const height = fc.integer({ min: 3, max: ROWS });
  const change = fc.record({
    height,
    rows: fc.nat(),
    printed: fc.array(fc.constantFrom('p', 'q')),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const { area, drained, resize, terminal } = smallTerminal();
      const kept: string[] = [];
      let frame: string[] = [];
      for (const [step, { height: rows, rows: count, printed }] of changes.entries()) {
        await drained();
        resize(COLUMNS, rows);
        kept.push(...printed.map((letter, index) => `${letter}${step}.${index}`));
        const same = ['row one', 'row two', 'row three', 'row four', 'row five', 'row six'];
        frame = [...same.slice(0, count % (rows - 1)), `end ${step % 2}`];
        area.draw(
          kept.slice(kept.length - printed.length).map(toLine),
          { lines: frame.map(toLine), cursor: { x: 0, y: count % frame.length } },
          PLAIN_THEME,
        );
      }

      await drained();
      const { active } = terminal.buffer;
      const all = Array.from(
        { length: active.length },
        (_, row) => active.getLine(row)?.translateToString(true) ?? '',
      );
      const text = all.join('\n').trimEnd().split('\n');
      expect(text.slice(-frame.length)).toEqual(frame);
      expect(text.filter((row) => /^[pq]\d/.test(row))).toEqual(kept);
      terminal.dispose();
    }),
    { numRuns: 300 },
  );
});

it('writes nothing for the same frame, and only the rows that differ for another', () => {
  const { area, written } = smallTerminal();
  const cursor = { x: 0, y: 0 };
  area.draw([], { lines: ['one', 'two', 'three'].map(toLine), cursor }, PLAIN_THEME);
  written.length = 0;

  area.draw([], { lines: ['one', 'two', 'three'].map(toLine), cursor }, PLAIN_THEME);
  expect(written).toEqual([]);

  area.draw([], { lines: ['one', 'TWO', 'three'].map(toLine), cursor }, PLAIN_THEME);
  expect(written.join('')).toContain('TWO');
  expect(written.join('')).not.toMatch(/one|three/);
});

it('leaves nothing of itself when it is erased', async () => {
  const { area, lines } = smallTerminal();
  area.draw(
    [toLine('kept')],
    { lines: ['one', 'two'].map(toLine), cursor: { x: 1, y: 1 } },
    PLAIN_THEME,
  );

  area.erase();

  expect((await lines()).join('\n').trimEnd()).toBe('kept');
});
