import { Worker } from 'node:worker_threads';
import { type MatchJob, matchWorkerSource } from './match-worker.ts';
import type { FileHits, SearchEngine, SearchQuery } from './search-query.ts';
import { walkFiles } from './walk-files.ts';

const BATCH_FILES = 200;
/** Batches handed over before the first is waited for, so that walking and matching overlap. */
const BATCHES_AHEAD = 4;

/** Matches in a thread that can be stopped: a hostile pattern costs that thread, not the session. */
export const searchWithJavaScript: SearchEngine = async function* search(query, signal) {
  signal.throwIfAborted();
  const thread = new MatchThread(toJob(query), signal);
  try {
    const waiting: Promise<readonly FileHits[]>[] = [];
    for await (const batch of inBatches(candidates(query, signal))) {
      waiting.push(thread.match(batch));
      if (waiting.length > BATCHES_AHEAD) yield* (await waiting.shift()) ?? [];
    }
    for (const hits of waiting) yield* await hits;
  } finally {
    await thread.stop();
  }
};

/** One worker; batches are answered in the order in which they were asked. */
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
    // A later batch may fail before the search gets round to waiting for it.
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

function toJob(query: SearchQuery): MatchJob {
  const { pattern, ignoreCase, mode, before, after, mostLines } = query;
  const isPlain = !ignoreCase && !/[\\^$.*+?()[\]{}|]/.test(pattern);
  return {
    pattern,
    flags: ignoreCase ? 'i' : '',
    literal: isPlain ? pattern : null,
    canTryWholeText: !/\(\?<?[=!]/.test(pattern),
    mode,
    before,
    after,
    mostLines,
  };
}

async function* candidates(query: SearchQuery, signal: AbortSignal): AsyncGenerator<string> {
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
