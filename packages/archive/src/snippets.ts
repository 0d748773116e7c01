import { closeSync, openSync, readSync } from 'node:fs';
import { createRedactor } from '@robota-sdk/agent-core/log';
import type { SubagentFile } from '@robota-sdk/agent-transcript/architectures';
import { neutraliseLine } from '@robota-sdk/agent-transcript/neutralise';
import { collectWords } from './reading/block-text.ts';
import type { SearchTerms } from './reading/search-words.ts';

/** Where the blocks of one session are that a search has found. */
export interface SnippetSource {
  readonly type: string;
  readonly path: string;
  readonly parts: readonly SubagentFile[];
  readonly hits: readonly SnippetPlace[];
}

interface SnippetPlace {
  readonly thread: string;
  /** The byte at which the block's line begins; -1 when no line stands for it. */
  readonly offset: number;
  /** The number of the block among all of the session. */
  readonly index: number;
}

/** Characters around a match. */
const SNIPPET_LENGTH = 160;
/** Longer lines are not read for a snippet; the session is then read whole. */
const LONGEST_LINE = 1 << 18;

const redactor = createRedactor();

/** The words around each hit, from its line alone where that can be read; in the order of the hits. */
export async function readSnippets(source: SnippetSource, terms: SearchTerms): Promise<string[]> {
  const quick = source.hits.map((hit) => snippetFromLine(source, hit, terms));
  if (quick.every((snippet) => snippet !== undefined)) return quick;
  const whole = await readBlockTexts(source);
  return source.hits.map(
    ({ index }, at) => quick[at] ?? cutAround(whole[index] ?? '', terms) ?? '',
  );
}

function snippetFromLine(
  { path, parts }: SnippetSource,
  { thread, offset }: SnippetPlace,
  terms: SearchTerms,
): string | undefined {
  if (offset < 0) return undefined;
  const file = thread === 'main' ? path : parts.find(({ id }) => id === thread)?.path;
  const line = file === undefined ? undefined : readLineAt(file, offset);
  const record = line === undefined ? undefined : parse(line);
  if (record === undefined) return undefined;
  const pieces: string[] = [];
  // Secret-named values are known by their keys, which single texts do not have.
  collectWords(redactor.redactValue(record), pieces);
  const best = bestPiece(pieces, terms);
  return best === undefined ? undefined : cutAround(best, terms);
}

/** The text that holds most of the terms; a sentence rather than an id. */
function bestPiece(pieces: readonly string[], { wanted }: SearchTerms): string | undefined {
  let best: { readonly piece: string; readonly score: number } | undefined;
  for (const piece of pieces) {
    const folded = fold(piece);
    const found = wanted.filter(({ text }) => folded.includes(fold(text))).length;
    const score = found * 2 + (/\s/.test(piece) ? 1 : 0);
    if (found > 0 && score > (best?.score ?? 0)) best = { piece, score };
  }
  return best?.piece;
}

async function readBlockTexts({ type, path, parts }: SnippetSource): Promise<string[]> {
  const [{ readFamily }, { readSession }] = await Promise.all([
    import('@robota-sdk/agent-transcript/architectures'),
    import('./reading/session-reading.ts'),
  ]);
  try {
    const { threads } = readSession(await readFamily({ type, path, parts }));
    return threads.flatMap(({ blocks }) => blocks.map(({ text }) => text));
  } catch {
    // A transcript that cannot be read any more was still found; there is nothing to show of it.
    return [];
  }
}

function readLineAt(path: string, offset: number): string | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      for (let length = 1 << 12; length <= LONGEST_LINE; length *= 8) {
        const buffer = Buffer.allocUnsafe(length);
        const bytes = buffer.subarray(0, readSync(file, buffer, 0, length, offset));
        const end = bytes.indexOf(0x0a);
        if (end !== -1) return bytes.toString('utf8', 0, end);
        if (bytes.length < length) return bytes.toString('utf8');
      }
      return undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    // The file is gone or may not be read; the whole session is then tried, which says the same.
    return undefined;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The file was written anew since, and another line stands there.
    return undefined;
  }
}

/** The text around the first term that it holds, when it holds all of them or at least one; in one line. */
function cutAround(text: string, { wanted }: SearchTerms): string | undefined {
  const folded = fold(text);
  const places = wanted.map((term) => folded.indexOf(fold(term.text)));
  const found = places.filter((place) => place >= 0);
  if (found.length === 0) return undefined;
  const at = Math.min(...found);
  const start = Math.max(0, at - SNIPPET_LENGTH / 3);
  const end = Math.min(text.length, start + SNIPPET_LENGTH);
  // Redacted with what stands around it, or half a secret would not be known as one.
  const [from, to] = [Math.max(0, start - MARGIN), Math.min(text.length, end + MARGIN)];
  const clean = redactor.redactText(text.slice(from, to));
  const shift = clean === text.slice(from, to) ? start - from : 0;
  const cut = clean.slice(shift, shift + SNIPPET_LENGTH);
  const line = neutraliseLine(cut).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${line}${end < text.length ? '…' : ''}`;
}

const MARGIN = 200;

/** Without case and accents, one character for each, so that places stay the same. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text;
}
