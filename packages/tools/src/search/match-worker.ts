import type { FileHits, GrepOutputMode, HitLine } from './text-search.ts';

export interface MatchJob {
  readonly pattern: string;
  readonly flags: string;
  /** The pattern itself when it is plain text, searched before decoding. */
  readonly literal: string | null;
  /** Whether the complete text may be tried first; look-around could see across line ends and miss. */
  readonly canTryCompleteText: boolean;
  readonly mode: GrepOutputMode;
  readonly before: number;
  readonly after: number;
  readonly mostLines: number;
}

interface NodeModules {
  readonly files: typeof import('node:fs');
  readonly threads: typeof import('node:worker_threads');
}

interface Matcher {
  readonly job: MatchJob;
  readonly line: RegExp;
  readonly completeText: RegExp | null;
}

interface LineState {
  number: number;
  count: number;
  afterLeft: number;
  lastKept: number;
  recent: HitLine[];
  kept: HitLine[];
}

/**
 * The worker's source, built from the functions below, because a bundle has no second file to start a thread from. They
 * use only their parameters and each other, under any names a bundler gives them, and contain no named inner functions,
 * which some compilers wrap in a helper call.
 */
export function matchWorkerSource(): string {
  const matching = [createMatcher, matchFile, matchPiece, feedLine, keepHit];
  const parts = [...matching, openPieces, isOpenedAt, readPieces];
  const modules = `{ files: require('node:fs'), threads: require('node:worker_threads') }`;
  return `${parts.map(String).join('\n')}\n(${String(serve)})(${modules});`;
}

function serve({ files, threads }: NodeModules): void {
  const matcher = createMatcher(threads.workerData);
  threads.parentPort?.on('message', (paths: readonly string[]) => {
    const hits = paths.flatMap((path) => matchFile(path, matcher, files));
    threads.parentPort?.postMessage(hits);
  });
}

function createMatcher(job: MatchJob): Matcher {
  const completeText = job.canTryCompleteText ? new RegExp(job.pattern, `${job.flags}m`) : null;
  return { job, line: new RegExp(job.pattern, job.flags), completeText };
}

function matchFile(file: string, matcher: Matcher, files: NodeModules['files']): FileHits[] {
  const state: LineState = {
    number: 0,
    count: 0,
    afterLeft: 0,
    lastKept: 0,
    recent: [],
    kept: [],
  };
  for (const piece of openPieces(file, files)) {
    if (!matchPiece(piece, matcher, state)) break;
  }
  return state.count > 0 ? [{ file, count: state.count, lines: state.kept }] : [];
}

/**
 * A file's chunks; none for one that vanished, is not readable or is a folder, a pipe or a device, or is no longer at its
 * path because a link was put there.
 */
function* openPieces(
  path: string,
  files: NodeModules['files'],
): Generator<{ bytes: Buffer; isComplete: boolean }> {
  let handle: number;
  try {
    const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = files.constants;
    handle = files.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  } catch {
    return;
  }
  try {
    const status = files.fstatSync(handle);
    if (status.isFile() && isOpenedAt(handle, path, files))
      yield* readPieces(handle, status.size, files);
  } finally {
    files.closeSync(handle);
  }
}

/** Whether an open file or folder is the one at this path, which has no links, and no link was followed on the way. */
export function isOpenedAt(
  handle: number,
  path: string,
  files: Pick<NodeModules['files'], 'readlinkSync' | 'realpathSync'>,
): boolean {
  try {
    return files.readlinkSync(`/proc/self/fd/${handle}`) === path;
  } catch {
    // Without /proc a link that was put back meanwhile is not seen.
  }
  try {
    return files.realpathSync(path) === path;
  } catch {
    return false;
  }
}

/** Text in chunks that end at a line end, unless a line is larger than a chunk; nothing for a binary file. */
function* readPieces(
  handle: number,
  size: number,
  files: NodeModules['files'],
): Generator<{ bytes: Buffer; isComplete: boolean }> {
  const pieceBytes = 16 * 1024 * 1024;
  // Files in /proc report a size of 0.
  const buffer = Buffer.allocUnsafe(size > 0 ? Math.min(size, pieceBytes) : pieceBytes);
  let rest = Buffer.alloc(0);
  for (let isFirst = true; ; isFirst = false) {
    const read = files.readSync(handle, buffer, 0, buffer.length, null);
    if (read === 0) break;
    const bytes = Buffer.concat([rest, buffer.subarray(0, read)]);
    if (isFirst && bytes.subarray(0, 8192).includes(0)) return;
    if (isFirst && read === size) {
      yield { bytes, isComplete: true };
      return;
    }
    const end = bytes.length > 2 * pieceBytes ? bytes.length : bytes.lastIndexOf(10) + 1;
    if (end > 0) yield { bytes: bytes.subarray(0, end), isComplete: false };
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield { bytes: rest, isComplete: false };
}

/** False when no more of the file is needed. */
function matchPiece(
  { bytes, isComplete }: { readonly bytes: Buffer; readonly isComplete: boolean },
  { job, line, completeText }: Matcher,
  state: LineState,
): boolean {
  if (isComplete && job.literal !== null && !bytes.includes(job.literal)) return true;
  const text = bytes.toString('utf8');
  if (isComplete && completeText !== null && !completeText.test(text)) return true;
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  for (const raw of lines) {
    feedLine(raw.endsWith('\r') ? raw.slice(0, -1) : raw, { job, line }, state);
    if (state.count > 0 && job.mode === 'files_with_matches') return false;
  }
  return true;
}

function feedLine(
  text: string,
  { job, line }: Pick<Matcher, 'job' | 'line'>,
  state: LineState,
): void {
  state.number++;
  const isMatch = line.test(text);
  if (isMatch) state.count++;
  if (job.mode !== 'content') return;
  const hit = { number: state.number, text, isMatch };
  if (isMatch && state.count <= job.mostLines) {
    keepHit(hit, job, state);
  } else if (!isMatch && state.afterLeft > 0) {
    state.afterLeft--;
    state.lastKept = hit.number;
    state.kept.push(hit);
  } else if (isMatch) {
    state.afterLeft = 0;
  }
  if (job.before === 0) return;
  state.recent.push(hit);
  if (state.recent.length > job.before) state.recent.shift();
}

function keepHit(hit: HitLine, job: MatchJob, state: LineState): void {
  const before = state.recent.filter(({ number }) => number > state.lastKept);
  state.kept.push(...before, hit);
  state.lastKept = hit.number;
  state.afterLeft = job.after;
}
