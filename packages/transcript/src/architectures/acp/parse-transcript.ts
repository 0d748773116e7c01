import { applyStreamEvent } from '../../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../../fold/conversation-state.ts';
import { asRecord, asString, compact, isRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript } from '../../parsed-transcript.ts';
import { SkipCounter } from '../../skip-counter.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';

/** Reads the log we write of a session: the events that were told, folded again. */
export const acpTranscriptParser: TranscriptParser = {
  start: () => new AcpTranscriptReader(),
};

class AcpTranscriptReader implements TranscriptReader {
  readonly #skipped = new SkipCounter();
  readonly #offsets = new Map<string, number>();
  #state: ConversationState = EMPTY_CONVERSATION;

  line(text: string, offset = -1): void {
    const record = parseLine(text);
    if (record === 'blank') return;
    if (record === 'unreadable') this.#skipped.line();
    else if (record.type === 'acp_session') this.#begin(record);
    else if (record.type === 'event' && isRecord(record.event)) this.#hear(record.event, offset);
    else this.#skipped.kind(asString(record.type) ?? 'unknown');
  }

  /** No agent tells of the threads of its helpers. */
  subagent(): SubagentReader {
    return { line: () => this.#skipped.line() };
  }

  end(): ParsedTranscript {
    const { blocks, subagents, superseded, metadata } = this.#state;
    return {
      blocks,
      subagents,
      superseded,
      metadata,
      skipped: this.#skipped.total(),
      offsets: blocks.map(({ id }) => this.#offsets.get(id) ?? -1),
    };
  }

  #begin({ sessionId, cwd, agent }: JsonRecord): void {
    const metadata = compact({
      sessionId: asString(sessionId),
      cwd: asString(cwd),
      agent: asString(agent),
    });
    this.#fold({ type: 'metadata_update', metadata, conversationId: 'main' });
  }

  #hear(record: JsonRecord, offset: number): void {
    if (!isEvent(record)) {
      this.#skipped.kind(`event/${asString(record.type) ?? 'unknown'}`);
      return;
    }
    const event: StreamEvent = record;
    if ('block' in event && !this.#offsets.has(event.block.id)) {
      this.#offsets.set(event.block.id, offset);
    }
    this.#fold(event);
  }

  #fold(event: StreamEvent): void {
    this.#state = applyStreamEvent(this.#state, event);
  }
}

/** Lines are ours, but may have been cut or changed: what folding relies on is looked at. */
function isEvent(event: JsonRecord): event is JsonRecord & StreamEvent {
  if (event.conversationId !== 'main') return false;
  const hasId = typeof event.blockId === 'string';
  switch (event.type) {
    case 'block_start':
      return isBlock(event.block);
    case 'block_complete':
      return hasId && isBlock(event.block);
    case 'text_delta':
      return hasId && typeof event.delta === 'string';
    case 'block_update':
      return hasId && isRecord(event.updates);
    case 'metadata_update':
      return isRecord(event.metadata);
    default:
      return false;
  }
}

function isBlock(block: unknown): boolean {
  const { id, type, timestamp } = asRecord(block);
  return typeof id === 'string' && typeof type === 'string' && typeof timestamp === 'string';
}
