import { type StyledLine, span } from '../markdown/styled-text.ts';

type ToolInput = Readonly<Record<string, unknown>>;

/** What an Edit or Write changes, as lines taken out and put in; nothing for other tools. */
export function editDiff(toolName: string, input: ToolInput, startLine = 1): StyledLine[] {
  if (toolName === 'Write') return numbered(textOf(input, 'content', 'content'), startLine, '+');
  if (toolName !== 'Edit') return [];
  const before = textOf(input, 'oldString', 'old_string');
  const after = textOf(input, 'newString', 'new_string');
  const shared = sharedEnds(before, after);
  const first = startLine + shared.head;
  return [
    ...context(
      before.slice(Math.max(0, shared.head - CONTEXT), shared.head),
      first - Math.min(CONTEXT, shared.head),
    ),
    ...numbered(before.slice(shared.head, before.length - shared.tail), first, '-'),
    ...numbered(after.slice(shared.head, after.length - shared.tail), first, '+'),
    ...context(
      after.slice(after.length - shared.tail).slice(0, CONTEXT),
      startLine + after.length - shared.tail,
    ),
  ];
}

/** Lines shown around a change. */
const CONTEXT = 3;

function textOf(input: ToolInput, ours: string, claude: string): string[] {
  const value = input[ours] ?? input[claude];
  return typeof value === 'string' ? value.split('\n') : [];
}

/** How many lines both texts begin and end with. */
function sharedEnds(
  before: readonly string[],
  after: readonly string[],
): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return { head, tail };
}

function numbered(lines: readonly string[], first: number, sign: '+' | '-'): StyledLine[] {
  const style = sign === '+' ? 'added' : 'removed';
  return lines.map((line, index) => [
    span(`${String(first + index).padStart(5)} `, 'dim'),
    span(`${sign} ${line}`, style),
  ]);
}

function context(lines: readonly string[], first: number): StyledLine[] {
  return lines.map((line, index) => [
    span(`${String(first + index).padStart(5)} `, 'dim'),
    span(`  ${line}`),
  ]);
}
