import { asString, type JsonRecord } from '../../json-record.ts';
import { type ModelRequest, mergeRequests } from '../../model-request.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript, RawTranscripts } from '../../parsed-transcript.ts';
import { readTranscripts } from '../../read-transcripts.ts';
import { SkipCounter } from '../../skip-counter.ts';
import { sumUsage } from '../../token-usage.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';
import { CostStates } from './cost-states.ts';
import { type FoundThread, linkSubagents } from './link-subagents.ts';
import { METADATA_LINES } from './metadata-lines.ts';
import { readTail } from './read-tail.ts';
import { toModelRequest } from './request-ledger.ts';
import { SessionFacts } from './session-facts.ts';
import { Sidechains } from './sidechains.ts';
import { bareAgentId } from './subagent-block.ts';
import { ThreadReading } from './thread-reading.ts';

/** Reads transcripts of Claude Code 1.0 and later. */
export const claudeTranscriptParser: TranscriptParser = {
  start: () => new ClaudeTranscriptReader(),
  readTail,
};

/** Parses a Claude Code transcript: the text of the main file, or of all files of the session. */
export function parseClaudeTranscriptFile(raw: string | RawTranscripts): ParsedTranscript {
  return readTranscripts(claudeTranscriptParser, typeof raw === 'string' ? { main: raw } : raw);
}

class ClaudeTranscriptReader implements TranscriptReader {
  readonly #skipped = new SkipCounter();
  readonly #facts = new SessionFacts();
  readonly #main = new ThreadReading((kind) => this.#skipped.kind(kind));
  readonly #sidechains = new Sidechains((kind) => this.#skipped.kind(kind));
  readonly #files: FoundThread[] = [];
  readonly #costs = new CostStates();
  #lines = 0;

  /** Without an offset the line number is used, so that lines stay distinguishable. */
  line(text: string, offset = this.#lines): void {
    this.#lines += 1;
    this.#read(text, (line) => {
      this.#costs.read(line, offset);
      if (!isConversation(line)) {
        if (this.#main.isEmpty) this.#main.requests.begin(asString(line.timestamp) ?? '');
        return;
      }
      if (line.isSidechain === true) this.#sidechains.add(line, offset);
      else this.#main.add(line, offset);
    });
  }

  subagent(id: string, meta?: string): SubagentReader {
    const reading = new ThreadReading((kind) => this.#skipped.kind(kind));
    const found: FoundThread = {
      id: bareAgentId(id) || `agent:${this.#files.length}`,
      reading,
      meta,
    };
    this.#files.push(found);
    return {
      line: (text, offset) =>
        this.#read(text, (line) => {
          if (isConversation(line)) reading.add(line, offset);
        }),
      meta: (newer) => {
        found.meta = newer;
      },
    };
  }

  end(): ParsedTranscript {
    const sidechains = this.#sidechains.threads();
    // A subagent's file opened on its own: all lines are sidechain lines, which then are the conversation.
    const [standalone] = this.#main.isEmpty && this.#files.length === 0 ? sidechains : [];
    const main = (standalone?.reading ?? this.#main).assemble();
    const { subagents, superseded, requests } = linkSubagents(main, [
      ...sidechains.filter((thread) => thread !== standalone),
      ...this.#files,
    ]);
    return {
      blocks: main.main.blocks,
      subagents,
      superseded: [...main.superseded, ...superseded],
      skipped: this.#skipped.total(),
      ...this.#costOf(standalone?.reading ?? this.#main, requests),
      offsets: main.main.bytes,
    };
  }

  #costOf(main: ThreadReading, agents: readonly ModelRequest[]) {
    const own = main.requests.found();
    const others = [...this.#sidechains.threads(), ...this.#files]
      .filter(({ reading }) => reading !== main)
      .flatMap(({ reading }) => reading.requests.found());
    const ownRequests = own.map((request) => toModelRequest(request, 'main', 'turn'));
    const recorded = mergeRequests([ownRequests, agents]);
    const paid = recorded.filter(({ isCopy }) => isCopy !== true);
    const usageByMessage = Object.fromEntries(paid.map(({ id, usage }) => [id, usage]));
    const usage = sumUsage(Object.values(usageByMessage));
    return {
      requests: [...recorded, ...this.#costs.residuals(own, others)],
      metadata: {
        ...this.#facts.metadata(),
        ...(paid.length > 0 && { usage, usageByMessage }),
      },
    };
  }

  #read(text: string, onLine: (line: JsonRecord) => void): void {
    const line = parseLine(text);
    if (line === 'blank') return;
    if (line === 'unreadable') {
      this.#skipped.line();
      return;
    }
    this.#facts.read(line);
    onLine(line);
    const type = asString(line.type) ?? 'untyped';
    if (!isConversation(line) && !METADATA_LINES.has(type)) this.#skipped.kind(type);
  }
}

function isConversation({ type, uuid }: JsonRecord): boolean {
  return CONVERSATION_LINES.has(type) || (type === 'progress' && uuid !== undefined);
}

/** Line types that are part of the conversation. */
const CONVERSATION_LINES: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'system',
  'attachment',
]);
