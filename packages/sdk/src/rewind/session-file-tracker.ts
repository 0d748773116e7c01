import { mkdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { grantOf, type Tool, type ToolParameters } from '@robota-sdk/agent-core';
import type { FileChange, FileVersion, SessionState } from '@robota-sdk/agent-core/log';
import { allSnapshotFolders, type RestoredFiles, snapshotFolders } from '@robota-sdk/agent-session';
import {
  boundSnapshots,
  type FileReport,
  FileTracker,
  ObjectFolder,
  partsOf,
  settleSwap,
  swapFiles,
} from '@robota-sdk/agent-tools';
import { diffOfFile } from './file-diff.ts';
import { type PlannedFile, planFiles, wantedBefore, wantedUndone } from './plan-files.ts';
import { type ConflictChoice, conflictError, type RewindFile } from './rewind.ts';

export interface SessionFilesOptions {
  readonly cwd: string;
  readonly sessionId: string;
  readonly logDirectory: string;
  /** Robota's home; excluded from tracking. */
  readonly home: string;
  readonly record: (report: FileReport & { readonly toolCallId?: string }) => void;
  readonly notice: (message: string) => void;
}

const JOURNAL = 'swap.json';
const BOUND_EVERY_BYTES = 64 * 1024 * 1024;
/** Marks the journal of an undo; it is complete when its rewind is no longer in the session's state. */
const UNDO = 'undo:';

/** Tracks what the tools of a session do to files, so that it can be undone. */
export class SessionFileTracker {
  readonly #options: SessionFilesOptions;
  readonly #tracker: FileTracker;
  readonly #folder: string;
  #isWarned = false;
  /** Number of bytes written at which the stored snapshots are measured again. */
  #boundAt = 0;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
    const { cwd, sessionId, logDirectory, home } = options;
    const { session: folder, tree: cacheFolder } = snapshotFolders(logDirectory, sessionId, cwd);
    this.#folder = folder;
    const leftOut = [home, logDirectory];
    this.#tracker = new FileTracker({ root: cwd, folder, cacheFolder, leftOut });
  }

  /**
   * Wraps a tool: files are stored before a call and changes recorded after it. A read-only call costs nothing. For a
   * tool that does not declare what it touches, unknown changes are recorded.
   */
  watched(tool: Tool): Tool {
    if (!tool.touches) return this.#undeclared(tool);
    return {
      ...sameTool(tool),
      touches: tool.touches.bind(tool),
      execute: async (parameters, context) => {
        const grant = grantOf(context);
        // A command that runs without approval is read-only.
        if (grant?.run) return tool.execute(parameters, context);
        const { cwd } = this.#options;
        const touches = grant?.touches ?? (await tool.touches?.(parameters, { cwd })) ?? [];
        const call = await this.#attempt(() => this.#tracker.begin(touches));
        try {
          return await tool.execute(parameters, context);
        } finally {
          const { executionId: toolCallId } = context;
          await this.#attempt(() => call?.end((report) => this.#record({ ...report, toolCallId })));
          if (runsInBackground(parameters)) this.#recordUnknown('commands in the background');
        }
      },
    };
  }

  #undeclared(tool: Tool): Tool {
    return {
      ...sameTool(tool),
      execute: async (parameters, context) => {
        try {
          return await tool.execute(parameters, context);
        } finally {
          this.#recordUnknown(tool.schema.name);
        }
      },
    };
  }

  #recordUnknown(who: string): void {
    this.#options.record({ changes: [], notCovered: `files that ${who} may have changed` });
  }

  /** Completes or undoes file changes that a crash interrupted. */
  async recover(state: Readonly<SessionState>): Promise<void> {
    const isListed = (id: string) => state.rewinds.some((rewind) => rewind.id === id);
    const settled = await settleSwap(this.#journal, this.#tracker.objects, (id) =>
      id.startsWith(UNDO) ? !isListed(id.slice(UNDO.length)) : isListed(id),
    );
    if (settled === 'undone') {
      this.#options.notice('A rewind was cut off; its files are as they were before it.');
    }
    await this.#tracker.recover(this.#options.record);
  }

  /** Shares the snapshots of another session with its fork. */
  inherit(sessionId: string, { files }: Readonly<SessionState>): void {
    const { logDirectory, cwd } = this.#options;
    const folder = snapshotFolders(logDirectory, sessionId, cwd).session;
    const hashes = files.flatMap(({ before }) => {
      const parts = partsOf(before);
      return parts.kind === 'file' ? [parts.hash] : [];
    });
    this.#tracker.objects.share(new ObjectFolder(join(folder, 'objects')), new Set(hashes));
  }

  planRewind(changes: readonly FileChange[]): PlannedFile[] {
    return this.#plan(wantedBefore(changes));
  }

  planUndo(changes: readonly FileChange[]): PlannedFile[] {
    return this.#plan(wantedUndone(changes));
  }

  #plan(wanted: ReturnType<typeof wantedBefore>): PlannedFile[] {
    const { objects } = this.#tracker;
    return planFiles(wanted, this.#tracker.look(wanted.keys()), (hash) => objects.has(hash));
  }

  describe(planned: PlannedFile, { diff = false } = {}): RewindFile {
    const { path, from, to, conflict, isFixed } = planned;
    const lines = diff && !isFixed ? this.#diff(planned) : undefined;
    return {
      path: this.#displayPath(path),
      change: kindOfChange(from, to),
      ...(conflict !== undefined && { conflict }),
      ...(isFixed && { isFixed }),
      ...(lines && { diff: lines }),
    };
  }

  /** The files of the plan to change; throws `rewind_conflict` when the user has to choose. */
  chosen(plan: readonly PlannedFile[], choice: ConflictChoice): PlannedFile[] {
    const conflicts = plan.filter(({ conflict, isFixed }) => conflict !== undefined && !isFixed);
    if (choice === 'refuse' && conflicts.length > 0) {
      throw conflictError(conflicts.map((file) => this.describe(file)));
    }
    return plan.filter(
      ({ conflict, isFixed }) => !isFixed && (conflict === undefined || choice === 'overwrite'),
    );
  }

  async restore(
    files: readonly PlannedFile[],
    { id, undoes }: { readonly id: string; readonly undoes?: readonly FileChange[] },
  ): Promise<RestoredFiles> {
    const { objects } = this.#tracker;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const swapped = await swapFiles(files, {
      objects,
      journal: this.#journal,
      id: undoes ? `${UNDO}${id}` : id,
    });
    const conflicts = new Set(files.flatMap(({ path, conflict }) => (conflict ? [path] : [])));
    const returning = new Set(
      undoes?.flatMap(({ path, person }) => (person === 'replaced' ? [path] : [])),
    );
    return {
      commit: () => {
        swapped.commit();
        this.#bound();
      },
      changes: swapped.changes.map((change): FileChange => {
        if (conflicts.has(change.path)) return { ...change, person: 'replaced' };
        if (returning.has(change.path)) return { ...change, person: 'restored' };
        return change;
      }),
    };
  }

  #record(report: Parameters<SessionFilesOptions['record']>[0]): void {
    this.#options.record(report);
    if (report.changes.length > 0) this.#bound();
  }

  /** Keeps the snapshots within their budget; checked on the first change and then every `BOUND_EVERY_BYTES`. */
  #bound(): void {
    const { written } = this.#tracker.objects;
    if (written < this.#boundAt) return;
    this.#boundAt = written + BOUND_EVERY_BYTES;
    const { logDirectory, sessionId } = this.#options;
    boundSnapshots(allSnapshotFolders(logDirectory, sessionId)).catch((error: Error) =>
      this.#options.notice(`Old snapshots of files could not be removed: ${error.message}`),
    );
  }

  get #journal(): string {
    return join(this.#folder, JOURNAL);
  }

  #displayPath(path: string): string {
    const short = relative(this.#options.cwd, path);
    return short.startsWith('..') ? path : short;
  }

  #diff({ path, from, to }: PlannedFile): ReturnType<typeof diffOfFile> {
    const [old, next] = [partsOf(from), partsOf(to)];
    if (old.kind === 'link' || next.kind === 'link') return undefined;
    const before = old.kind === 'file' ? readFileSync(path) : undefined;
    const after = next.kind === 'file' ? this.#tracker.objects.read(next.hash) : undefined;
    return diffOfFile(before, after);
  }

  /** A failure to store files never blocks a tool call; the user is notified once. */
  async #attempt<Result>(work: () => Promise<Result> | undefined): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.record({
        changes: [],
        notCovered: `changes while files could not be kept: ${reason}`,
      });
      if (!this.#isWarned) {
        this.#options.notice(`Changes of files cannot be kept and not be rewound: ${reason}`);
      }
      this.#isWarned = true;
      return undefined;
    }
  }
}

/** Copies a tool, including methods of its class, so that `execute` can be replaced. */
function sameTool(tool: Tool): Tool {
  const { getName, getDescription, validate, validateParameters, setEventService } = tool;
  return {
    ...tool,
    schema: tool.schema,
    execute: tool.execute.bind(tool),
    ...(getName && { getName: getName.bind(tool) }),
    ...(getDescription && { getDescription: getDescription.bind(tool) }),
    ...(validate && { validate: validate.bind(tool) }),
    ...(validateParameters && { validateParameters: validateParameters.bind(tool) }),
    ...(setEventService && { setEventService: setEventService.bind(tool) }),
  };
}

/** Whether the command outlives its call; accepts both spellings. */
function runsInBackground({
  runInBackground,
  run_in_background: spelled,
}: ToolParameters): boolean {
  return runInBackground === true || spelled === true;
}

function kindOfChange(from: FileVersion, to: FileVersion): RewindFile['change'] {
  if (from === null) return 'create';
  return to === null ? 'delete' : 'restore';
}
