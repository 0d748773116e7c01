import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolTouch } from '@robota-sdk/agent-core';
import type { FileChange, FileVersion } from '@robota-sdk/agent-core/log';
import { isMissing } from '../files/resolve-links.ts';
import { partsOf, readVersion } from './file-version.ts';
import { ObjectFolder } from './object-folder.ts';
import { TREE_LIMITS, type TreeLimits, TreeWatch } from './tree-watch.ts';
import { writeDurably } from './write-durably.ts';

/** Which files are tracked, and where their versions are stored. */
export interface FileTrackerOptions {
  /** Stores contents and pending changes of this session. */
  readonly folder: string;
  /** Stores the cache of the tree below `root`, shared by sessions. */
  readonly cacheFolder: string;
  /** The working directory; changes by commands are detected below it. */
  readonly root: string;
  readonly limits?: Partial<TreeLimits> | undefined;
  readonly leftOut?: readonly string[] | undefined;
}

/** The file changes of a call. */
export interface FileReport {
  readonly changes: readonly FileChange[];
  /** What may have changed undetected. */
  readonly notCovered?: string;
}

/** A call that is running. */
export interface TrackedCall {
  /** Passes the call's changes to `record`, if there are any; they stay pending until it returns. */
  end(record: (report: FileReport) => void): Promise<void>;
}

interface OpenWrite {
  readonly path: string;
  readonly before: FileVersion;
  readonly madeFolder?: string;
}

const PENDING = 'pending.json';

/**
 * Detects the file changes of a session's calls and stores the replaced contents. Pending changes are written to disk
 * before a call runs, so that a crash leaves nothing unknown.
 */
export class FileTracker {
  readonly objects: ObjectFolder;
  readonly #options: FileTrackerOptions;
  readonly #mostFileBytes: number;
  readonly #tree: TreeWatch;
  readonly #writes = new Set<OpenWrite>();
  /** Commands that are running or whose changes are not recorded yet. */
  #commands = 0;
  #running = 0;
  /** Serializes scans of the tree. */
  #queue: Promise<unknown> = Promise.resolve();
  /** The last reported version of each path, and when it was reported. */
  readonly #reported = new Map<string, { readonly after: FileVersion; readonly at: number }>();
  #clock = 0;

  constructor(options: FileTrackerOptions) {
    this.#options = { ...options, root: realRoot(options.root) };
    const { limits, leftOut, cacheFolder } = options;
    this.objects = new ObjectFolder(join(options.folder, 'objects'));
    this.#mostFileBytes = limits?.mostFileBytes ?? TREE_LIMITS.mostFileBytes;
    this.#tree = new TreeWatch({
      root: this.#options.root,
      cacheFolder,
      objects: this.objects,
      limits,
      leftOut,
    });
  }

  /** Called before a call runs; undefined when it cannot change files. */
  async begin(touches: readonly ToolTouch[]): Promise<TrackedCall | undefined> {
    const paths = touches.flatMap(({ kind, target }) => (kind === 'write' ? [target] : []));
    const isCommand = touches.some(({ kind }) => kind === 'execute');
    if (paths.length === 0 && !isCommand) return undefined;
    const since = ++this.#clock;
    const writes = paths.map((path) => this.#openWrite(path));
    if (isCommand) await this.#beginCommand();
    this.#savePending();
    return {
      end: async (record) => {
        const report = await this.#end({ writes, isCommand, since });
        if (report) record(report);
        for (const write of writes) this.#writes.delete(write);
        if (isCommand) this.#running -= 1;
        this.#savePending();
      },
    };
  }

  /** The current versions of these paths. */
  look(paths: Iterable<string>): Map<string, FileVersion> {
    const found = new Map<string, FileVersion>();
    for (const path of paths) found.set(path, readVersion(path, this.#mostFileBytes).version);
    return found;
  }

  /** Reports the changes of calls interrupted by a crash; others may have changed the same files since. */
  async recover(record: (report: FileReport) => void): Promise<void> {
    const pending = readPending(this.#pendingPath);
    if (!pending) return;
    const changes = pending.writes.flatMap((write): FileChange[] => {
      const { version } = readVersion(write.path, this.#mostFileBytes);
      return version === write.before ? [] : [{ ...write, after: version, person: 'unknown' }];
    });
    if (pending.isCommand) {
      const known = new Set(changes.map(({ path }) => path));
      for (const change of await this.#tree.changes()) {
        if (!known.has(change.path)) changes.push({ ...change, person: 'unknown' });
      }
    }
    if (changes.length > 0) record({ changes });
    rmSync(this.#pendingPath, { force: true });
  }

  get #pendingPath(): string {
    return join(this.#options.folder, PENDING);
  }

  #openWrite(path: string): OpenWrite {
    const { version, bytes } = readVersion(path, this.#mostFileBytes);
    const parts = partsOf(version);
    if (bytes && parts.kind === 'file') this.objects.put(bytes, parts.hash);
    const madeFolder = version === null ? missingAbove(path) : undefined;
    const write = { path, before: version, ...(madeFolder !== undefined && { madeFolder }) };
    this.#writes.add(write);
    return write;
  }

  async #beginCommand(): Promise<void> {
    await this.#enqueue(async () => {
      this.#commands += 1;
      this.#running += 1;
      // While another command runs, changes are not attributed to the user.
      if (this.#commands === 1) await this.#tree.refresh();
    });
  }

  async #end(call: {
    writes: readonly OpenWrite[];
    isCommand: boolean;
    since: number;
  }): Promise<FileReport | undefined> {
    const changes: FileChange[] = [];
    for (const write of call.writes) {
      const { version } = readVersion(write.path, this.#mostFileBytes);
      changes.push(...this.#report({ ...write, after: version }, call.since));
    }
    if (call.isCommand) {
      await this.#enqueue(async () => {
        try {
          for (const change of await this.#tree.changes()) {
            changes.push(...this.#report(change, call.since));
          }
        } finally {
          this.#commands -= 1;
        }
      });
    }
    const notCovered = call.isCommand ? this.#tree.notCovered : undefined;
    if (changes.length === 0 && notCovered === undefined) return undefined;
    return { changes, ...(notCovered !== undefined && { notCovered }) };
  }

  /** Concurrent calls may detect the same change; it is reported once. */
  #report(change: FileChange, since: number): FileChange[] {
    const reported = this.#reported.get(change.path);
    const isReported = reported !== undefined && reported.at > since;
    const before = isReported ? reported.after : change.before;
    if (before === change.after) return [];
    this.#reported.set(change.path, { after: change.after, at: ++this.#clock });
    return [{ ...change, before }];
  }

  #savePending(): void {
    const path = this.#pendingPath;
    const pending = { isCommand: this.#running > 0, writes: [...this.#writes] };
    if (!pending.isCommand && pending.writes.length === 0) {
      rmSync(path, { force: true });
      return;
    }
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    writeDurably(path, JSON.stringify(pending));
  }

  #enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(work, work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}

function readPending(
  path: string,
): { readonly isCommand: boolean; readonly writes: readonly OpenWrite[] } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // Written atomically, so invalid JSON was not written by us.
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The topmost folder that must be created for a path. */
function missingAbove(path: string): string | undefined {
  let missing: string | undefined;
  for (let at = dirname(path); !existsSync(at) && at !== dirname(at); at = dirname(at))
    missing = at;
  return missing;
}

function realRoot(root: string): string {
  try {
    return realpathSync(root);
  } catch {
    return root; // Missing: nothing is found below it.
  }
}
