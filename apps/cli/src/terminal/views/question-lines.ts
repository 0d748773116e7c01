import { describeTool, type ToolView } from '@robota-sdk/agent-transcript';
import { cellWidth } from '../layout/cell-width.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import { type StyledLine, span, splitLines } from '../markdown/styled-text.ts';
import {
  choicesOf,
  type PermissionQuestion,
  type Question,
  type QuestionChoice,
  type TrustQuestion,
} from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { changeCount, diffLines } from './diff-lines.ts';
import { withoutControl } from './folded-output.ts';
import { counted, shortPath } from './format.ts';
import { FRAME_WIDTH, framed } from './framed.ts';

export interface QuestionView {
  readonly lines: readonly StyledLine[];
  /** Where the cursor stands when the question has the keys; undefined when the draft has them. */
  readonly cursor: { readonly x: number; readonly y: number } | undefined;
}

/** Rows that a question needs beside what it asks about. */
const OTHER_ROWS = 16;
/** Below this width a rule stands under its choice. */
const ROOMY = 80;

/** A question in its frame, small enough to leave room for the draft. */
export function questionLines(state: ScreenState, question: Question): QuestionView {
  const about = question.kind === 'trust' ? aboutTrust(question) : aboutCall(state, question);
  const width = state.columns - FRAME_WIDTH;
  const refusal = question.kind === 'permission' ? question.refusal : undefined;
  const answers = refusal
    ? [[span('  Why not? ', 'strong'), span(refusal.text)]]
    : choiceRows(question, width);
  const rows = [...about.rows, ...answers.map((row) => row)];
  const lines = framed(
    rows,
    { title: about.title, corner: about.corner, hint: hintFor(question), style: 'warning' },
    state.columns,
  );
  return { lines, cursor: cursorIn(question, about.rows.length + 1, answers) };
}

function hintFor(question: Question): string {
  // Until it is known that no key is on its way, no key is offered.
  if (question.phase === 'opening') return '…';
  if (question.phase !== 'focused') return 'tab answers · esc says no';
  if (question.kind === 'permission' && question.refusal) return 'enter says no · esc goes back';
  return `↑↓ or 1-${choicesOf(question).length}, then enter · esc says no`;
}

function cursorIn(
  question: Question,
  firstRow: number,
  answers: readonly StyledLine[],
): QuestionView['cursor'] {
  if (question.phase !== 'focused') return undefined;
  const refusal = question.kind === 'permission' ? question.refusal : undefined;
  if (refusal) {
    const before = `│    Why not? ${refusal.text.slice(0, refusal.cursor)}`;
    return { x: cellWidth(before), y: firstRow };
  }
  const row = answers.findIndex((line) => line[0]?.text.startsWith('❯'));
  return { x: 3, y: firstRow + Math.max(0, row) };
}

function choiceRows(question: Question, width: number): StyledLine[] {
  const choices = choicesOf(question);
  const widest = Math.max(...choices.map(({ label }) => cellWidth(label)));
  return choices.flatMap((choice, index) => {
    const isChosen = index === question.selected;
    const number = span(`${isChosen ? '❯' : ' '} ${index + 1}  `, isChosen ? 'accent' : 'plain');
    const label = span(choice.label, isChosen ? 'strong' : 'plain');
    return choiceRow(choice, { start: [number, label], widest, width });
  });
}

function choiceRow(
  { label, rule }: QuestionChoice,
  { start, widest, width }: { start: StyledLine; widest: number; width: number },
): StyledLine[] {
  if (rule === '') return [start];
  const gap = ' '.repeat(widest - cellWidth(label) + 4);
  const beside = [...start, span(gap), span(rule, 'dim')];
  const fits = width + FRAME_WIDTH >= ROOMY && 5 + widest + 4 + cellWidth(rule) <= width;
  if (fits) return [beside];
  return [start, ...wrapLines([[span(`     ${rule}`, 'dim')]], width)];
}

interface About {
  readonly title: StyledLine;
  readonly corner: StyledLine;
  readonly rows: readonly StyledLine[];
}

function aboutTrust({ directory, wishes }: TrustQuestion): About {
  return {
    title: [span('Trust the settings of this directory?', 'strong')],
    corner: [],
    rows: [
      [span(directory, 'accent')],
      [span('They would:', 'dim')],
      ...wishes.map((wish): StyledLine => [span(`- ${wish}`)]),
      [],
    ],
  };
}

function aboutCall(state: ScreenState, question: PermissionQuestion): About {
  const { request, diff } = question;
  const { toolName, toolArgs: input, requestId, explanation } = request;
  const call = { id: requestId, timestamp: '', toolUseId: requestId, toolName, input } as const;
  const view = describeTool({ ...call, type: 'tool_use', status: 'pending' });
  const shown = diff ?? view.diff;
  const waiting = state.questions.length - 1;
  return {
    title: [span(titleOf(view, state.banner.directory), 'warning')],
    corner: shown ? changeCount(shown) : [],
    rows: [
      ...(shown ? diffRows(state, view, shown) : argumentRows(state, view)),
      [],
      ...reasonRows(state, explanation?.reason),
      ...(waiting > 0
        ? [[span(`${counted(waiting, 'more question')} after this one.`, 'dim')]]
        : []),
    ],
  };
}

function titleOf({ kind, verb, target }: ToolView, directory: string): string {
  if (kind === 'shell') return 'Run this command?';
  const about = kind === 'other' ? '' : ` ${shortPath(target, directory)}`;
  return `${verb}${about}?`;
}

function diffRows(state: ScreenState, view: ToolView, diff: NonNullable<ToolView['diff']>) {
  return diffLines(diff, {
    columns: state.columns - FRAME_WIDTH,
    highlight: state.highlight,
    path: view.target,
    limit: roomFor(state),
    indent: '',
  });
}

function roomFor({ rows }: ScreenState): number {
  return Math.max(4, Math.min(24, rows - OTHER_ROWS));
}

/** A command as it was written; any other call by its arguments. */
function argumentRows(state: ScreenState, view: ToolView): StyledLine[] {
  const command = view.fields.find(({ name }) => name === 'command' || name === 'cmd');
  const lines =
    view.kind === 'shell' && command
      ? splitLines([span(withoutControl(command.value), 'code')])
      : view.fields.flatMap(({ name, value }) =>
          splitLines([span(`${name}: `, 'dim'), span(withoutControl(value), 'code')]),
        );
  const rows = wrapLines(lines, state.columns - FRAME_WIDTH);
  const room = roomFor(state);
  if (rows.length <= room + 1) return rows;
  return [...rows.slice(0, room), [span(`${counted(rows.length - room, 'more line')}`, 'warning')]];
}

function reasonRows(state: ScreenState, reason: string | undefined): StyledLine[] {
  if (reason === undefined) return [];
  return wrapLines([[span(plainReason(reason), 'dim')]], state.columns - FRAME_WIDTH);
}

/** That the mode decides means that no rule does. */
function plainReason(reason: string): string {
  const because = /^Mode \w+ decides(?:[^:]*: (.+))?/.exec(reason);
  if (!because) return reason;
  const [first = '', ...rest] = because[1] ?? 'no rule covers this call.';
  return first.toUpperCase() + rest.join('');
}
