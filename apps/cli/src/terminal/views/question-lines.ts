import { describeTool, neutraliseLine, type ToolView } from '@robota-sdk/agent-transcript';
import type { EditorState } from '../editor/editor-state.ts';
import { cellWidth } from '../layout/cell-width.ts';
import { layoutEditor } from '../layout/layout-editor.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import { renderMarkdown } from '../markdown/render-markdown.ts';
import { type StyledLine, span, splitLines } from '../markdown/styled-text.ts';
import {
  type AgentQuestion,
  askedField,
  optionsOf,
  planOf,
  type QuestionOption,
  type ScreenQuestion,
  type TrustQuestion,
} from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { changeCount, diffLines } from './diff-lines.ts';
import { visibleText } from './folded-output.ts';
import { counted, shortPath } from './format.ts';
import { FRAME_WIDTH, framed } from './framed.ts';
import { listWindow } from './list-window.ts';

export interface QuestionView {
  readonly lines: readonly StyledLine[];
  /** Cursor position while the question has the focus; undefined while the prompt has it. */
  readonly cursor: { readonly x: number; readonly y: number } | undefined;
}

/** Rows that a question needs besides its subject. */
const OTHER_ROWS = 16;
/** Below this width a rule is drawn below its choice instead of beside it. */
const WIDE_COLUMNS = 80;

/** A framed question, in `room` rows if possible: its subject is cut before any choice is. */
export function questionLines(
  state: ScreenState,
  question: ScreenQuestion,
  room: number,
): QuestionView {
  const about =
    question.kind === 'trust' ? aboutTrust(state, question) : aboutAgent(state, question);
  const width = state.columns - FRAME_WIDTH;
  const writing = question.kind === 'agent' ? question.writing : undefined;
  if (writing?.purpose === 'plan') return planEditor(state, question, writing.editor);
  const inFrame = room - FRAME_ROWS;
  const answers = writing
    ? [[span(`  ${WRITING[writing.purpose]} `, 'strong'), span(writing.editor.text)]]
    : nearChosen(choiceRows(question, width), inFrame - MIN_ABOUT_ROWS);
  const aboutRows = cutRows(about.rows, inFrame - answers.length);
  const lines = framed(
    [...aboutRows, ...answers],
    { title: about.title, corner: about.corner, hint: hintFor(question), style: 'warning' },
    state.columns,
  );
  return { lines, cursor: cursorIn(question, aboutRows.length + 1, answers) };
}

/** The top and bottom edges. */
const FRAME_ROWS = 2;
/** At least one row of the subject, or the row that says it is cut. */
const MIN_ABOUT_ROWS = 1;

/** As many rows as fit; the last one says how many are missing. */
function cutRows(rows: readonly StyledLine[], room: number): readonly StyledLine[] {
  if (rows.length <= room) return rows;
  const kept = rows.slice(0, Math.max(0, room - 1));
  const missing = rows.slice(kept.length).filter((row) => row.length > 0).length;
  if (room < 1 || missing === 0) return kept;
  return [...kept, moreLine(missing)];
}

/** Says how to see the rest: nobody should have to approve what they cannot see. */
function moreLine(count: number): StyledLine {
  return [span(`${counted(count, 'more line')} · ctrl+o shows all of it`, 'warning')];
}

/** When not all choices fit, those around the selected one. */
function nearChosen(rows: readonly StyledLine[], room: number): readonly StyledLine[] {
  const chosen = Math.max(0, rows.findIndex(isChosenRow));
  return listWindow(rows, chosen, Math.max(1, room)).shown;
}

function isChosenRow(row: StyledLine): boolean {
  return row[0]?.text.startsWith('❯') === true;
}

const WRITING = { why: 'Why not?', field: 'Answer:', plan: '' } as const;

/** The plan as an editable text, instead of the choices. */
function planEditor(
  state: ScreenState,
  question: ScreenQuestion,
  editor: EditorState,
): QuestionView {
  const { lines, cursor } = layoutEditor(editor, state.columns - FRAME_WIDTH - 1);
  const room = roomFor(state) + OTHER_CHOICES;
  const first = Math.max(0, Math.min(cursor.y - room + 1, lines.length - room));
  const title: StyledLine = [span('Change the plan', 'warning')];
  const frame = { title, corner: [], hint: hintFor(question), style: 'warning' } as const;
  return {
    lines: framed(lines.slice(first, first + room), frame, state.columns),
    cursor: question.phase === 'focused' ? { x: 3 + cursor.x, y: 1 + cursor.y - first } : undefined,
  };
}

/** Rows that the choices would take if the plan were only shown. */
const OTHER_CHOICES = 5;

function hintFor(question: ScreenQuestion): string {
  // No keys are offered until every key sent earlier has arrived.
  if (question.phase === 'opening') return '…';
  if (question.phase !== 'focused') return 'tab answers · esc says no';
  if (question.kind === 'agent' && question.writing) {
    return HINTS[question.writing.purpose];
  }
  const choice = `↑↓ or 1-${optionsOf(question).length}`;
  const field = question.kind === 'agent' ? askedField(question) : undefined;
  if (!field) return `${choice}, then enter · esc says no`;
  return `${choice}, ${field.isMultiple ? 'space marks' : 'then enter'} · esc gives no answer`;
}

const HINTS = {
  why: 'enter says no · esc goes back',
  field: 'enter answers · esc goes back',
  plan: 'enter approves it as it stands · ctrl+j new line · esc goes back',
} as const;

function cursorIn(
  question: ScreenQuestion,
  firstRow: number,
  answers: readonly StyledLine[],
): QuestionView['cursor'] {
  if (question.phase !== 'focused') return undefined;
  const writing = question.kind === 'agent' ? question.writing : undefined;
  if (writing) {
    const { text, cursor } = writing.editor;
    const before = `│    ${WRITING[writing.purpose]} ${text.slice(0, cursor)}`;
    return { x: cellWidth(before), y: firstRow };
  }
  const row = answers.findIndex(isChosenRow);
  return { x: 3, y: firstRow + Math.max(0, row) };
}

function choiceRows(question: ScreenQuestion, width: number): StyledLine[] {
  const choices = optionsOf(question).map(({ label, rule }) => ({
    label: neutraliseLine(label),
    rule: neutraliseLine(rule),
  }));
  const widest = Math.max(...choices.map(({ label }) => cellWidth(label)));
  return choices.flatMap((choice, index) => {
    const isChosen = index === question.selected;
    const number = span(`${isChosen ? '❯' : ' '} ${index + 1}  `, isChosen ? 'accent' : 'plain');
    const label = span(choice.label, isChosen ? 'strong' : 'plain');
    return choiceRow(choice, { start: [number, label], widest, width });
  });
}

function choiceRow(
  { label, rule }: Pick<QuestionOption, 'label' | 'rule'>,
  { start, widest, width }: { start: StyledLine; widest: number; width: number },
): StyledLine[] {
  if (rule === '') return [start];
  const gap = ' '.repeat(widest - cellWidth(label) + 4);
  const beside = [...start, span(gap), span(rule, 'dim')];
  const fits = width + FRAME_WIDTH >= WIDE_COLUMNS && 5 + widest + 4 + cellWidth(rule) <= width;
  if (fits) return [beside];
  return [start, ...wrapLines([[span(`     ${rule}`, 'dim')]], width)];
}

interface About {
  readonly title: StyledLine;
  readonly corner: StyledLine;
  readonly rows: readonly StyledLine[];
}

function aboutTrust(
  { columns }: ScreenState,
  { directory, pendingSettings }: TrustQuestion,
): About {
  const settings = pendingSettings.map(
    (setting): StyledLine => [span(`- ${visibleText(setting)}`)],
  );
  return {
    title: [span('Trust the settings of this directory?', 'strong')],
    corner: [],
    rows: [
      [span(directory, 'accent')],
      [span('They would:', 'dim')],
      ...wrapLines(settings, columns - FRAME_WIDTH),
      [],
    ],
  };
}

function aboutAgent(state: ScreenState, question: AgentQuestion): About {
  const { asked } = question;
  if (asked.kind === 'plan') return aboutPlan(state, question);
  const field = askedField(question);
  if (!field) return aboutCall(state, question);
  const answered = Object.entries(question.answers).map(
    ([name, answer]): StyledLine => [span(`${name} `, 'dim'), span(answer)],
  );
  const rows = wrapLines(splitLines([span(field.name)]), state.columns - FRAME_WIDTH);
  const { title = 'The agent' } = state.session ?? {};
  return {
    title: [span(`${title} asks`, 'warning')],
    corner: [],
    rows: [...answered, ...rows, []],
  };
}

function aboutPlan(state: ScreenState, { asked }: AgentQuestion): About {
  const plan = planOf(state, asked);
  const columns = state.columns - FRAME_WIDTH;
  const { highlight } = state;
  const page = renderMarkdown(visibleText(plan), { highlight, columns });
  const lines = wrapLines(page, columns);
  const room = roomFor(state);
  const more = lines.length - room;
  const cut: StyledLine[] = more > 0 ? [moreLine(more)] : [];
  return {
    title: [span('Go ahead with this plan?', 'warning')],
    corner: [],
    rows: [...lines.slice(0, room), ...cut, []],
  };
}

function aboutCall(state: ScreenState, { asked, diff }: AgentQuestion): About {
  const { id, toolName, input, explanation } = asked;
  const call = { id, timestamp: '', toolUseId: id, toolName, input } as const;
  const view = describeTool({ ...call, type: 'tool_use', status: 'pending' });
  const shown = diff ?? view.diff;
  const waiting = state.questions.length - 1;
  return {
    title: [span(titleOf(view, state.banner.directory), 'warning')],
    corner: shown ? changeCount(shown) : [],
    rows: [
      ...(shown ? diffRows(state, view, shown) : argumentRows(state, view)),
      [],
      ...reasonRows(state, explanation),
      ...askerRows(state, asked.conversationId),
      ...(waiting > 0
        ? [[span(`${counted(waiting, 'more question')} after this one.`, 'dim')]]
        : []),
    ],
  };
}

function titleOf({ kind, verb, target }: ToolView, directory: string): string {
  if (kind === 'shell') return 'Run this command?';
  const about = kind === 'other' ? '' : ` ${shortPath(target, directory)}`;
  return visibleText(`${verb}${about}?`);
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

/** The command line of a shell call; the arguments of any other call. */
function argumentRows(state: ScreenState, view: ToolView): StyledLine[] {
  const command = view.fields.find(({ name }) => name === 'command' || name === 'cmd');
  const lines =
    view.kind === 'shell' && command
      ? splitLines([span(visibleText(command.value), 'code')])
      : view.fields.flatMap(({ name, value }) =>
          splitLines([span(`${name}: `, 'dim'), span(visibleText(value), 'code')]),
        );
  const rows = wrapLines(lines, state.columns - FRAME_WIDTH);
  const room = roomFor(state);
  if (rows.length <= room + 1) return rows;
  return [...rows.slice(0, room), moreLine(rows.length - room)];
}

/** Says which subagent asks. */
function askerRows({ conversation, columns }: ScreenState, asker: string): StyledLine[] {
  const block = conversation.blocks.findLast(
    (each) => each.type === 'subagent' && each.subagentId === asker,
  );
  if (block?.type !== 'subagent') return [];
  const name = neutraliseLine(block.name ?? 'subagent');
  return wrapLines([[span(`Asked by the agent ${name}.`, 'dim')]], columns - FRAME_WIDTH);
}

function reasonRows(state: ScreenState, reason: string | undefined): StyledLine[] {
  if (reason === undefined) return [];
  return wrapLines(splitLines([span(visibleText(reason), 'dim')]), state.columns - FRAME_WIDTH);
}
