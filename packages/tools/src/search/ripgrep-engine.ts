import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { hasEndlessIgnoreFile } from './ignore-pipe.ts';
import { parseLineHits, parseNamedHits } from './ripgrep-output.ts';
import { toRustPattern } from './rust-pattern.ts';
import type { FileHits, SearchEngine, SearchQuery } from './search-query.ts';

/** The search cannot be done by ripgrep, but perhaps by the JavaScript engine. */
export class RipgrepUnsuitableError extends Error {
  override readonly name = 'RipgrepUnsuitableError';
}

/** Milliseconds without a hit. */
const SILENCE_MS = 20_000;
/** Ripgrep waits for ever for a pipe that is called .gitignore: after this long without a hit one is looked for. */
const SUSPICION_MS = 1_000;

/** Searches with the ripgrep at `program`; one that stays silent for too long is given up. */
export function ripgrepEngine(program: string, silenceMs = SILENCE_MS): SearchEngine {
  return async function* search(query, signal) {
    const pattern = toRustPattern(query.pattern);
    if (pattern === null)
      throw new RipgrepUnsuitableError(`Not in ripgrep's dialect: ${query.pattern}`);
    const child = spawn(program, argumentsFor(query, pattern), {
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), silenceMs);
    const suspicion = new AbortController();
    const doubt = setTimeout(() => void giveUpOnPipe(child, query, suspicion.signal), SUSPICION_MS);
    const ended = endOf(child);
    // It may fail before the search gets round to waiting for it.
    ended.catch(() => undefined);
    try {
      for await (const hits of parse(query, child.stdout)) {
        signal.throwIfAborted();
        timer.refresh();
        if (query.rootKind === 'file' || query.accepts(hits.file)) yield hits;
      }
      signal.throwIfAborted();
      await ended;
    } finally {
      clearTimeout(timer);
      clearTimeout(doubt);
      suspicion.abort();
      child.kill('SIGKILL');
    }
  };
}

async function giveUpOnPipe(
  child: ChildProcess,
  { root, rootKind }: SearchQuery,
  signal: AbortSignal,
): Promise<void> {
  const folder = rootKind === 'file' ? dirname(root) : root;
  if (await hasEndlessIgnoreFile(folder, signal)) child.kill('SIGKILL');
}

function argumentsFor(query: SearchQuery, pattern: string): string[] {
  return [
    ...['--no-config', '--hidden', '--no-require-git', '--no-ignore-dot', '--no-ignore-global'],
    ...['--no-ignore-exclude', '--no-messages', '--sort=path', '--crlf', '--encoding=none'],
    ...['--glob=!.git', '--glob=!node_modules', '--color=never'],
    ...outputArguments(query),
    ...typeArguments(query.glob),
    query.ignoreCase ? '--ignore-case' : '--case-sensitive',
    `--regexp=${pattern}`,
    '--',
    query.root,
  ];
}

function outputArguments({ mode, before, after }: SearchQuery): string[] {
  if (mode === 'files_with_matches') return ['--files-with-matches', '--null'];
  if (mode === 'count') return ['--count', '--with-filename', '--null'];
  return [
    ...['--line-number', '--with-filename', '--no-heading', '--null', '--no-context-separator'],
    ...[`--before-context=${before}`, `--after-context=${after}`],
  ];
}

/**
 * Narrows the search for globs of the form `*.ts` and `*.{ts,tsx}`; all others only filter what was found.
 * Not by `--glob`, which would bring files back that git ignores.
 */
function typeArguments(glob: string | undefined): string[] {
  const [, single, several] =
    /^(?:\*\*\/)?\*\.(?:(\w+)|\{(\w+(?:,\w+)*)\})$/.exec(glob ?? '') ?? [];
  const extensions = single ? [single] : (several?.split(',') ?? []);
  if (extensions.length === 0) return [];
  return [...extensions.map((extension) => `--type-add=wanted:*.${extension}`), '--type=wanted'];
}

function parse(query: SearchQuery, output: Readable): AsyncGenerator<FileHits> {
  if (query.mode === 'content') return parseLineHits(output, query.mostLines);
  return parseNamedHits(output, query.mode);
}

const STUCK =
  'The search got stuck, perhaps on a pipe among the files. Search a smaller directory instead.';

/** Rejects unless ripgrep searched: 0 is found, 1 not found, 2 with a complaint about the pattern. */
async function endOf(child: ChildProcess): Promise<void> {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, 2_000);
  });
  let code: unknown;
  let signal: unknown;
  try {
    [code, signal] = await once(child, 'close');
  } catch (error) {
    throw new RipgrepUnsuitableError('ripgrep could not be run', { cause: error });
  }
  if (signal === 'SIGKILL') throw new RipgrepUnsuitableError(STUCK);
  if (code === 0 || code === 1 || complaint === '') return;
  throw new RipgrepUnsuitableError(`ripgrep refused the search: ${complaint}`);
}
