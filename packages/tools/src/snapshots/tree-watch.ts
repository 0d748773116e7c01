import type { Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { FileChange, FileVersion } from '@robota-sdk/agent-core/log';
import { partsOf, type ReadVersion, sha256, versionOf } from './file-version.ts';
import type { ObjectFolder } from './object-folder.ts';
import { scanTree, type TreeScan } from './scan-tree.ts';
import { COARSE_MS, signatureOf, TreeCache } from './tree-cache.ts';

export interface TreeLimits {
  readonly mostFiles: number;
  /** Milliseconds of one scan, and of reading contents after it. */
  readonly mostTime: number;
  /** Larger files are not stored. */
  readonly mostFileBytes: number;
  /** Total bytes of contents read in one session. */
  readonly mostBytes: number;
}

export const TREE_LIMITS: TreeLimits = {
  mostFiles: 50_000,
  mostTime: 5_000,
  mostFileBytes: 8 * 1024 * 1024,
  mostBytes: 1024 * 1024 * 1024,
};

export interface TreeWatchOptions {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Stores the cache of the tree. */
  readonly cacheFolder: string;
  /** Stores replaced contents. */
  readonly objects: ObjectFolder;
  readonly limits?: Partial<TreeLimits> | undefined;
  /** Folders that do not belong to the project, such as Robota's home. */
  readonly leftOut?: readonly string[] | undefined;
}

/** Detects what a command changed by scanning the tree before and after it. */
export class TreeWatch {
  readonly #options: TreeWatchOptions;
  readonly #limits: TreeLimits;
  #cache: TreeCache | undefined;
  #folders: ReadonlySet<string> = new Set();
  /** Start of the last refresh; a new file with an older time stamp existed before the command. */
  #knownAt = 0;
  #unexplained: readonly string[] = [];
  #bytesRead = 0;
  /** Why changes by commands are not detected in this tree; undefined while they are. */
  #reason: string | undefined;

  constructor(options: TreeWatchOptions) {
    this.#options = options;
    this.#limits = { ...TREE_LIMITS, ...options.limits };
  }

  get notCovered(): string | undefined {
    if (this.#reason !== undefined || this.#unexplained.length === 0) return this.#reason;
    const [first, ...more] = this.#unexplained;
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    return `files that are older than the command which brought them into the tree: ${first}${others}`;
  }

  /** Updates the cache; changes since the last scan are attributed to no call. */
  async refresh(): Promise<void> {
    if (this.#reason !== undefined) return;
    // Rebuilt when packs were deleted: every current file counts as known.
    if (this.#cache?.isComplete() === false) this.#cache = undefined;
    const startedAt = Date.now();
    await this.#scan(() => undefined);
    this.#knownAt = startedAt;
    this.#cache?.flush();
  }

  /** The changes since `refresh`; stores the replaced contents. */
  async changes(): Promise<FileChange[]> {
    if (this.#reason !== undefined) return [];
    const found: FileChange[] = [];
    const older: FileChange[] = [];
    const folders = this.#folders;
    await this.#scan(({ path, before, after }, status) => {
      this.#keep(path);
      const madeFolder = after === null ? undefined : madeAbove(path, folders, this.#options.root);
      const change = { path, before, after, ...(madeFolder !== undefined && { madeFolder }) };
      const isOlder = before === null && status && status.ctimeMs < this.#knownAt - COARSE_MS;
      (isOlder ? older : found).push(change);
    });
    return [...found, ...this.#moved(older, found)];
  }

  /**
   * Of files older than the command, those that it moved here with their folder. Others existed before but were ignored
   * by git, or come from outside the tree, so a restore must not remove them.
   */
  #moved(older: readonly FileChange[], found: readonly FileChange[]): FileChange[] {
    const left = new Set(
      found.flatMap(({ path, before, after }) => (after === null ? [nameAnd(path, before)] : [])),
    );
    const isMoved = ({ path, after }: FileChange) => left.has(nameAnd(path, after));
    this.#unexplained = older.filter((change) => !isMoved(change)).map(({ path }) => path);
    return older.filter(isMoved);
  }

  async #scan(report: ReportChange): Promise<void> {
    const { root, cacheFolder, leftOut = [] } = this.#options;
    this.#cache ??= new TreeCache(cacheFolder);
    const seenAt = Date.now();
    const scan = await scanTree(root, { ...this.#limits, leftOut });
    if (scan.isCut) {
      this.#reason = `files that commands change in ${root}, which has more files than can be compared in time`;
      return;
    }
    await this.#compare(scan, seenAt, report);
    this.#folders = scan.folders;
  }

  async #compare(scan: TreeScan, seenAt: number, report: ReportChange) {
    const cache = this.#cache as TreeCache;
    const end = performance.now() + this.#limits.mostTime;
    let pause = performance.now() + SLICE_MS;
    for (const [path, status] of scan.files) {
      const known = cache.files.get(path);
      const isSame = known !== undefined && known.signature === signatureOf(status);
      if (isSame && !shouldRetry(known.version, status.size, this.#limits)) continue;
      const now = performance.now();
      if (now > pause) {
        await nextTick();
        pause = performance.now() + SLICE_MS;
      }
      const { version, bytes } = this.#read(path, status, now < end);
      const isChanged = !isSame && known?.version !== version;
      if (isChanged) report({ path, before: known?.version ?? null, after: version }, status);
      cache.put(path, { status, version, seenAt, ...(bytes && { bytes }) });
    }
    for (const path of [...cache.files.keys()].filter((each) => !scan.files.has(each))) {
      report({ path, before: cache.files.get(path)?.version ?? null, after: null });
      cache.remove(path);
    }
  }

  /** Without time or budget, reads only that the file exists. */
  #read(path: string, status: Stats, hasTime: boolean): ReadVersion {
    const { mostBytes, mostFileBytes } = this.#limits;
    const hasRoom = hasTime && this.#bytesRead + status.size <= mostBytes;
    const read = versionOf(path, status, hasRoom ? mostFileBytes : NOTHING);
    this.#bytesRead += read.bytes?.length ?? 0;
    return read;
  }

  /** Copies replaced content from the cache to the session's store. */
  #keep(path: string): void {
    const known = this.#cache?.files.get(path);
    const parts = partsOf(known?.version ?? null);
    if (!known || parts.kind !== 'file' || this.#options.objects.has(parts.hash)) return;
    const bytes = this.#cache?.read(known);
    if (bytes && sha256(bytes) === parts.hash) this.#options.objects.put(bytes, parts.hash);
  }
}

type ReportChange = (change: FileChange, status?: Stats) => void;

const SLICE_MS = 8;
/** A limit below any file size: nothing is read. */
const NOTHING = -1;

/** Its content was skipped for lack of time or budget; try again. */
function shouldRetry(version: string | null, size: number, { mostFileBytes }: TreeLimits): boolean {
  return partsOf(version).kind === 'unkept' && version !== 'other' && size <= mostFileBytes;
}

function nameAnd(path: string, version: FileVersion): string {
  return `${basename(path)}/${version}`;
}

/** The topmost folder of a path that did not exist before. */
function madeAbove(path: string, folders: ReadonlySet<string>, root: string): string | undefined {
  let made: string | undefined;
  for (let at = dirname(path); at !== root && at.length > root.length; at = dirname(at)) {
    if (folders.has(at)) break;
    made = at;
  }
  return made;
}
