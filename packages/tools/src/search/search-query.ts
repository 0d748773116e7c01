export type GrepOutputMode = 'files_with_matches' | 'content' | 'count';

export interface SearchQuery {
  /** JavaScript regular expression, matched line by line. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Absolute path of a folder or of one file. */
  readonly root: string;
  readonly rootKind: 'file' | 'folder';
  readonly glob?: string | undefined;
  /** Whether a file's name passes the glob. */
  readonly accepts: (path: string) => boolean;
  readonly mode: GrepOutputMode;
  readonly before: number;
  readonly after: number;
  /** Matching lines kept of one file; the others are only counted. */
  readonly mostLines: number;
}

export interface HitLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface FileHits {
  readonly file: string;
  /** Matching lines; 1 where only the file's name is wanted. */
  readonly count: number;
  /** Empty unless the content is wanted. */
  readonly lines: readonly HitLine[];
}

/** Port: finds lines. Files come in the order of their paths; every engine gives the same hits. */
export type SearchEngine = (query: SearchQuery, signal: AbortSignal) => AsyncIterable<FileHits>;
