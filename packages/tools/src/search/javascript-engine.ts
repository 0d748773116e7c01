import { Worker } from 'node:worker_threads';
import { type MatchJob, matchWorkerSource } from './match-worker.ts';
import type { FileHits, SearchEngine, TextSearch } from './text-search.ts';
import { walkFiles } from './walk-files.ts';

const BATCH_FILES = 200;
/** Batches sent before the first result is awaited, so that walking and matching overlap. */
const BATCHES_AHEAD = 4;

/** Matches in a thread that can be terminated: a hostile pattern blocks that thread, not the session. */
export const searchWithJavaScript: SearchEngine = async function* search(query, signal) {
  signal.throwIfAborted();
  const thread = new MatchThread(toJob(query), signal);
  try {
    const pending: Promise<readonly FileHits[]>[] = [];
    for await (const batch of inBatches(candidates(query, signal))) {
      pending.push(thread.match(batch));
      if (pending.length > BATCHES_AHEAD) yield* (await pending.shift()) ?? [];
    }
    for (const hits of pending) yield* await hits;
  } finally {
    await thread.stop();
  }
};

/** One worker; results come in the order of the batches. */
class MatchThread {
  readonly #worker: Worker;
  readonly #signal: AbortSignal;
  readonly #failed: Promise<never>;
  #last: Promise<unknown> = Promise.resolve();
  #onAbort = () => {};

  constructor(job: MatchJob, signal: AbortSignal) {
    this.#signal = signal;
    this.#worker = new Worker(matchWorkerSource(), { eval: true, workerData: job });
    this.#failed = new Promise((_, reject) => {
      this.#onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', this.#onAbort, { once: true });
      this.#worker.once('error', (error) => {
        reject(new Error('The search thread failed', { cause: error }));
      });
    });
    this.#failed.catch(() => undefined);
  }

  match(files: readonly string[]): Promise<readonly FileHits[]> {
    const answer = this.#last.then(() => Promise.race([this.#ask(files), this.#failed]));
    this.#last = answer.catch(() => undefined);
    // A later batch may reject before the search awaits it.
    this.#last.catch(() => undefined);
    return answer;
  }

  async stop(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#onAbort);
    await this.#worker.terminate();
  }

  #ask(files: readonly string[]): Promise<readonly FileHits[]> {
    return new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.postMessage(files);
    });
  }
}

function toJob(query: TextSearch): MatchJob {
  const { pattern, ignoreCase, mode, before, after, mostLines } = query;
  const isPlain = !ignoreCase && !/[\\^$.*+?()[\]{}|]/.test(pattern);
  return {
    pattern,
    flags: ignoreCase ? 'i' : '',
    literal: isPlain ? pattern : null,
    canTryCompleteText: !/\(\?<?[=!]/.test(pattern),
    mode,
    before,
    after,
    mostLines,
  };
}

async function* candidates(query: TextSearch, signal: AbortSignal): AsyncGenerator<string> {
  if (query.rootKind === 'file') {
    yield query.root;
    return;
  }
  for await (const file of walkFiles(query.root, { signal })) {
    if (query.accepts(file)) yield file;
  }
}

async function* inBatches(files: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const file of files) {
    batch.push(file);
    if (batch.length < BATCH_FILES) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
