/** Port: how one agent lays its transcripts out on disk. Missing files and folders are normal: an empty answer. */
export interface TranscriptLayout {
  /** The transcripts of the subagents that belong to the session whose main transcript is at `path`. */
  findSubagentFiles(path: string): Promise<readonly SubagentFile[]>;
  /** Folders in which files of the session may appear, the present ones included; by default the file's own. */
  foldersToWatch?(path: string): Promise<readonly string[]>;
  /** A line of the file at `path` made whole, where the agent keeps parts of it in other files. */
  restoreLine?(path: string, line: string): string;
}

export interface SubagentFile {
  readonly id: string;
  readonly path: string;
  /** The file beside the transcript that says what the subagent is for. */
  readonly metaPath?: string;
}
