import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { cellWidth, truncateCells } from '../terminal/layout/cell-width.ts';
import { timeAgo } from './sessions/time-ago.ts';

/** Sessions as lines in columns. Without a width (a pipe, a file) ids and titles stand whole. */
export function sessionRows(
  sessions: readonly CatalogueSession[],
  width: number | undefined,
): string[] {
  const rows = sessions.map((session) => columnsOf(session, sessions, width !== undefined));
  const widths = [0, 1, 2, 3, 4, 5, 6].map((column) =>
    Math.max(0, ...rows.map((row) => cellWidth(row[column] ?? ''))),
  );
  const others = widths.reduce((sum, cells, column) => sum + (column === TITLE ? 0 : cells + 2), 2);
  const room = width === undefined ? LONGEST_TITLE : Math.max(SHORTEST_TITLE, width - others);
  widths[TITLE] = Math.min(room, widths[TITLE] ?? 0);
  return rows.map((row, index) => {
    const cells = row.map((text, column) => fitted(text, widths[column] ?? 0));
    const badge = sessions[index]?.isLive ? '● ' : '  ';
    return `${badge}${cells.join('  ')}`.trimEnd();
  });
}

const TITLE = 2;
const SHORTEST_TITLE = 20;
const LONGEST_TITLE = 60;
const SHORTEST_ID = 8;

function columnsOf(
  session: CatalogueSession,
  all: readonly CatalogueSession[],
  isShort: boolean,
): string[] {
  const { id, agent, title, project, updatedAt, messages } = session;
  return [
    isShort ? shortId(id, all) : id,
    agent,
    title,
    project.split('/').at(-1) ?? '',
    timeAgo(updatedAt),
    messages === 1 ? '1 message' : `${messages} messages`,
    costOf(session),
  ];
}

/** The beginning that no other session of the list has. */
function shortId(id: string, all: readonly CatalogueSession[]): string {
  let length = SHORTEST_ID;
  const isTaken = () =>
    all.some((other) => other.id !== id && other.id.startsWith(id.slice(0, length)));
  while (length < id.length && isTaken()) length += 1;
  return id.slice(0, length);
}

/** A price that is not known is never shown as nothing. */
function costOf({ costUsd, unpriced }: CatalogueSession): string {
  if (costUsd === 0) return unpriced > 0 ? '$?' : '';
  return `${dollars(costUsd)}${unpriced > 0 ? '+' : ''}`;
}

/** `$0.004`, `$1.20`, `$1,234.50`. */
export function dollars(amount: number): string {
  const digits = amount > 0 && amount < 0.01 ? 4 : 2;
  return `$${amount.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })}`;
}

function fitted(text: string, width: number): string {
  const cut = truncateCells(text, width);
  return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)));
}
