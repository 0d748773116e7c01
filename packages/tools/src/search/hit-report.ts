import { boundLine } from '../bounded-text.ts';
import type { FileHits, HitLine, TextSearch } from './text-search.ts';

/** Maximum characters of one line that are shown. */
const LINE_LIMIT = 2_000;

/** The text of a search result, bounded as it grows; hits beyond the limit are only counted. */
export class HitReport {
  readonly #query: Pick<TextSearch, 'mode' | 'before' | 'after'>;
  readonly #limit: number;
  readonly #withNumbers: boolean;
  readonly #lines: string[] = [];
  #shown = 0;
  #total = 0;

  constructor(
    query: Pick<TextSearch, 'mode' | 'before' | 'after'>,
    { limit, numbers }: { readonly limit: number; readonly numbers: boolean },
  ) {
    this.#query = query;
    this.#limit = limit;
    this.#withNumbers = numbers;
  }

  add(hits: FileHits): void {
    this.#total += this.#query.mode === 'content' ? hits.count : 1;
    if (this.#shown >= this.#limit) return;
    if (this.#query.mode === 'content') this.#addLines(hits);
    else {
      this.#shown++;
      this.#lines.push(this.#query.mode === 'count' ? `${hits.file}:${hits.count}` : hits.file);
    }
  }

  toString(): string {
    if (this.#total === 0) return '(no matches)';
    const text = this.#lines.join('\n');
    if (this.#shown >= this.#total) return text;
    return `${text}\n\n[Showing ${this.#shown} of ${this.#total} matches. Use headLimit parameter to see more.]`;
  }

  #addLines({ file, lines }: FileHits): void {
    let previous: number | undefined;
    for (const line of lines) {
      if (this.#shown >= this.#limit && line.isMatch) return;
      const isGap = previous !== undefined && line.number > previous + 1;
      if (isGap && this.#query.before + this.#query.after > 0) this.#lines.push('--');
      this.#lines.push(this.#format(file, line));
      if (line.isMatch) this.#shown++;
      previous = line.number;
    }
  }

  #format(file: string, { number, text, isMatch }: HitLine): string {
    const mark = isMatch ? ':' : '-';
    const place = this.#withNumbers ? `${file}:${number}${mark}` : `${file}${mark}`;
    return place + boundLine(text, LINE_LIMIT);
  }
}
