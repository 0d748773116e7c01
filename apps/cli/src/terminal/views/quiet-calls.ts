import {
  type ConversationBlock,
  describeTool,
  type ToolUseBlock,
  type ToolView,
} from '@robota-sdk/agent-transcript';
import { cellWidth } from '../layout/cell-width.ts';
import { cutLine, lineWidth } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { isShownByCall, resultOf } from '../state/find-result.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { shortPath } from './format.ts';
import { markOf } from './tool-mark.ts';

/** Consecutive read-only calls, shown as one line. */
export interface QuietCalls {
  readonly views: readonly ToolView[];
  readonly isRunning: boolean;
  /** Index of the block after the last of them. */
  readonly next: number;
}

/** The group of quiet calls that starts at a block; undefined if none does. */
export function quietCallsAt(
  blocks: readonly ConversationBlock[],
  index: number,
): QuietCalls | undefined {
  const views: ToolView[] = [];
  let next = index;
  for (; next < blocks.length; next++) {
    const block = blocks[next];
    if (block?.type === 'tool_use') {
      const view = quietView(blocks, next, block);
      if (!view) break;
      views.push(view);
    } else if (views.length === 0 || !isShownByCall(blocks, next)) break;
  }
  if (views.length === 0) return undefined;
  return { views, isRunning: views.some(({ state }) => state === 'running'), next };
}

function quietView(
  blocks: readonly ConversationBlock[],
  index: number,
  block: ToolUseBlock,
): ToolView | undefined {
  const result = resultOf(blocks, index);
  const view = describeTool(block, result);
  return view.isQuiet ? view : undefined;
}

export function quietCallLines({ views, isRunning }: QuietCalls, state: ScreenState): StyledLine[] {
  const mark = markOf(isRunning ? 'running' : 'success');
  const { columns, banner } = state;
  const targets = views.map(({ target }) => shortPath(target, banner.directory));
  const [only] = views;
  if (only && views.length === 1) {
    return [cutLine([mark, span(only.verb, 'strong'), span(` ${targets[0] ?? ''}`)], columns)];
  }
  const [verb = '', ...rest] = sentenceOf(views).split(' ');
  const head: StyledLine = [mark, span(verb, 'strong'), span(` ${rest.join(' ')}`)];
  const files = targets.filter((_, index) => views[index]?.kind === 'read');
  return [[...head, ...namesOf(files, columns - lineWidth(head) - 2)]];
}

/** File names, shown only if at least the first one fits. */
function namesOf(targets: readonly string[], room: number): StyledLine {
  const names = [...new Set(targets.map((target) => target.split('/').at(-1) ?? target))];
  const [first] = names;
  if (first === undefined || cellWidth(first) + 1 > room) return [];
  return cutLine([span('  '), span(names.join(', '), 'dim')], room + 2);
}

/** `Read 3 files, searched once`. */
function sentenceOf(views: readonly ToolView[]): string {
  const count = (kind: ToolView['kind']) => views.filter((view) => view.kind === kind).length;
  const parts = [
    count('read') > 0 ? `read ${count('read') === 1 ? '1 file' : `${count('read')} files`}` : '',
    count('search') > 0 ? `searched ${times(count('search'))}` : '',
    count('list') > 0 ? `listed files ${times(count('list'))}` : '',
  ].filter(Boolean);
  const sentence = parts.join(', ');
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}
