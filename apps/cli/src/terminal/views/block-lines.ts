import type {
  ConversationBlock,
  SubagentBlock,
  SystemBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '@robota-sdk/agent-transcript';
import { contentText } from '../../export/block-text.ts';
import { type Highlighter, renderMarkdown } from '../markdown/render-markdown.ts';
import {
  type Span,
  type StyledLine,
  span,
  splitLines,
  type TextStyle,
} from '../markdown/styled-text.ts';
import { editDiff } from './edit-diff.ts';
import { readToolOutput } from './tool-output.ts';
import { toolSummary } from './tool-summary.ts';

export interface ViewOptions {
  /** Shows folded output and thinking whole. */
  readonly expanded: boolean;
  readonly highlight: Highlighter;
}

/** Lines of folded output before the rest is only counted. */
const FOLDED_LINES = 4;
const FOLDED_DIFF_LINES = 24;

/** A block as lines of text. A tool's result is drawn with its call and stands nowhere by itself. */
export function blockLines(
  block: ConversationBlock,
  result: ToolResultBlock | undefined,
  options: ViewOptions,
): StyledLine[] {
  switch (block.type) {
    case 'user_message':
      return prefixed(splitLines([span(contentText(block.content))]), span('❯ ', 'user'));
    case 'assistant_text':
      return textPieceLines(block.content, true, options.highlight);
    case 'thinking':
      return thinkingLines(block, options);
    case 'tool_use':
      return toolLines(block, result, options);
    case 'tool_result':
      return fold(
        splitLines([span(readToolOutput(block.output).text, 'dim')]),
        FOLDED_LINES,
        options,
      );
    case 'system':
      return systemLines(block);
    case 'subagent':
      return subagentLines(block, options);
  }
}

/** A stretch of an answer; only its first carries the mark. */
export function textPieceLines(
  text: string,
  isFirst: boolean,
  highlight: Highlighter,
): StyledLine[] {
  return prefixed(renderMarkdown(text, highlight), isFirst ? span('● ', 'accent') : span('  '));
}

function thinkingLines(block: ThinkingBlock, { expanded }: ViewOptions): StyledLine[] {
  const lines = block.content.split('\n');
  if (expanded)
    return prefixed(
      lines.map((line) => [span(line, 'dim')]),
      span('✻ ', 'dim'),
    );
  const first = lines.find((line) => line.trim() !== '') ?? 'Thinking…';
  const more = lines.length > 1 ? ` (+${lines.length - 1} lines, ctrl+o)` : '';
  return [[span('✻ ', 'dim'), span(first, 'dim'), span(more, 'dim')]];
}

const MARKS: Readonly<Record<'running' | 'success' | 'error' | 'denied', Span>> = {
  running: span('◌ ', 'warning'),
  success: span('✓ ', 'success'),
  error: span('✗ ', 'failure'),
  denied: span('⊘ ', 'failure'),
};

function toolLines(
  block: ToolUseBlock,
  result: ToolResultBlock | undefined,
  options: ViewOptions,
): StyledLine[] {
  const summary = toolSummary(block.displayName ?? block.toolName, block.input);
  const output = result ? readToolOutput(result.output) : undefined;
  const diff = result?.isError ? [] : editDiff(block.toolName, block.input, output?.startLine);
  const body =
    diff.length > 0
      ? fold(diff, FOLDED_DIFF_LINES, options)
      : outputLines(output?.text ?? '', result?.isError === true, options);
  return [
    [MARKS[markOf(block, result)], span(summary, 'strong')],
    ...prefixed(body, span('  ⎿ ', 'dim')),
  ];
}

function markOf(block: ToolUseBlock, result: ToolResultBlock | undefined): keyof typeof MARKS {
  const code = result?.metadata?.errorCode ?? block.metadata?.errorCode;
  if (code === 'denied' || code === 'blocked') return 'denied';
  if (result?.isError || block.status === 'error') return 'error';
  return block.status === 'success' || result ? 'success' : 'running';
}

function outputLines(text: string, isError: boolean, options: ViewOptions): StyledLine[] {
  const trimmed = text.trimEnd();
  if (trimmed === '') return [];
  return fold(splitLines([span(trimmed, isError ? 'failure' : 'dim')]), FOLDED_LINES, options);
}

const SYSTEM_STYLES: Readonly<Partial<Record<SystemBlock['subtype'], TextStyle>>> = {
  error: 'failure',
  auth_status: 'warning',
};

function systemLines(block: SystemBlock): StyledLine[] {
  const style = SYSTEM_STYLES[block.subtype] ?? 'dim';
  return prefixed(splitLines([span(block.message, style)]), span('· ', style));
}

function subagentLines(block: SubagentBlock, options: ViewOptions): StyledLine[] {
  const mark = block.status === 'pending' ? 'running' : block.status;
  const heading: StyledLine = [
    MARKS[mark],
    span(block.name ?? 'subagent', 'strong'),
    span(` ${block.input.split('\n')[0] ?? ''}`, 'dim'),
  ];
  const output = block.output ? outputLines(block.output, block.status === 'error', options) : [];
  return [heading, ...prefixed(output, span('  ⎿ ', 'dim'))];
}

function fold(lines: StyledLine[], limit: number, { expanded }: ViewOptions): StyledLine[] {
  if (expanded || lines.length <= limit + 1) return lines;
  return [...lines.slice(0, limit), [span(`… +${lines.length - limit} lines (ctrl+o)`, 'dim')]];
}

/** The mark before the first line, the same width of nothing before the others. */
function prefixed(lines: readonly StyledLine[], mark: Span): StyledLine[] {
  const gap = span(' '.repeat(mark.text.length));
  return lines.map((line, index) => [index === 0 ? mark : gap, ...line]);
}
