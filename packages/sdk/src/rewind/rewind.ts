import type { DiffLine, RewindScope } from '@robota-sdk/agent-core/log';

/** Options of a rewind to before a prompt. */
export interface RewindOptions {
  /** The block id of the prompt. */
  readonly to: string;
  /** Defaults to `both`. */
  readonly what?: RewindScope | undefined;
  /** Defaults to `refuse`: nothing happens when a file changed by the user would be overwritten. */
  readonly conflicts?: ConflictChoice | undefined;
  /** `seen` of the preview the user decided on; nothing happens when a file has changed since. */
  readonly seen?: string | undefined;
}

/** For files changed by the user: refuse the rewind, keep them, or overwrite them. */
export type ConflictChoice = 'refuse' | 'keep' | 'overwrite';

/** Options of undoing a rewind. */
export interface UndoRewindOptions {
  readonly conflicts?: ConflictChoice | undefined;
}

/** What a rewind would do. */
export interface RewindPreview {
  readonly to: string;
  /** The text of the prompt, to be edited and sent again. */
  readonly prompt: string;
  readonly files: readonly RewindFile[];
  /** Changes that a rewind may miss, as text for users. */
  readonly notCovered: readonly string[];
  /** Digest of this plan; passed to `rewind`, it limits the consent to what was shown. */
  readonly seen: string;
}

/** The planned change of one file. */
export interface RewindFile {
  /** Relative to the working directory if inside it. */
  readonly path: string;
  readonly change: 'restore' | 'create' | 'delete';
  /** Why it needs consent; absent when only the agent changed it. */
  readonly conflict?: string;
  /** True when it stays as it is, whatever is chosen. */
  readonly isFixed?: boolean;
  /** From the current to the planned content; absent for binary files. */
  readonly diff?: readonly DiffLine[];
}

/** What a rewind or an undo did. */
export interface RewindResult {
  readonly to: string;
  readonly what: RewindScope;
  readonly prompt: string;
  readonly files: readonly Pick<RewindFile, 'path' | 'change'>[];
  /** Files that were left unchanged. */
  readonly kept: readonly string[];
}

/** Files changed between a preview and the user's decision. `code` is `rewind_conflict`. */
export function outdatedPreviewError(): Error {
  const error = new Error(
    'Nothing was changed: files have changed since you looked. Look again, then choose.',
  );
  return Object.assign(error, { code: 'rewind_conflict' });
}

/** A file changed by the user would be overwritten. `code` is `rewind_conflict`. */
export function conflictError(files: readonly RewindFile[]): Error {
  const paths = files.map(({ path }) => path).join(', ');
  const error = new Error(
    `Nothing was changed: you changed ${paths} since. Keep your version, or say that it may be overwritten.`,
  );
  return Object.assign(error, { code: 'rewind_conflict' });
}
