import type { ConversationBlock } from './blocks.ts';
import type { ParsedTranscript } from './parsed-transcript.ts';

/**
 * Port: reads one agent's own transcript format. Never throws on any input: what it cannot read it counts in
 * `skipped`. Deterministic: ids and timestamps come from the records. An agent joins through `registerAgent`, or
 * where there is no disk through `registerTranscriptFormat`.
 */
export interface TranscriptParser {
  /** A reading in progress; lines come in file order. */
  start(): TranscriptReader;
  /**
   * The last `limit` blocks from the file's last lines alone, equal to those of a whole reading;
   * `undefined` when these lines do not suffice. Without this method the whole file is read.
   */
  readTail?(lines: readonly string[], limit: number): readonly ConversationBlock[] | undefined;
}

/** A reading in progress. */
export interface TranscriptReader {
  /**
   * The next line of the main transcript, without its newline. A document of several lines is joined again. Blocks
   * that come from the line are given `offset`, the byte at which it begins.
   */
  line(text: string, offset?: number): void;
  /** Opens the transcript of a subagent. `meta` is the text of the file beside it, if the agent writes one. */
  subagent(id: string, meta?: string): SubagentReader;
  /**
   * What the lines so far say. Changes nothing: it may be asked again, and lines may follow, with the same result as
   * if it had not been asked.
   */
  end(): ParsedTranscript;
}

/** Reads what one subagent said. */
export interface SubagentReader {
  line(text: string, offset?: number): void;
  /** The text of the file beside the transcript, which agents may write later or write anew. */
  meta?(text: string): void;
}
