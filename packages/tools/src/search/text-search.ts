export type GrepOutputMode = 'files_with_matches' | 'content' | 'count';

export interface TextSearch {
  /** JavaScript regular expression, matched line by line. */
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Absolute path of a folder or a file. */
  readonly root: string;
  readonly rootKind: 'file' | 'folder';
  readonly glob?: string | undefined;
  /** Whether a path matches the glob. */
  readonly accepts: (path: string) => boolean;
  readonly mode: GrepOutputMode;
  readonly before: number;
  readonly after: number;
  /** Maximum matching lines per file; further ones are only counted. */
  readonly mostLines: number;
}

export interface HitLine {
  readonly number: number;
  readonly text: string;
  readonly isMatch: boolean;
}

export interface FileHits {
  readonly file: string;
  /** Number of matching lines; 1 when only file names are requested. */
  readonly count: number;
  /** Empty unless content is requested. */
  readonly lines: readonly HitLine[];
}

/** Port: finds lines. Files come in path order; every engine gives the same hits. */
export type SearchEngine = (query: TextSearch, signal: AbortSignal) => AsyncIterable<FileHits>;
