import { readFileSync } from 'node:fs';

/** A shell block of a document, and how the comment before it says to run it. */
export interface ShellBlock {
  readonly line: number;
  readonly text: string;
  readonly run: 'to its end' | 'until stopped' | 'in a terminal' | 'not here';
}

/** Comments allowed directly above a block. `not run here` needs a reason. */
const MARK = /^<!-- (until stopped|in a terminal|not run here: .+) -->$/;

/** The shell blocks of a document, in order. Throws for an unknown comment. */
export function readShellBlocks(path: string): ShellBlock[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  const blocks: ShellBlock[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line !== '```sh') {
      at = line.startsWith('```') ? endOf(lines, at) : at;
      continue;
    }
    const end = endOf(lines, at);
    const text = lines.slice(at + 1, end).join('\n');
    blocks.push({ line: at + 1, text, run: runOf(lines, at) });
    at = end;
  }
  return blocks;
}

function endOf(lines: readonly string[], start: number): number {
  const end = lines.findIndex((line, at) => at > start && line === '```');
  if (end === -1) throw new Error(`The block in line ${start + 1} does not end.`);
  return end;
}

function runOf(lines: readonly string[], at: number): ShellBlock['run'] {
  const above = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
  if (!above.startsWith('<!--')) return 'to its end';
  const mark = MARK.exec(above)?.[1];
  if (mark === undefined) throw new Error(`Line ${at} has an unknown mark: ${above}`);
  return mark === 'until stopped' || mark === 'in a terminal' ? mark : 'not here';
}
