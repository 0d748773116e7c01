import { asString, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript, RawTranscripts } from '../../parsed-transcript.ts';
import { readTranscripts } from '../../read-transcripts.ts';
import { SkipCounter } from '../../skip-counter.ts';
import type { TranscriptParser, TranscriptReader } from '../../transcript-parser.ts';
import { type FoundThread, linkSubagents } from './link-subagents.ts';
import { METADATA_LINES } from './metadata-lines.ts';
import { readTail } from './read-tail.ts';
import { SessionFacts } from './session-facts.ts';
import { Sidechains } from './sidechains.ts';
import { bareAgentId } from './subagent-block.ts';
import { ThreadReading } from './thread-reading.ts';

/** Reads what Claude Code writes, from 1.0 on. */
export const claudeTranscriptParser: TranscriptParser = {
  start: () => new ClaudeTranscriptReader(),
  readTail,
};

/** The blocks of a Claude Code transcript: the text of the main file, or of all files of the session. */
export function parseClaudeTranscriptFile(raw: string | RawTranscripts): ParsedTranscript {
  return readTranscripts(claudeTranscriptParser, typeof raw === 'string' ? { main: raw } : raw);
}

class ClaudeTranscriptReader implements TranscriptReader {
  readonly #skipped = new SkipCounter();
  readonly #facts = new SessionFacts();
  readonly #main = new ThreadReading((kind) => this.#skipped.kind(kind));
  readonly #sidechains = new Sidechains((kind) => this.#skipped.kind(kind));
  readonly #files: FoundThread[] = [];

  line(text: string): void {
    this.#read(text, (line) =>
      line.isSidechain === true ? this.#sidechains.add(line) : this.#main.add(line),
    );
  }

  subagent(id: string, meta?: string): { line(text: string): void } {
    const reading = new ThreadReading((kind) => this.#skipped.kind(kind));
    const found = { id: bareAgentId(id), reading };
    this.#files.push(meta === undefined ? found : { ...found, meta });
    return { line: (text) => this.#read(text, (line) => reading.add(line)) };
  }

  end(): ParsedTranscript {
    const sidechains = this.#sidechains.threads();
    // The file of a subagent opened by itself: every line is a sidechain's, and that is the conversation.
    const [alone] = this.#main.isEmpty && this.#files.length === 0 ? sidechains : [];
    const main = (alone?.reading ?? this.#main).assemble();
    const { subagents, superseded } = linkSubagents(main, [
      ...sidechains.filter((thread) => thread !== alone),
      ...this.#files,
    ]);
    return {
      blocks: main.main.blocks,
      subagents,
      superseded: [...main.superseded, ...superseded],
      skipped: this.#skipped.total(),
      metadata: this.#facts.metadata(),
    };
  }

  #read(text: string, onNode: (line: JsonRecord) => void): void {
    const line = parseLine(text);
    if (line === 'blank') return;
    if (line === 'unreadable') {
      this.#skipped.line();
      return;
    }
    this.#facts.read(line);
    const type = asString(line.type) ?? 'untyped';
    if (CONVERSATION_LINES.has(type) || (type === 'progress' && line.uuid !== undefined)) {
      onNode(line);
    } else if (!METADATA_LINES.has(type)) {
      this.#skipped.kind(type);
    }
  }
}

/** Kinds of line that have a place in the conversation. */
const CONVERSATION_LINES: ReadonlySet<string> = new Set([
  'user',
  'assistant',
  'system',
  'attachment',
]);
