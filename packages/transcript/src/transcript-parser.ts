import type { ConversationBlock } from './blocks.ts';
import type { ParsedTranscript } from './parsed-transcript.ts';

/**
 * Port: reads one agent's own transcript format. Never throws on any input: what it cannot read it counts in
 * `skipped`. Deterministic: ids and timestamps come from the records. An agent joins by a folder under
 * `architectures/` and a line in each register: `architectures/formats.ts` and, on Node, `architectures/layouts.ts`.
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

export interface TranscriptReader {
  /** The next line of the main transcript, without its newline. A document of several lines is joined again. */
  line(text: string): void;
  /** Opens the transcript of a subagent. `meta` is the text of the file beside it, if the agent writes one. */
  subagent(id: string, meta?: string): { line(text: string): void };
  end(): ParsedTranscript;
}
