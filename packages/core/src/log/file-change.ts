/**
 * State of a path, comparable by `===`: `file:<mode>:<sha256>` for a file whose content is stored,
 * `unkept:<mode>:<size>:<time>` for a file whose content is not, `link:<target>`, `folder`, `other` for anything else;
 * null if there is nothing.
 */
export type FileVersion = string | null;

/** The change of one path. It holds no file content: a version names content stored elsewhere. */
export interface FileChange {
  /** Absolute, symlinks resolved. */
  readonly path: string;
  readonly before: FileVersion;
  readonly after: FileVersion;
  /** The topmost directory created for this path. */
  readonly madeFolder?: string;
  /**
   * Set when the user's own version is involved: they agreed to replace it, it was restored, or it is unknown who
   * changed the file.
   */
  readonly person?: 'replaced' | 'restored' | 'unknown';
}

/** What a rewind reverts: the conversation, the files, or both. */
export type RewindScope = 'conversation' | 'files' | 'both';

/** A rewind that can be undone. */
export interface Rewind {
  readonly id: string;
  /** The id of the prompt's message. */
  readonly to: string;
  readonly what: RewindScope;
  readonly files: readonly FileChange[];
}
