import { spreadLine } from '../layout/fit-line.ts';
import { type StyledLine, span, type TextStyle } from '../markdown/styled-text.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { dotted, formatDollars, formatTokens } from './format.ts';
import { modeName } from './mode-name.ts';

const BAR_CELLS = 10;
/** Below this width only mode, share and cost are shown. */
const ROOMY = 80;

/** Mode, model and branch at the left; how full the context is and what it cost at the right. */
export function footerLine(state: ScreenState): StyledLine {
  const left: StyledLine = [span('  '), ...leftFacts(state)];
  return spreadLine(left, rightFacts(state), state.columns);
}

function leftFacts(state: ScreenState): StyledLine {
  const { status, columns } = state;
  if (state.isLeaving) return [span('ctrl+c again leaves', 'warning')];
  const isRoomy = columns >= ROOMY;
  const unsaved: StyledLine = status.isSaved ? [] : [span('not being saved', 'failure')];
  const isUnused = state.conversation.blocks.length === 0 && !state.work;
  if (isUnused && status.mode === 'default') return dotted([[span('? shortcuts', 'dim')], unsaved]);
  return dotted([
    [span(modeName(status.mode), status.mode === 'bypassPermissions' ? 'failure' : 'accent')],
    unsaved,
    isRoomy ? optional(status.model) : [],
    isRoomy ? optional(status.branch) : [],
    isRoomy ? optional(status.sessionName) : [],
  ]);
}

function optional(text: string | undefined): StyledLine {
  return text ? [span(text, 'dim')] : [];
}

function rightFacts({ status, columns }: ScreenState): StyledLine {
  const percentage = Math.round(status.contextPercentage);
  const window =
    columns >= ROOMY && status.contextTokens !== undefined
      ? ` of ${formatTokens(status.contextTokens)}`
      : '';
  const share: StyledLine = [
    ...(percentage > 0 ? contextBar(percentage) : []),
    span(`${percentage}%${window}`, contextStyle(percentage)),
  ];
  const cost = status.costUsd === undefined ? [] : [span(formatDollars(status.costUsd), 'dim')];
  return dotted([share, cost]);
}

function contextBar(percentage: number): StyledLine {
  const full = Math.min(BAR_CELLS, Math.max(1, Math.round((percentage / 100) * BAR_CELLS)));
  const style = percentage >= 70 ? contextStyle(percentage) : 'accent';
  return [span('█'.repeat(full), style), span('░'.repeat(BAR_CELLS - full), 'dim'), span(' ')];
}

function contextStyle(percentage: number): TextStyle {
  if (percentage >= 90) return 'failure';
  return percentage >= 70 ? 'warning' : 'dim';
}
