import { truncateCells } from '../layout/cell-width.ts';
import { type StyledLine, span, splitLines } from '../markdown/styled-text.ts';
import {
  type Overlay,
  type PermissionOverlay,
  type PickerOverlay,
  pickable,
  type RecallOverlay,
  type TrustOverlay,
} from '../state/overlay.ts';
import { searchPrompts } from '../state/prompt-recall.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { editDiff } from './edit-diff.ts';
import { toolSummary } from './tool-summary.ts';

/** Rows of a list shown at once. */
const LIST_ROWS = 10;
/** Lines of a command or a diff shown in a question. */
const DETAIL_LINES = 20;

export interface OverlayView {
  readonly lines: readonly StyledLine[];
  /** Where a text is being written: line from the top, and the text before the cursor. */
  readonly input: { readonly line: number; readonly before: string } | undefined;
}

export function overlayLines(state: ScreenState, overlay: Overlay): OverlayView {
  switch (overlay.kind) {
    case 'permission':
      return permissionLines(overlay);
    case 'trust':
      return { lines: trustLines(overlay), input: undefined };
    case 'picker':
      return pickerLines(overlay, state.columns);
    case 'recall':
      return recallLines(state, overlay);
  }
}

function permissionLines(overlay: PermissionOverlay): OverlayView {
  const { request, refusal } = overlay;
  const pattern = request.explanation?.suggestedPattern;
  const question: StyledLine[] = [
    [],
    [span('Allow ', 'strong'), span(request.toolName, 'accent'), span('?', 'strong')],
    ...detailLines(request.toolName, request.toolArgs),
    ...(request.explanation ? [[span(`  ${request.explanation.reason}`, 'dim')]] : []),
    ...(overlay.waiting.length > 0
      ? [[span(`  ${overlay.waiting.length} more waiting`, 'dim')]]
      : []),
    [],
  ];
  if (refusal) {
    const label = '  Why not? (Enter denies, Esc goes back) ';
    const line: StyledLine = [span(label, 'dim'), span(refusal.text)];
    const before = label + refusal.text.slice(0, refusal.cursor);
    return { lines: [...question, line], input: { line: question.length, before } };
  }
  const rule = pattern ? `: ${pattern}` : '';
  const choices = [
    '1. Yes, once',
    `2. Yes, for this session${pattern ? rule : `: ${request.toolName}`}`,
    `3. Yes, always in this project${rule}`,
    '4. No, and say why',
  ];
  return { lines: [...question, ...choiceLines(choices, overlay.selected)], input: undefined };
}

function detailLines(toolName: string, input: Readonly<Record<string, unknown>>): StyledLine[] {
  const diff = editDiff(toolName, input);
  const command = typeof input.command === 'string' ? input.command : undefined;
  const lines =
    diff.length > 0
      ? [[span(toolSummary(toolName, input), 'strong')], ...diff]
      : splitLines([span(command ?? toolSummary(toolName, input), 'code')]);
  const shown = lines.slice(0, DETAIL_LINES);
  const rest = lines.length - shown.length;
  const more: StyledLine[] = rest > 0 ? [[span(`… +${rest} lines`, 'warning')]] : [];
  return [...shown, ...more].map((line) => [span('  '), ...line]);
}

function trustLines(overlay: TrustOverlay): StyledLine[] {
  return [
    [],
    [span('Do you trust the settings of this directory?', 'strong')],
    [span(`  ${overlay.directory}`, 'accent')],
    [span('  They would:', 'dim')],
    ...overlay.wishes.map((wish): StyledLine => [span(`  - ${wish}`)]),
    [],
    ...choiceLines(
      ['1. Yes, I know where they come from', '2. No, go on without them'],
      overlay.selected,
    ),
  ];
}

function pickerLines(overlay: PickerOverlay, columns: number): OverlayView {
  const found = pickable(overlay);
  const label = 'Search: ';
  const first = windowStart(overlay.selected, found.length);
  const rows = found.slice(first, first + LIST_ROWS).map((session, index): StyledLine => {
    const isSelected = first + index === overlay.selected;
    const text = `${isSelected ? '❯' : ' '} ${session.title}  ${session.agent} · ${session.detail}`;
    return [span(truncateCells(text, columns - 1), isSelected ? 'selected' : 'plain')];
  });
  const count = overlay.isLoading ? 'looking…' : `${found.length} sessions`;
  const lines: StyledLine[] = [
    [],
    [span('Sessions ', 'strong'), span(`(${count}; Enter opens, ctrl+f forks, Esc closes)`, 'dim')],
    [span(label, 'dim'), span(overlay.query.text)],
    ...rows,
  ];
  return {
    lines,
    input: { line: 2, before: label + overlay.query.text.slice(0, overlay.query.cursor) },
  };
}

function recallLines(state: ScreenState, overlay: RecallOverlay): OverlayView {
  const found = searchPrompts(state.recall.prompts, overlay.query.text);
  const label = 'Search prompts: ';
  const first = windowStart(overlay.selected, found.length);
  const rows = found.slice(first, first + LIST_ROWS).map((prompt, index): StyledLine => {
    const isSelected = first + index === overlay.selected;
    const text = `${isSelected ? '❯' : ' '} ${prompt.replaceAll('\n', ' ⏎ ')}`;
    return [span(truncateCells(text, state.columns - 1), isSelected ? 'selected' : 'plain')];
  });
  const line: StyledLine = [span(label, 'dim'), span(overlay.query.text)];
  return {
    lines: [[], line, ...rows],
    input: { line: 1, before: label + overlay.query.text.slice(0, overlay.query.cursor) },
  };
}

function choiceLines(choices: readonly string[], selected: number): StyledLine[] {
  return choices.map((choice, index) =>
    index === selected ? [span('❯ ', 'accent'), span(choice, 'strong')] : [span(`  ${choice}`)],
  );
}

/** Keeps the selected row inside the window. */
function windowStart(selected: number, count: number): number {
  return Math.max(0, Math.min(selected - LIST_ROWS + 1, count - LIST_ROWS));
}
