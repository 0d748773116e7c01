import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { neutraliseLine } from '@robota-sdk/agent-transcript/neutralise';
import { cellWidth, truncateCells } from '../terminal/layout/cell-width.ts';
import { timeAgo } from './sessions/time-ago.ts';

/** Sessions as lines in columns. Without a width (a pipe, a file) ids and titles are not cut. */
export function sessionRows(
  sessions: readonly CatalogueSession[],
  width: number | undefined,
): string[] {
  const rows = sessions.map((session) => columnsOf(session, sessions, width !== undefined));
  const widths = [0, 1, 2, 3, 4, 5, 6].map((column) =>
    Math.max(0, ...rows.map((row) => cellWidth(row[column] ?? ''))),
  );
  const shown = shownColumns(widths, width);
  const left = width === undefined ? LONGEST_TITLE : width - besideTitle(widths, shown);
  widths[TITLE] = Math.min(Math.max(SHORTEST_TITLE, left), widths[TITLE] ?? 0);
  return rows.map((row, index) => {
    const cells = shown.map((column) => fitted(row[column] ?? '', widths[column] ?? 0));
    const badge = sessions[index]?.isLive ? '● ' : '  ';
    return `${badge}${cells.join('  ')}`.trimEnd();
  });
}

const TITLE = 2;
/** Columns dropped in a narrow window, in this order: messages, project, cost. */
const DISPENSABLE = [5, 3, 6];

/** As many columns as leave the title its minimum width. */
function shownColumns(widths: readonly number[], width: number | undefined): readonly number[] {
  let shown = widths.map((_, column) => column);
  for (const column of DISPENSABLE) {
    if (width === undefined || width - besideTitle(widths, shown) >= SHORTEST_TITLE) break;
    shown = shown.filter((each) => each !== column);
  }
  return shown;
}

/** Cells of a row that are not the title's: the badge, the other columns, and two between each. */
function besideTitle(widths: readonly number[], shown: readonly number[]): number {
  const others = shown.filter((column) => column !== TITLE);
  return others.reduce((sum, column) => sum + (widths[column] ?? 0) + 2, 2);
}

const SHORTEST_TITLE = 20;
const LONGEST_TITLE = 60;
const MIN_ID_LENGTH = 8;

function columnsOf(
  session: CatalogueSession,
  all: readonly CatalogueSession[],
  isShort: boolean,
): string[] {
  const { id, agent, title, project, updatedAt, messages } = session;
  return [
    neutraliseLine(isShort ? shortId(id, all) : id),
    agent,
    title,
    project.split('/').at(-1) ?? '',
    timeAgo(updatedAt),
    messages === 1 ? '1 message' : `${messages} messages`,
    costOf(session),
  ];
}

/** The shortest prefix that is unique in the list. */
function shortId(id: string, all: readonly CatalogueSession[]): string {
  let length = MIN_ID_LENGTH;
  const isTaken = () =>
    all.some((other) => other.id !== id && other.id.startsWith(id.slice(0, length)));
  while (length < id.length && isTaken()) length += 1;
  return id.slice(0, length);
}

/** An unknown price is never shown as zero. */
function costOf({ costUsd, unpriced }: CatalogueSession): string {
  if (costUsd === 0) return unpriced > 0 ? '$?' : '';
  return `${dollars(costUsd)}${unpriced > 0 ? '+' : ''}`;
}

/** `$0.004`, `$1.20`, `$1,234.50`. */
export function dollars(amount: number): string {
  const digits = amount > 0 && amount < 0.01 ? 4 : 2;
  // Not with `Intl`: loading it takes longer than the entire list.
  return `$${amount.toFixed(digits).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',')}`;
}

function fitted(text: string, width: number): string {
  const cut = truncateCells(text, width);
  return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)));
}
