import { closeSync, openSync, readSync } from 'node:fs';
import { createRedactor } from '@robota-sdk/agent-core/log';
import type { SubagentFile } from '@robota-sdk/agent-transcript/architectures';
import { neutraliseLine } from '@robota-sdk/agent-transcript/neutralise';
import { type SearchTerm, type SearchTerms, spaceCharacters } from './reading/search-words.ts';

/** The hits of one session and the files they are in. */
export interface SnippetSource {
  readonly type: string;
  readonly path: string;
  readonly parts: readonly SubagentFile[];
  readonly hits: readonly SnippetPlace[];
}

interface SnippetPlace {
  readonly thread: string;
  /** Byte offset of the block's line; -1 if it has none. */
  readonly offset: number;
  /** The block's index among all blocks of the session. */
  readonly index: number;
}

/** Characters around a match. */
const SNIPPET_LENGTH = 160;
/** Lines longer than this are not read alone; the complete session is read instead. */
const MAX_LINE_BYTES = 1 << 18;

const redactor = createRedactor();

/** Text around each hit, in the order of the hits; only the hit's line is read if possible. */
export async function readSnippets(source: SnippetSource, terms: SearchTerms): Promise<string[]> {
  const patterns = terms.wanted.map(termPattern);
  const quick = source.hits.map((hit) => snippetFromLine(source, hit, patterns));
  if (quick.every((snippet) => snippet !== undefined)) return quick;
  const texts = await readBlockTexts(source);
  return source.hits.map(
    ({ index }, at) => quick[at] ?? cutAround(texts[index] ?? '', patterns) ?? '',
  );
}

function snippetFromLine(
  { path, parts }: SnippetSource,
  { thread, offset }: SnippetPlace,
  patterns: readonly RegExp[],
): string | undefined {
  if (offset < 0) return undefined;
  const file = thread === 'main' ? path : parts.find(({ id }) => id === thread)?.path;
  const line = file === undefined ? undefined : readLineAt(file, offset);
  const record = line === undefined ? undefined : parse(line);
  if (record === undefined) return undefined;
  return bestSnippet(record, patterns);
}

/** A text of a record, with the object or array that contains it and that container's key. */
interface FoundText {
  readonly text: string;
  readonly name: string;
  readonly holder: object;
  readonly key: string;
}

/** Prefers the text with most of the terms, and a sentence over an id. */
function bestSnippet(record: unknown, patterns: readonly RegExp[]): string | undefined {
  let best: FoundText | undefined;
  let bestScore = 0;
  walkTexts({ record }, (found) => {
    const folded = fold(found.text);
    const held = patterns.filter((pattern) => pattern.test(folded)).length;
    if (held === 0) return;
    const score = held * 2 + (/\s/.test(found.text) ? 1 : 0);
    if (score > bestScore) [best, bestScore] = [found, score];
  });
  return best && cutAround(shownText(best), patterns);
}

/** Secrets are recognised by their keys and neighbours too, so those are redacted together with the text. */
function shownText({ text, name, holder, key }: FoundText): string {
  const clean: unknown = redactor.redactValue({ [name]: neighbours(holder, key, text) })[name];
  const shown: unknown = typeof clean === 'object' ? Reflect.get(clean ?? {}, key) : clean;
  return typeof shown === 'string' ? shown : redactor.redactText(text);
}

/** Visits every text in a value. */
function walkTexts(holder: object, visit: (found: FoundText) => void, name = '', depth = 0): void {
  for (const [key, inner] of Object.entries(holder)) {
    if (typeof inner === 'string') visit({ text: inner, name, holder, key });
    else if (typeof inner === 'object' && inner !== null && depth < MAX_DEPTH)
      walkTexts(inner, visit, key, depth + 1);
  }
}

const MAX_DEPTH = 64;
/** A longer text cannot be the name of a secret. */
const MAX_NAME_LENGTH = 200;

/** The container reduced to the text and the short values that could name it. */
function neighbours(holder: object, key: string, text: string): object {
  if (Array.isArray(holder)) {
    const before = holder.slice(0, Number(key)).map((each) => (isShort(each) ? each : ''));
    return [...before, text];
  }
  const others = Object.entries(holder).filter(([other, each]) => other !== key && isShort(each));
  return Object.fromEntries([...others, [key, text]]);
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_NAME_LENGTH;
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
    // A hit in a transcript that can no longer be read has no snippet.
    return [];
  }
}

function readLineAt(path: string, offset: number): string | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      for (let length = 1 << 12; length <= MAX_LINE_BYTES; length *= 8) {
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
    // Missing or unreadable file; reading the complete session then fails the same way.
    return undefined;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The file was rewritten since, so the offset points elsewhere.
    return undefined;
  }
}

/** The text around the first match of any pattern, in one line; undefined without a match. */
export function cutAround(text: string, patterns: readonly RegExp[]): string | undefined {
  const folded = fold(text);
  const places = patterns.map((pattern) => folded.search(pattern));
  const found = places.filter((place) => place >= 0);
  if (found.length === 0) return undefined;
  const at = Math.min(...found);
  const start = Math.max(0, at - SNIPPET_LENGTH / 3);
  const end = Math.min(text.length, start + SNIPPET_LENGTH);
  // Redacted with a margin, because half a secret would not be recognised.
  const [from, to] = [Math.max(0, start - MARGIN), Math.min(text.length, end + MARGIN)];
  const clean = redactor.redactText(text.slice(from, to));
  const shift = clean === text.slice(from, to) ? start - from : 0;
  const cut = clean.slice(shift, shift + SNIPPET_LENGTH);
  const line = neutraliseLine(cut).replace(/\s+/g, ' ').trim();
  return `${start > 0 ? '…' : ''}${line}${end < text.length ? '…' : ''}`;
}

const MARGIN = 200;

/** Removes case and accents, keeping the length so that positions stay the same. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!BEYOND_ASCII.test(lower)) return lower;
  const plain = lower.normalize('NFD').replace(/\p{M}/gu, '');
  if (plain.length === text.length) return plain;
  return lower.length === text.length ? lower : text;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Matches a term as the index does: any separators between words, any case, with or without accents. */
export function termPattern({ text, isPrefix }: SearchTerm): RegExp {
  const words = spaceCharacters(fold(text)).match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  const apart = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const end = isPrefix || BEYOND_ASCII.test(words.at(-1) ?? '') ? '' : '(?![a-z0-9])';
  const start = BEYOND_ASCII.test(words[0] ?? '') ? '' : '(?<![a-z0-9])';
  return new RegExp(`${start}${apart.join('[^\\p{L}\\p{N}]*')}${end}`, 'u');
}
