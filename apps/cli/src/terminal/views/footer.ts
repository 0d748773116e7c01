import type { PermissionMode } from '@robota-sdk/agent-core';
import { spreadLine } from '../layout/fit-line.ts';
import { type StyledLine, span, type TextStyle } from '../markdown/styled-text.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { counted, dotted, formatDollars, formatTokens, modeName } from './format.ts';

const BAR_CELLS = 10;
/** Below this width only mode, context usage and cost are shown. */
const WIDE_COLUMNS = 80;

/** Mode, model and branch on the left; context usage and cost on the right. */
export function footerLine(state: ScreenState): StyledLine {
  const left: StyledLine = [span('  '), ...leftFacts(state)];
  return spreadLine(left, rightFacts(state), state.columns);
}

function leftFacts(state: ScreenState): StyledLine {
  const { status, columns } = state;
  if (state.isLeaving) return [span('ctrl+c again leaves', 'warning')];
  const meaning = meaningOf(state);
  if (meaning !== undefined) return [span(meaning, 'accent')];
  if (state.isGoingBack) return [span('esc again goes back to an earlier prompt', 'warning')];
  const isRoomy = columns >= WIDE_COLUMNS;
  const unsaved: StyledLine = status.isSaved ? [] : [span('not being saved', 'failure')];
  const { agent: name = OURS, title = '' } = state.session ?? {};
  const agent: StyledLine = name === OURS ? [] : [span(title, 'accent')];
  const isUnused = state.conversation.blocks.length === 0 && !state.work;
  const line: StyledLine = status.line ? [span(status.line, 'warning')] : [];
  const isPlain = status.mode === undefined || status.mode === 'default';
  if (isUnused && isPlain && !status.line)
    return dotted([[span('? shortcuts', 'dim')], agent, unsaved]);
  return dotted([
    status.mode === undefined ? [] : modeSpan(status.mode),
    agent,
    line,
    unsaved,
    tasksSpan(status.tasks),
    isRoomy ? optional(status.model) : [],
    isRoomy ? optional(status.branch) : [],
    isRoomy ? optional(status.sessionName) : [],
  ]);
}

const OURS = 'robota';

/** Prompts with a special first character. */
const MEANINGS: Readonly<Record<string, { readonly command: string; readonly text: string }>> = {
  '!': { command: 'shell', text: 'runs in the shell; the model reads it' },
  '#': { command: 'memory', text: 'to remember; enter asks where' },
};

function meaningOf({ editor, commands }: ScreenState): string | undefined {
  const meaning = MEANINGS[editor.text.charAt(0)];
  return commands.some(({ name }) => name === meaning?.command) ? meaning?.text : undefined;
}

function modeSpan(mode: PermissionMode): StyledLine {
  return [span(modeName(mode), mode === 'bypassPermissions' ? 'failure' : 'accent')];
}

function tasksSpan(count: number): StyledLine {
  return count === 0 ? [] : [span(counted(count, 'background task'), 'accent')];
}

function optional(text: string | undefined): StyledLine {
  return text ? [span(text, 'dim')] : [];
}

function rightFacts({ status, columns }: ScreenState): StyledLine {
  const percentage = Math.round(status.contextPercentage);
  const window =
    columns >= WIDE_COLUMNS && status.contextTokens !== undefined
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
