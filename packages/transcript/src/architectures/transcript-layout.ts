/** Port: how one agent lays its transcripts out on disk. Missing files and folders are normal: an empty answer. */
export interface TranscriptLayout {
  /** The transcripts of the subagents that belong to the session whose main transcript is at `path`. */
  findSubagentFiles(path: string): Promise<readonly SubagentFile[]>;
  /** Folders in which files of the session may appear, the present ones included; by default the file's own. */
  foldersToWatch?(path: string): Promise<readonly string[]>;
  /** The file in which the session goes on, where the program begins another one for it. */
  findCurrentFile?(path: string): Promise<string>;
  /** A line of the file at `path` made whole, where the agent keeps parts of it in other files. */
  restoreLine?(path: string, line: string): string;
  /** What is at `path` when that is not a file to which lines are appended: a document, a part of a database. */
  openWhole?(path: string): WholeTranscript | undefined;
}

/** A transcript that is read whole whenever it has changed. */
export interface WholeTranscript {
  /** Changes whenever the content may have changed; `undefined` when there is nothing. */
  version(): Promise<string | undefined>;
  readLines(): Promise<readonly string[]>;
}

/** The transcript of one subagent. */
export interface SubagentFile {
  readonly id: string;
  readonly path: string;
  /** The file beside the transcript that says what the subagent is for. */
  readonly metaPath?: string;
}
