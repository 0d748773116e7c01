import type { ScreenState } from '../state/screen-state.ts';
import type { Work } from '../state/work.ts';
import { counted, formatDollars, formatElapsed, formatTokens } from './format.ts';

/** Below this width only output tokens are shown. */
const WIDE_COLUMNS = 80;

export interface TurnTokens {
  readonly read: number;
  readonly written: number;
  /** Percentage of input tokens that came from the cache. */
  readonly cached: number;
}

/** Tokens since the work started; undefined until the provider reports usage. */
export function turnTokens(state: ScreenState, work: Work): TurnTokens | undefined {
  const usage = state.conversation.metadata.usage;
  if (!usage) return undefined;
  const before = work.usageBefore;
  const cachedRead = (usage.cacheReadTokens ?? 0) - (before?.cacheReadTokens ?? 0);
  const cachedWrite = (usage.cacheWriteTokens ?? 0) - (before?.cacheWriteTokens ?? 0);
  const read = usage.inputTokens - (before?.inputTokens ?? 0) + cachedRead + cachedWrite;
  const written = usage.outputTokens - (before?.outputTokens ?? 0);
  if (read <= 0 && written <= 0) return undefined;
  return { read, written, cached: read > 0 ? Math.round((cachedRead / read) * 100) : 0 };
}

/** Summary of a turn: `4 min 20 s · 11 tools · ↑ 38.1k (88% cached) ↓ 6.2k · $0.38`. */
export function summaryText(state: ScreenState, work: Work): string | undefined {
  const tokens = turnTokens(state, work);
  const tools = state.conversation.blocks
    .slice(work.blocksBefore)
    .filter(({ type }) => type === 'tool_use' || type === 'subagent').length;
  if (!tokens && tools === 0) return undefined;
  const { costUsd } = state.status;
  const isKnown = costUsd !== undefined && work.costBefore !== undefined;
  const cost = isKnown ? costUsd - work.costBefore : undefined;
  return [
    formatElapsed(state.now - work.startedAt),
    tools > 0 ? counted(tools, 'tool') : '',
    tokens ? tokenText(tokens, state.columns) : '',
    cost === undefined ? '' : formatDollars(cost),
  ]
    .filter(Boolean)
    .join(' · ');
}

function tokenText({ read, written, cached }: TurnTokens, columns: number): string {
  if (columns < WIDE_COLUMNS) return `↓ ${formatTokens(written)}`;
  const share = cached > 0 ? ` (${cached}% cached)` : '';
  return `↑ ${formatTokens(read)}${share} ↓ ${formatTokens(written)}`;
}
