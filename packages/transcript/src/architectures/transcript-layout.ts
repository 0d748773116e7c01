/** Port: how one agent lays out its transcripts on disk. Missing files and folders give empty results. */
export interface TranscriptLayout {
  /** The transcripts of the subagents that belong to the session whose main transcript is at `path`. */
  findSubagentFiles(path: string): Promise<readonly SubagentFile[]>;
  /** All folders in which files of the session may appear; by default the file's own. */
  foldersToWatch?(path: string): Promise<readonly string[]>;
  /** The file in which the session continues, for programs that start new files. */
  findCurrentFile?(path: string): Promise<string>;
  /** Completes a line of the file at `path`, for agents that store parts of it in other files. */
  restoreLine?(path: string, line: string): string;
  /** For transcripts that are not append-only files: a document, or part of a database. */
  openWhole?(path: string): WholeTranscript | undefined;
}

/** A transcript that is read completely whenever it has changed. */
export interface WholeTranscript {
  /** Changes whenever the content may have changed; `undefined` if there is no content. */
  version(): Promise<string | undefined>;
  readLines(): Promise<readonly string[]>;
}

/** The transcript of one subagent. */
export interface SubagentFile {
  readonly id: string;
  readonly path: string;
  /** The metadata file that describes the subagent. */
  readonly metaPath?: string;
}
