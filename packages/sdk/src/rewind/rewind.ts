import type { DiffLine, RewindScope } from '@robota-sdk/agent-core/log';

/** How to go back to before a prompt. */
export interface RewindOptions {
  /** The block id of the prompt. */
  readonly to: string;
  /** `both` unless given. */
  readonly what?: RewindScope | undefined;
  /** `refuse` unless given: nothing happens when a file would have to be overwritten that a person changed. */
  readonly conflicts?: ConflictChoice | undefined;
  /** `seen` of the preview that the choice was made by: where a file has changed since, nothing happens. */
  readonly seen?: string | undefined;
}

/** What becomes of files that a person changed: nothing happens at all, they stay, or they are replaced. */
export type ConflictChoice = 'refuse' | 'keep' | 'overwrite';

/** What taking a rewind back may be told. */
export interface UndoRewindOptions {
  readonly conflicts?: ConflictChoice | undefined;
}

/** What a rewind would do. */
export interface RewindPreview {
  readonly to: string;
  /** What was typed, to be changed and sent again. */
  readonly prompt: string;
  readonly files: readonly RewindFile[];
  /** What may have changed without being known, in sentences. */
  readonly notCovered: readonly string[];
  /** Stands for these files as they are now; given to `rewind`, it consents to what was shown and to nothing else. */
  readonly seen: string;
}

/** What would become of one file. */
export interface RewindFile {
  /** From the working directory where it lies below it. */
  readonly path: string;
  readonly change: 'restore' | 'create' | 'delete';
  /** Why it needs consent; absent where only the agent changed it. */
  readonly conflict?: string;
  /** True where it stays whatever is chosen. */
  readonly isFixed?: boolean;
  /** From what is there to what would be; absent where it is no text. */
  readonly diff?: readonly DiffLine[];
}

/** What a rewind or an undo did. */
export interface RewindResult {
  readonly to: string;
  readonly what: RewindScope;
  readonly prompt: string;
  readonly files: readonly Pick<RewindFile, 'path' | 'change'>[];
  /** Files that were left as the person has them. */
  readonly kept: readonly string[];
}

/** Files changed between a preview and the choice that was made by it. `code` is `rewind_conflict`. */
export function outdatedPreviewError(): Error {
  const error = new Error(
    'Nothing was changed: files have changed since you looked. Look again, then choose.',
  );
  return Object.assign(error, { code: 'rewind_conflict' });
}

/** A file would have to be overwritten that a person changed. `code` is `rewind_conflict`. */
export function conflictError(files: readonly RewindFile[]): Error {
  const paths = files.map(({ path }) => path).join(', ');
  const error = new Error(
    `Nothing was changed: you changed ${paths} since. Keep your version, or say that it may be overwritten.`,
  );
  return Object.assign(error, { code: 'rewind_conflict' });
}
