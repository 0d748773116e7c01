import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Catalogue, RefreshReport } from '@robota-sdk/agent-archive';
import type { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { describeError } from '../report-error.ts';
import { createProgress } from './refresh-progress.ts';

/** Maximum time that a refresh may delay a result. */
const QUICK_MS = 150;
/** Maximum time that a refresh may delay the first list on a screen. */
const BRIEF_MS = 1500;
/** Up to this many sessions, checking all of them takes no noticeable time. */
const FEW_SESSIONS = 2000;
/** With more sessions, only folders and recent files are checked each time, and all files at this interval. */
const SWEEP_MS = 60 * 60_000;

/**
 * `quick`: a short refresh, but a complete one the first time; `brief`: the same, but limited the first time as well, so
 * that a screen does not block; `whole`: a complete refresh.
 */
export type Freshness = 'quick' | 'brief' | 'whole';

export interface CatalogueOptions {
  readonly output: Output;
  /** Defaults to `quick`. */
  readonly freshness?: Freshness | undefined;
}

/** Opens and refreshes the catalogue, and closes it when `work` is done. */
export async function withCatalogue<Result>(
  options: CatalogueOptions,
  work: (catalogue: Catalogue) => Promise<Result>,
): Promise<Result> {
  const opened = await openCatalogue(options.output);
  try {
    await bringUpToDate(opened, options);
    return await work(opened.catalogue);
  } finally {
    await opened.close();
  }
}

/** An open catalogue, with a fallback if its file is unusable. */
export interface OpenedCatalogue {
  readonly catalogue: Catalogue;
  isStale(): Promise<boolean>;
  close(): Promise<void>;
}

/** A catalogue that cannot be opened is rebuilt for this call; without a database, sessions are still listed. */
export async function openCatalogue(output: Output): Promise<OpenedCatalogue> {
  const { SqliteCatalogue } = await import('@robota-sdk/agent-archive/sqlite');
  const catalogue = new SqliteCatalogue();
  const home = dirname(catalogue.labels.path);
  const problem = catalogue.labels.problem();
  if (problem !== undefined) {
    output.note(
      `${problem}: names, pins and archive flags are not shown. Run robota doctor for details.`,
    );
  }
  try {
    return await tryOut(catalogue);
  } catch (error) {
    output.note(
      `Cannot use the catalogue in ${home} (${describeError(error)}); reading sessions directly. Run robota doctor for details.`,
    );
  }
  try {
    return await openTemporary(home);
  } catch {
    // Reported above: there is no database here at all.
    const { PlainCatalogue } = await import('./plain-catalogue.ts');
    const plain = new PlainCatalogue();
    return { catalogue: plain, isStale: async () => false, close: () => plain.close() };
  }
}

async function openTemporary(home: string): Promise<OpenedCatalogue> {
  const { SqliteCatalogue } = await import('@robota-sdk/agent-archive/sqlite');
  const directory = mkdtempSync(join(tmpdir(), 'robota-catalogue-'));
  const remove = () => rmSync(directory, { recursive: true, force: true });
  try {
    for (const name of ['labels.json', 'usage-ledger.jsonl', 'projects.jsonl']) {
      const path = join(home, name);
      // Copying a pipe would wait for its other end.
      if (statSync(path, { throwIfNoEntry: false })?.isFile())
        copyFileSync(path, join(directory, name));
    }
    const opened = await tryOut(new SqliteCatalogue({ robotaHome: home, directory }));
    return { ...opened, close: () => opened.close().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

async function tryOut(catalogue: SqliteCatalogue): Promise<OpenedCatalogue> {
  await catalogue.state();
  return {
    catalogue,
    isStale: () => catalogue.isStale(),
    close: () => catalogue.close(),
  };
}

async function bringUpToDate(
  { catalogue, isStale }: OpenedCatalogue,
  { output, freshness = 'quick' }: CatalogueOptions,
): Promise<void> {
  const { isComplete, sessions, refreshedAt = 0 } = await catalogue.state();
  if (!isComplete && freshness === 'brief') return refreshFor(BRIEF_MS, catalogue, output);
  if (!isComplete || freshness === 'whole') return refreshWhole(catalogue, output);
  const isRecent = Math.abs(Date.now() - refreshedAt) < SWEEP_MS;
  if (sessions > FEW_SESSIONS && isRecent && !(await isStale())) return;
  await refreshFor(QUICK_MS, catalogue, output);
}

/** Refreshes for a limited time; the rest is reported and left to the next call. */
async function refreshFor(limitMs: number, catalogue: Catalogue, output: Output): Promise<void> {
  const stopping = new AbortController();
  let left = 0;
  let startedAt: number | undefined;
  const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
    left = total - done;
    startedAt ??= Date.now();
    if (Date.now() - startedAt > limitMs) stopping.abort();
  };
  try {
    const report = await catalogue.refresh({ onProgress, signal: stopping.signal });
    reportFailures(report, output);
    if (report.status === 'interrupted' && left > 0) {
      output.note(`${left} changed sessions are not read yet; --refresh waits for them.`);
    }
  } catch (error) {
    // The state of the last refresh is still usable.
    output.note(`The catalogue is not up to date: ${describeError(error)}`);
  }
}

/** An interrupt ends the command; what has been read so far is kept. */
async function refreshWhole(catalogue: Catalogue, output: Output): Promise<void> {
  const stopping = new AbortController();
  const stop = () => {
    if (stopping.signal.aborted) process.exit(EXIT.interrupted);
    stopping.abort();
  };
  const bar = createProgress(output);
  let last = { done: 0, total: 0 };
  process.on('SIGINT', stop);
  try {
    const report = await catalogue.refresh({
      signal: stopping.signal,
      onProgress: (progress) => {
        last = progress;
        bar.show(progress);
      },
    });
    bar.clear();
    reportFailures(report, output);
    if (report.status === 'busy') {
      output.note('Another robota process is updating the index; results may be incomplete.');
    }
    if (report.status !== 'interrupted') return;
    output.note(`${last.done} of ${last.total} sessions are read; the next call goes on.`);
    stopping.signal.throwIfAborted();
  } finally {
    bar.clear();
    process.off('SIGINT', stop);
  }
}

const MAX_FAILURES = 3;

function reportFailures({ failures }: RefreshReport, output: Output): void {
  for (const { path, reason } of failures.slice(0, MAX_FAILURES)) {
    output.note(`Cannot read ${path}: ${reason}`);
  }
  const more = failures.length - MAX_FAILURES;
  if (more > 0) output.note(`and ${more} more that cannot be read; robota doctor names them.`);
}
