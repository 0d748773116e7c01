import type { CatalogueSession } from '../catalogue.ts';
import { columnsOf, fit, formatDollars } from './columns.ts';

/** How a list of sessions is laid out. */
export interface ListLayout {
  /** Columns of the terminal. */
  readonly width: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const SHORT_ID = 8;

/** One line a session: agent, id, age, title, project, messages, cost. What does not fit is cut from the title first. */
export function renderSessionList(
  sessions: readonly CatalogueSession[],
  { width, now }: ListLayout,
): string[] {
  const cells = sessions.map((session) => ({
    mark: markOf(session),
    agent: session.agent,
    id: session.id.slice(0, SHORT_ID),
    age: formatAge(now - session.updatedAt),
    title: session.forkOf === undefined ? session.title : `⑂ ${session.title}`,
    project: session.project,
    messages: `${session.messages} msg`,
    cost: costOf(session),
  }));
  const widest = (name: keyof (typeof cells)[number]) =>
    Math.max(0, ...cells.map((cell) => columnsOf(cell[name])));
  const fixed = ['agent', 'id', 'age', 'messages', 'cost'] as const;
  const project = Math.min(20, widest('project'));
  const taken = fixed.reduce((sum, name) => sum + widest(name) + 2, 2 + project + 2);
  const title = Math.max(12, Math.min(widest('title'), width - taken));
  return cells.map((cell) =>
    [
      `${cell.mark} ${fit(cell.agent, widest('agent'))}`,
      fit(cell.id, widest('id')),
      fit(cell.age, widest('age'), 'right'),
      fit(cell.title, title),
      fit(cell.project, project),
      fit(cell.messages, widest('messages'), 'right'),
      fit(cell.cost, widest('cost'), 'right'),
    ]
      .join('  ')
      .trimEnd(),
  );
}

function markOf({ isLive, isPinned }: CatalogueSession): string {
  if (isLive) return '●';
  return isPinned ? '★' : ' ';
}

/** A sum without the requests that have no known price says so. */
function costOf({ costUsd, unpriced }: CatalogueSession): string {
  if (unpriced === 0) return formatDollars(costUsd);
  return costUsd === 0 ? 'no price' : `${formatDollars(costUsd)}+`;
}

/** `now`, `5m`, `3h`, `2d`, `6w`, `2y`. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 14) return `${days}d`;
  return days < 365 ? `${Math.floor(days / 7)}w` : `${Math.floor(days / 365)}y`;
}
