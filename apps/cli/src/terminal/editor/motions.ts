import { graphemes } from '../layout/cell-width.ts';
import { placeholderAt } from './editor-state.ts';

let wordSegmenter: Intl.Segmenter | undefined;

function words(text: string): Intl.Segments {
  wordSegmenter ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return wordSegmenter.segment(text);
}

/** The cursor index after one step. */
export type Motion = (text: string, cursor: number) => number;

export const left: Motion = (text, cursor) => {
  const placeholder = placeholderAt(text, cursor, 'before');
  if (placeholder) return placeholder[0];
  const before = [...graphemes(text.slice(lineStart(text, cursor - 1), cursor))].at(-1);
  return before ? cursor - before.length : 0;
};

export const right: Motion = (text, cursor) => {
  const placeholder = placeholderAt(text, cursor, 'after');
  if (placeholder) return placeholder[1];
  const [after] = graphemes(text.slice(cursor));
  return after ? cursor + after.length : cursor;
};

export const wordLeft: Motion = (text, cursor) => {
  const starts = [...words(text.slice(0, cursor))].filter((segment) => segment.isWordLike);
  return starts.at(-1)?.index ?? 0;
};

export const wordRight: Motion = (text, cursor) => {
  const next = [...words(text.slice(cursor))].find((segment) => segment.isWordLike);
  return next ? cursor + next.index + next.segment.length : text.length;
};

export const home: Motion = (text, cursor) => lineStart(text, cursor);

export const end: Motion = (text, cursor) => {
  const newline = text.indexOf('\n', cursor);
  return newline === -1 ? text.length : newline;
};

/** The same column one line up; on the first line, its start. */
export const up: Motion = (text, cursor) => {
  const start = lineStart(text, cursor);
  if (start === 0) return 0;
  return columnIn(text, lineStart(text, start - 1), graphemeCount(text.slice(start, cursor)));
};

/** The same column one line down; on the last line, its end. */
export const down: Motion = (text, cursor) => {
  const lineEnd = end(text, cursor);
  if (lineEnd === text.length) return text.length;
  return columnIn(text, lineEnd + 1, graphemeCount(text.slice(lineStart(text, cursor), cursor)));
};

function lineStart(text: string, cursor: number): number {
  return cursor <= 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function columnIn(text: string, start: number, column: number): number {
  const line = text.slice(start, end(text, start));
  const kept = [...graphemes(line)].slice(0, column);
  return start + kept.reduce((length, grapheme) => length + grapheme.length, 0);
}

function graphemeCount(text: string): number {
  return [...graphemes(text)].length;
}
