import { applyStreamEvent } from '../../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../../fold/conversation-state.ts';
import { asArray, asRecord, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript, SubagentThread } from '../../parsed-transcript.ts';
import { SkipCounter } from '../../skip-counter.ts';
import type { TranscriptParser, TranscriptReader } from '../../transcript-parser.ts';
import { isLogEvent } from './log-events.ts';
import { threadWithEnds } from './subagent-thread.ts';
import { createRobotaStreamTranslator } from './translate-stream.ts';

/** Reads our own session logs (JSON lines) and session records (one JSON document). */
export const robotaTranscriptParser: TranscriptParser = {
  start: () => new RobotaTranscriptReader(),
};

class RobotaTranscriptReader implements TranscriptReader {
  readonly #skipped = new SkipCounter();
  readonly #main = new LogReading(this.#skipped);
  readonly #subagents: { readonly id: string; readonly reading: LogReading }[] = [];

  line(text: string): void {
    this.#main.line(text);
  }

  subagent(id: string): { line(text: string): void } {
    const reading = new LogReading(this.#skipped);
    this.#subagents.push({ id, reading });
    return reading;
  }

  end(): ParsedTranscript {
    const { blocks, superseded, metadata } = this.#main.end();
    const subagents = this.#subagents.map(({ id, reading }): SubagentThread => {
      const call = blocks.find((block) => block.type === 'subagent' && block.subagentId === id);
      return threadWithEnds(id, reading.end().blocks, call);
    });
    return { blocks, subagents, superseded, skipped: this.#skipped.total(), metadata };
  }
}

/** One log is read by translating its entries and folding the events, just as a live session is. */
class LogReading {
  readonly #skipped: SkipCounter;
  readonly #translator = createRobotaStreamTranslator(() => new Date(0).toISOString());
  readonly #otherLines: string[] = [];
  #state: ConversationState = EMPTY_CONVERSATION;
  #hasEntries = false;
  #hasMutations = false;
  /** Logs from before mutations were written carry the whole history in places. */
  #history: readonly unknown[] = [];

  constructor(skipped: SkipCounter) {
    this.#skipped = skipped;
  }

  line(text: string): void {
    const entry = parseLine(text);
    if (entry === 'blank') return;
    if (entry === 'unreadable' || typeof entry.event !== 'string') {
      this.#otherLines.push(text);
      return;
    }
    this.#hasEntries = true;
    this.#read(entry, entry.event);
  }

  end(): ConversationState {
    if (this.#hasEntries) for (const _ of this.#otherLines) this.#skipped.line();
    else this.#readRecord(this.#otherLines.join('\n'));
    if (!this.#hasMutations) this.#append(this.#history);
    for (const event of this.#translator.end()) this.#state = applyStreamEvent(this.#state, event);
    return this.#state;
  }

  #read(entry: JsonRecord, event: string): void {
    if (!isLogEvent(event)) this.#skipped.kind(event);
    if (event === 'history_mutation') this.#hasMutations = true;
    if (Array.isArray(entry.history)) this.#history = entry.history;
    this.#apply(entry);
  }

  /** A record holds the messages themselves. */
  #readRecord(text: string): void {
    const record = parseLine(text);
    if (!isRecord(record)) {
      if (record === 'unreadable') this.#skipped.line();
      return;
    }
    const { id, cwd, name } = record;
    this.#apply({ event: 'session_init', sessionId: asString(id), cwd });
    this.#apply({ event: 'session_renamed', name });
    this.#append(asArray(record.messages));
  }

  #append(messages: readonly unknown[]): void {
    for (const message of messages) {
      this.#apply({
        event: 'history_mutation',
        mutation: 'append_message',
        message: asRecord(message),
      });
    }
  }

  #apply(entry: JsonRecord): void {
    for (const event of this.#translator.translate(entry)) {
      this.#state = applyStreamEvent(this.#state, event);
    }
  }
}
