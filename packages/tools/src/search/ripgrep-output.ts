import type { Readable } from 'node:stream';
import type { FileHits, HitLine } from './text-search.ts';

/** Hits of `rg --files-with-matches --null` and `rg --count --null`. */
export async function* parseNamedHits(
  output: Readable,
  mode: 'files_with_matches' | 'count',
): AsyncGenerator<FileHits> {
  const end = mode === 'count' ? '\n' : '\0';
  for await (const record of splitAt(output, end)) {
    const [file = '', count = '1'] = record.split('\0');
    yield { file, count: Number(count), lines: [] };
  }
}

/** Hits of `rg --line-number --null`, with at most `mostLines` matching lines per file. */
export async function* parseLineHits(
  output: Readable,
  mostLines: number,
): AsyncGenerator<FileHits> {
  let current: { file: string; count: number; lines: HitLine[] } | undefined;
  for await (const record of splitAt(output, '\n')) {
    const end = record.indexOf('\0');
    // Notes about binary files contain no NUL.
    if (end === -1) continue;
    const file = record.slice(0, end);
    if (current && current.file !== file) yield current;
    if (current?.file !== file) current = { file, count: 0, lines: [] };
    const line = parseLine(record.slice(end + 1));
    if (line.isMatch) current.count++;
    if (current.count <= mostLines) current.lines.push(line);
  }
  if (current) yield current;
}

/** `12:text` is a match, `12-text` its context. */
function parseLine(text: string): HitLine {
  const digits = text.search(/[:-]/);
  const line = text.slice(digits + 1);
  return {
    number: Number(text.slice(0, digits)),
    text: line.endsWith('\r') ? line.slice(0, -1) : line,
    isMatch: text.charAt(digits) === ':',
  };
}

/** Splits a stream into records; a record of many chunks is joined once, so a huge line costs linear time. */
async function* splitAt(output: Readable, end: string): AsyncGenerator<string> {
  let parts: string[] = [];
  output.setEncoding('utf8');
  for await (const chunk of output) {
    const [first = '', ...more] = String(chunk).split(end);
    parts.push(first);
    for (const part of more) {
      yield parts.join('');
      parts = [part];
    }
  }
}
