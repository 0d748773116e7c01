import { mergeRequests } from '../../model-request.ts';
import type { ParsedTranscript, RawTranscripts } from '../../parsed-transcript.ts';
import { readTranscripts } from '../../read-transcripts.ts';
import { SkipCounter } from '../../skip-counter.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';
import { ChatFile } from './chat-file.ts';
import { linkSubagents } from './link-subagents.ts';
import type { FoundThread } from './match-prompts.ts';
import type { TranscriptView } from './message-ledger.ts';
import { readTail } from './read-tail.ts';
import { ThreadReading } from './thread-reading.ts';

/** Reads Gemini CLI chats: one JSON document per chat until 0.38, JSON lines since. */
export const geminiTranscriptParser: TranscriptParser = {
  start: () => new GeminiTranscriptReader('full'),
  readTail,
};

/** Options of the Gemini CLI parser. */
export interface GeminiParseOptions {
  /** `full` by default. */
  readonly view?: TranscriptView | undefined;
}

/** Parses a Gemini CLI chat: the text of the main file, or of all files of the session. */
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

  line(text: string, offset?: number): void {
    this.#main.file.line(text, offset);
  }

  subagent(id: string): SubagentReader {
    const bareId = id.replace(/^agent-/, '') || `agent:${this.#subagents.length}`;
    const thread = { id: bareId, ...this.#open() };
    this.#subagents.push(thread);
    return thread.file;
  }

  end(): ParsedTranscript {
    const skipped = this.#skipped.copy();
    const main = this.#settled(this.#main, skipped);
    const threads: FoundThread[] = this.#subagents.map((thread) => {
      const reading = this.#settled(thread, skipped);
      return { id: thread.id, reading, assembly: reading.assemble() };
    });
    const requests = mergeRequests([
      main.facts.requests('main'),
      ...threads.map(({ id, reading }) => reading.facts.requests(id)),
    ]);
    return {
      ...linkSubagents({ reading: main, assembly: main.assemble() }, threads),
      skipped: skipped.total(),
      metadata: main.facts.metadata(requests),
      requests,
    };
  }

  /** A file that may still be a single document is read as one, without changing its state. */
  #settled({ file, reading }: OpenThread, skipped: SkipCounter): ThreadReading {
    if (!file.isOpen) return reading;
    const document = new ThreadReading(this.#view, (kind) => skipped.kind(kind));
    file.readDocument(
      (record) => document.add(record, 0),
      () => skipped.line(),
    );
    return document;
  }

  #open(): OpenThread {
    const reading = new ThreadReading(this.#view, (kind) => this.#skipped.kind(kind));
    const file = new ChatFile(
      (record, offset) => reading.add(record, offset),
      () => this.#skipped.line(),
    );
    return { reading, file };
  }
}

interface OpenThread {
  readonly reading: ThreadReading;
  readonly file: ChatFile;
}
