import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolTouch } from '@robota-sdk/agent-core';
import type { FileChange, FileVersion } from '@robota-sdk/agent-core/log';
import { isMissing } from '../files/real-path.ts';
import { partsOf, readVersion } from './file-version.ts';
import { ObjectFolder } from './object-folder.ts';
import { TREE_LIMITS, type TreeLimits, TreeWatch } from './tree-watch.ts';
import { writeDurably } from './write-durably.ts';

/** Which files are watched, and where their versions are kept. */
export interface FileTrackerOptions {
  /** Where contents and notes of this session are kept. */
  readonly folder: string;
  /** Where the tree of `root` is remembered between sessions. */
  readonly cacheFolder: string;
  /** The working directory: commands are watched below it. */
  readonly root: string;
  readonly limits?: Partial<TreeLimits> | undefined;
  readonly leftOut?: readonly string[] | undefined;
}

/** What a call did to files. */
export interface FileReport {
  readonly changes: readonly FileChange[];
  /** What may have changed without being known. */
  readonly notCovered?: string;
}

/** A call that is running. */
export interface TrackedCall {
  /** Tells what it did, unless that was nothing; only when `record` has it, it counts as known. */
  end(record: (report: FileReport) => void): Promise<void>;
}

interface OpenWrite {
  readonly path: string;
  readonly before: FileVersion;
  readonly madeFolder?: string;
}

const PENDING = 'pending.json';

/**
 * Knows what the calls of one session do to files, and keeps what they replace. What is about to change is noted
 * before it does, so that a crash leaves nothing unknown.
 */
export class FileTracker {
  readonly objects: ObjectFolder;
  readonly #options: FileTrackerOptions;
  readonly #mostFileBytes: number;
  readonly #tree: TreeWatch;
  readonly #writes = new Set<OpenWrite>();
  /** Commands that run, and commands of which nothing is recorded yet. */
  #commands = 0;
  #running = 0;
  /** One look at the tree at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  /** What was last told of a path, and when. */
  readonly #told = new Map<string, { readonly after: FileVersion; readonly at: number }>();
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

  /** Before a call runs. Undefined when it can change no file. */
  async begin(touches: readonly ToolTouch[]): Promise<TrackedCall | undefined> {
    const paths = touches.flatMap(({ kind, target }) => (kind === 'write' ? [target] : []));
    const isCommand = touches.some(({ kind }) => kind === 'execute');
    if (paths.length === 0 && !isCommand) return undefined;
    const since = ++this.#clock;
    const writes = paths.map((path) => this.#openWrite(path));
    if (isCommand) await this.#beginCommand();
    this.#note();
    return {
      end: async (record) => {
        const report = await this.#end({ writes, isCommand, since });
        if (report) record(report);
        for (const write of writes) this.#writes.delete(write);
        if (isCommand) this.#running -= 1;
        this.#note();
      },
    };
  }

  /** What stands at these paths now. */
  look(paths: Iterable<string>): Map<string, FileVersion> {
    const found = new Map<string, FileVersion>();
    for (const path of paths) found.set(path, readVersion(path, this.#mostFileBytes).version);
    return found;
  }

  /** What calls that a crash cut off have done; nobody knows who else changed the same files since. */
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
    await this.#inTurn(async () => {
      this.#commands += 1;
      this.#running += 1;
      // While another command runs, what changes is not the person's.
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
      changes.push(...this.#tell({ ...write, after: version }, call.since));
    }
    if (call.isCommand) {
      await this.#inTurn(async () => {
        try {
          for (const change of await this.#tree.changes()) {
            changes.push(...this.#tell(change, call.since));
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

  /** Calls that ran at the same time may see the same change: it is told once. */
  #tell(change: FileChange, since: number): FileChange[] {
    const told = this.#told.get(change.path);
    const isTold = told !== undefined && told.at > since;
    const before = isTold ? told.after : change.before;
    if (before === change.after) return [];
    this.#told.set(change.path, { after: change.after, at: ++this.#clock });
    return [{ ...change, before }];
  }

  #note(): void {
    const path = this.#pendingPath;
    const pending = { isCommand: this.#running > 0, writes: [...this.#writes] };
    if (!pending.isCommand && pending.writes.length === 0) {
      rmSync(path, { force: true });
      return;
    }
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    writeDurably(path, JSON.stringify(pending));
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }
}

function readPending(
  path: string,
): { readonly isCommand: boolean; readonly writes: readonly OpenWrite[] } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    // Never half-written; what cannot be read is none of ours.
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The highest folder that has to be made for a path. */
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
    return root; // Not there: nothing is found below it.
  }
}
