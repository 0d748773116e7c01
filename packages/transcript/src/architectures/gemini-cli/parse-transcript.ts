import type { ParsedTranscript, RawTranscripts } from '../../parsed-transcript.ts';
import { readTranscripts } from '../../read-transcripts.ts';
import { SkipCounter } from '../../skip-counter.ts';
import type { TranscriptParser, TranscriptReader } from '../../transcript-parser.ts';
import { ChatFile } from './chat-file.ts';
import { linkSubagents } from './link-subagents.ts';
import type { FoundThread } from './match-prompts.ts';
import type { TranscriptView } from './message-ledger.ts';
import { readTail } from './read-tail.ts';
import { ThreadReading } from './thread-reading.ts';

/** Reads what Gemini CLI writes: one JSON document a chat until 0.38, JSON lines since. */
export const geminiTranscriptParser: TranscriptParser = {
  start: () => new GeminiTranscriptReader('full'),
  readTail,
};

export interface GeminiParseOptions {
  /** `full` by default. */
  readonly view?: TranscriptView;
}

/** The blocks of a Gemini CLI chat: the text of the main file, or of all files of the session. */
export function parseGeminiTranscriptFile(
  raw: string | RawTranscripts,
  { view = 'full' }: GeminiParseOptions = {},
): ParsedTranscript {
  const parser: TranscriptParser = { start: () => new GeminiTranscriptReader(view) };
  return readTranscripts(parser, typeof raw === 'string' ? { main: raw } : raw);
}

class GeminiTranscriptReader implements TranscriptReader {
  readonly #view: TranscriptView;
  readonly #skipped = new SkipCounter();
  readonly #main: OpenThread;
  readonly #subagents: (OpenThread & { readonly id: string })[] = [];

  constructor(view: TranscriptView) {
    this.#view = view;
    this.#main = this.#open();
  }

  line(text: string): void {
    this.#main.file.line(text);
  }

  subagent(id: string): { line(text: string): void } {
    const thread = { id: id.replace(/^agent-/, ''), ...this.#open() };
    this.#subagents.push(thread);
    return thread.file;
  }

  end(): ParsedTranscript {
    const { reading: main } = this.#main;
    for (const { file } of [this.#main, ...this.#subagents]) file.end();
    const threads: FoundThread[] = this.#subagents.map(({ id, reading }) => {
      main.facts.addUsage(reading.facts);
      return { id, reading, assembly: reading.assemble() };
    });
    return {
      ...linkSubagents({ reading: main, assembly: main.assemble() }, threads),
      skipped: this.#skipped.total(),
      metadata: main.facts.metadata(),
    };
  }

  #open(): OpenThread {
    const reading = new ThreadReading(this.#view, (kind) => this.#skipped.kind(kind));
    const file = new ChatFile(
      (record) => reading.add(record),
      () => this.#skipped.line(),
    );
    return { reading, file };
  }
}

interface OpenThread {
  readonly reading: ThreadReading;
  readonly file: ChatFile;
}
