/**
 * What stood at a path, comparable by `===`: `file:<mode>:<sha256>` with a content that is kept, `link:<target>`,
 * `unkept:<mode>:<size>:<time>` for a file whose content is not kept, `folder`, `other` for anything else; null for
 * nothing.
 */
export type FileVersion = string | null;

/** What became of one path. Texts of files are never here: a version names a content that is kept elsewhere. */
export interface FileChange {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
  /** The highest directory that was made on the way to this path. */
  readonly madeFolder?: string;
  /**
   * Set where a version of the person is part of it: they agreed that theirs was replaced, theirs came back, or
   * nobody knows who changed it.
   */
  readonly person?: 'replaced' | 'restored' | 'unknown';
}

/** What is taken back: the conversation, the files, or both. */
export type RewindScope = 'conversation' | 'files' | 'both';

/** A rewind that can be undone. */
export interface Rewind {
  readonly id: string;
  /** The id of the prompt's message. */
  readonly to: string;
  readonly what: RewindScope;
  readonly files: readonly FileChange[];
}
