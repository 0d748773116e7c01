import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { isFoundInPlace } from './file-in-place.ts';
import { hasIgnorePipe } from './ignore-pipe.ts';
import { parseLineHits, parseNamedHits } from './ripgrep-output.ts';
import { toRustPattern } from './rust-pattern.ts';
import type { FileHits, SearchEngine, TextSearch } from './text-search.ts';

/** Ripgrep cannot run this search; the JavaScript engine may. */
export class RipgrepUnsuitableError extends Error {
  override readonly name = 'RipgrepUnsuitableError';
}

/** Milliseconds without a hit. */
const SILENCE_MS = 20_000;
/** Ripgrep blocks on a pipe named .gitignore: after this long without a hit, such a pipe is searched for. */
const PIPE_CHECK_MS = 1_000;

/** Searches with the ripgrep at `program`; stops one that is silent for too long. */
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
    const pipeCheck = new AbortController();
    const pipeTimer = setTimeout(
      () => void killOnPipe(child, query, pipeCheck.signal),
      PIPE_CHECK_MS,
    );
    const ended = endOf(child);
    // It may reject before the search awaits it.
    ended.catch(() => undefined);
    try {
      for await (const hits of parse(query, child.stdout)) {
        signal.throwIfAborted();
        timer.refresh();
        const isWanted = query.rootKind === 'file' || query.accepts(hits.file);
        if (isWanted && isFoundInPlace(hits)) yield hits;
      }
      signal.throwIfAborted();
      await ended;
    } finally {
      clearTimeout(timer);
      clearTimeout(pipeTimer);
      pipeCheck.abort();
      child.kill('SIGKILL');
    }
  };
}

async function killOnPipe(
  child: ChildProcess,
  { root, rootKind }: TextSearch,
  signal: AbortSignal,
): Promise<void> {
  const folder = rootKind === 'file' ? dirname(root) : root;
  if (await hasIgnorePipe(folder, signal)) child.kill('SIGKILL');
}

function argumentsFor(query: TextSearch, pattern: string): string[] {
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

function outputArguments({ mode, before, after }: TextSearch): string[] {
  if (mode === 'files_with_matches') return ['--files-with-matches', '--null'];
  if (mode === 'count') return ['--count', '--with-filename', '--null'];
  return [
    ...['--line-number', '--with-filename', '--no-heading', '--null', '--no-context-separator'],
    ...[`--before-context=${before}`, `--after-context=${after}`],
  ];
}

/**
 * Narrows the search for globs such as `*.ts` and `*.{ts,tsx}`; all others only filter the results. `--glob` is not
 * used because it overrides .gitignore.
 */
function typeArguments(glob: string | undefined): string[] {
  const [, single, several] =
    /^(?:\*\*\/)?\*\.(?:(\w+)|\{(\w+(?:,\w+)*)\})$/.exec(glob ?? '') ?? [];
  const extensions = single ? [single] : (several?.split(',') ?? []);
  if (extensions.length === 0) return [];
  return [...extensions.map((extension) => `--type-add=wanted:*.${extension}`), '--type=wanted'];
}

function parse(query: TextSearch, output: Readable): AsyncGenerator<FileHits> {
  if (query.mode === 'content') return parseLineHits(output, query.mostLines);
  return parseNamedHits(output, query.mode);
}

const BLOCKED_ON_PIPE =
  'The search got stuck, perhaps on a pipe among the files. Search a smaller directory instead.';

/** Rejects unless ripgrep searched: 0 is found, 1 not found, 2 an error about the pattern. */
async function endOf(child: ChildProcess): Promise<void> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(0, 2_000);
  });
  let code: unknown;
  let signal: unknown;
  try {
    [code, signal] = await once(child, 'close');
  } catch (error) {
    throw new RipgrepUnsuitableError('ripgrep could not be run', { cause: error });
  }
  if (signal === 'SIGKILL') throw new RipgrepUnsuitableError(BLOCKED_ON_PIPE);
  if (code === 0 || code === 1 || stderr === '') return;
  throw new RipgrepUnsuitableError(`ripgrep refused the search: ${stderr}`);
}
