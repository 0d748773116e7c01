import type { ConversationBlock } from './blocks.ts';
import type { ParsedTranscript } from './parsed-transcript.ts';

/**
 * Port: reads one agent's own transcript format. Never throws on any input: unreadable input is counted in
 * `skipped`. Deterministic: ids and timestamps come from the records. Agents are added with `registerAgent`, or
 * with `registerTranscriptFormat` where there is no disk.
 */
export interface TranscriptParser {
  /** Starts a reading; lines must be passed in file order. */
  start(): TranscriptReader;
  /**
   * The last `limit` blocks from the file's last lines alone, equal to those of a complete reading;
   * `undefined` when the lines are not enough. Without this method the whole file is read.
   */
  readTail?(lines: readonly string[], limit: number): readonly ConversationBlock[] | undefined;
}

/** A reading in progress: lines in, blocks out. */
export interface TranscriptReader {
  /**
   * The next line of the main transcript, without its newline. A multi-line document is joined again. Blocks
   * from this line get `offset`, the byte at which it begins.
   */
  line(text: string, offset?: number): void;
  /** Opens the transcript of a subagent. `meta` is the text of its metadata file, if the agent writes one. */
  subagent(id: string, meta?: string): SubagentReader;
  /**
   * The result of the lines so far. Has no side effects: it may be called again and lines may follow, with the same
   * result as without the call.
   */
  end(): ParsedTranscript;
}

/** Reads the transcript of one subagent. */
export interface SubagentReader {
  line(text: string, offset?: number): void;
  /** Text of the metadata file, which agents may write later or rewrite. */
  meta?(text: string): void;
}
