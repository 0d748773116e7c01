import { type Entry, isKnownEvent, LogReader } from '@robota-sdk/agent-core/log';
import type { ConversationBlock } from '../../blocks.ts';
import type { ConversationState } from '../../fold/conversation-state.ts';
import { asArray, asString, isRecord } from '../../json-record.ts';
import { parseLine, withoutLeadingNoise } from '../../parse-line.ts';
import type { ParsedTranscript, RawTranscripts, SubagentThread } from '../../parsed-transcript.ts';
import { readTranscripts } from '../../read-transcripts.ts';
import { SkipCounter } from '../../skip-counter.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';
import { BlocksFold } from './blocks-fold.ts';
import { LogRequests } from './log-requests.ts';
import { threadWithEnds } from './subagent-thread.ts';

/** Reads our own session logs (JSON lines) and session records (one JSON document). */
export const robotaTranscriptParser: TranscriptParser = {
  start: () => new RobotaTranscriptReader(),
};

/** Reads a session's own logs, main thread and subagents, into blocks. */
export function parseRobotaTranscripts(raw: RawTranscripts): ParsedTranscript {
  return readTranscripts(robotaTranscriptParser, raw);
}

class RobotaTranscriptReader implements TranscriptReader {
  readonly #main = new LogReading();
  readonly #subagents: { readonly id: string; readonly reading: LogReading }[] = [];

  line(text: string, offset?: number): void {
    this.#main.line(text, offset);
  }

  subagent(id: string): SubagentReader {
    const reading = new LogReading();
    this.#subagents.push({ id, reading });
    return reading;
  }

  end(): ParsedTranscript {
    const skipped = new SkipCounter();
    const main = this.#main.end(skipped);
    const known = new Map(main.subagents.map((thread) => [thread.id, thread.blocks]));
    const read = this.#subagents.map(({ id, reading }): SubagentThread => {
      const { blocks } = reading.end(skipped);
      const ends = known.get(id);
      known.delete(id);
      if (ends) return { id, blocks: between(ends, blocks) };
      const call = main.blocks.find(
        (block) => block.type === 'subagent' && block.subagentId === id,
      );
      return threadWithEnds(id, blocks, call);
    });
    const unread = [...known].map(([id, blocks]): SubagentThread => ({ id, blocks }));
    const { blocks, superseded, metadata } = main;
    const { requests, origin } = this.#main.requests;
    return {
      blocks,
      subagents: [...read, ...unread],
      superseded,
      skipped: skipped.total(),
      metadata: origin === undefined ? metadata : { ...metadata, forkedFrom: origin },
      offsets: this.#main.offsetsOf(blocks),
      requests,
    };
  }
}

/** Puts a thread's own blocks between the start and end blocks from the parent's log. */
function between(
  ends: readonly ConversationBlock[],
  blocks: readonly ConversationBlock[],
): readonly ConversationBlock[] {
  return [...ends.slice(0, 1), ...blocks, ...ends.slice(1)];
}

/** Reads one log by folding its entries, as a live session does. */
class LogReading {
  readonly #reader = new LogReader({ detail: 'folds' });
  readonly #fold = new BlocksFold();
  readonly #unknown: string[] = [];
  readonly #otherLines: string[] = [];
  readonly #offsets = new Map<string, number>();
  readonly requests = new LogRequests();
  #hasEntries = false;
  #hasMutations = false;
  /** Older logs without mutations contain the whole history in some entries. */
  #history: readonly unknown[] = [];

  line(text: string, offset = -1): void {
    if (text.trim() === '') return;
    const entries = this.#reader.read(withoutLeadingNoise(text));
    if (entries === null) {
      this.#otherLines.push(text);
      return;
    }
    this.#hasEntries = true;
    for (const entry of entries) this.#read(entry as Entry, offset);
  }

  /** The conversation so far; has no side effects, since more lines may follow. */
  end(skipped: SkipCounter): ConversationState {
    for (const kind of this.#unknown) skipped.kind(kind);
    if (!this.#hasEntries) return this.#readRecord(skipped);
    for (const _ of this.#otherLines) skipped.line();
    const copy = this.#fold.copy();
    if (!this.#hasMutations) appendMessages(copy, this.#history);
    copy.end();
    return copy.state;
  }

  offsetsOf(blocks: readonly ConversationBlock[]): number[] {
    return blocks.map(({ id }) => this.#offsets.get(id) ?? -1);
  }

  #read(entry: Entry, offset: number): void {
    if (!isKnownEvent(entry.event)) this.#unknown.push(entry.event);
    if (entry.event === 'history_mutation') this.#hasMutations = true;
    else if (!this.#hasMutations && Array.isArray(entry.history)) this.#history = entry.history;
    this.requests.apply(entry);
    for (const event of this.#fold.apply(entry)) {
      if (event.type !== 'block_start' && event.type !== 'block_complete') continue;
      if (event.conversationId === 'main' && !this.#offsets.has(event.block.id)) {
        this.#offsets.set(event.block.id, offset);
      }
    }
  }

  /** A record contains the messages themselves. */
  #readRecord(skipped: SkipCounter): ConversationState {
    const fold = new BlocksFold();
    const record = parseLine(this.#otherLines.join('\n'));
    if (!isRecord(record)) {
      if (record === 'unreadable') skipped.line();
      return fold.state;
    }
    const { id, cwd, name } = record;
    fold.apply({ n: 1, time: 0, event: 'session_init', sessionId: asString(id), cwd });
    fold.apply({ n: 2, time: 0, event: 'session_renamed', name });
    appendMessages(fold, asArray(record.messages));
    return fold.state;
  }
}

function appendMessages(fold: BlocksFold, messages: readonly unknown[]): void {
  for (const message of messages) {
    const mutation = 'append_message';
    fold.apply({ n: 0, time: 0, event: 'history_mutation', mutation, message });
  }
}
