import { readFileSync } from 'node:fs';

/** A shell block of a document, and how the comment before it says to run it. */
export interface ShellBlock {
  readonly line: number;
  readonly text: string;
  readonly run: 'to its end' | 'until stopped' | 'in a terminal' | 'not here';
  /** What the block finds: nothing, an empty database of an archive, or also two nodes that serve it. */
  readonly needs: 'nothing' | 'a database' | 'two nodes';
}

/** A block of another language. */
export interface OtherBlock {
  readonly line: number;
  readonly text: string;
}

/** Comments allowed directly above a shell block. `not run here` needs a reason. */
const MARK =
  /^<!-- (?:not run here: .+|(?:with (a database|two nodes))?(?:, )?(until stopped|in a terminal)?) -->$/;

/** The shell blocks of a document, in order. Throws for an unknown comment. */
export function readShellBlocks(path: string): ShellBlock[] {
  return blocksOf(path, 'sh').map(({ line, text, above }) => ({
    line,
    text,
    ...markOf(above, line),
  }));
}

/** The blocks of a document in another language, in order. */
export function readBlocks(path: string, language: string): OtherBlock[] {
  return blocksOf(path, language).map(({ line, text }) => ({ line, text }));
}

interface FoundBlock extends OtherBlock {
  /** The last line before the block that is not empty. */
  readonly above: string;
}

function blocksOf(path: string, language: string): FoundBlock[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const blocks: FoundBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!line.startsWith('```')) continue;
    const end = endOf(lines, at);
    const above = lines.slice(0, at).findLast((each) => each.trim() !== '') ?? '';
    const text = lines.slice(at + 1, end).join('\n');
    if (line === `\`\`\`${language}`) blocks.push({ line: at + 1, text, above });
    at = end;
  }
  return blocks;
}

function endOf(lines: readonly string[], start: number): number {
  const end = lines.findIndex((line, at) => at > start && line === '```');
  if (end === -1) throw new Error(`The block in line ${start + 1} does not end.`);
  return end;
}

function markOf(above: string, line: number): Pick<ShellBlock, 'run' | 'needs'> {
  if (!above.startsWith('<!--')) return { run: 'to its end', needs: 'nothing' };
  const mark = MARK.exec(above);
  if (mark === null) throw new Error(`The block in line ${line} has an unknown mark: ${above}`);
  const [, needs = 'nothing', run = 'to its end'] = mark;
  if (above.includes('not run here')) return { run: 'not here', needs: 'nothing' };
  return { run: run as ShellBlock['run'], needs: needs as ShellBlock['needs'] };
}
