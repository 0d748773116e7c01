import { applyStreamEvent } from '../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../fold/conversation-state.ts';
import { AsyncQueue } from '../process/async-queue.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { StreamTranslator } from '../stream-translator.ts';
import type { TurnOutcome } from './agent-architecture-adapter.ts';
import { completeFromTranscript } from './complete-from-transcript.ts';
import { readTranscriptFile, type TranscriptSource } from './read-transcript-file.ts';
import { turnEnded } from './turn-outcome.ts';

/** The events of one turn: translated live, completed from the transcript, ended with the outcome. */
export class LiveTurn {
  readonly events = new AsyncQueue<StreamEvent>();
  readonly #source: TranscriptSource;
  readonly #translator: StreamTranslator;
  readonly #startedAt = new Date().toISOString();
  #state: ConversationState = EMPTY_CONVERSATION;

  constructor(source: TranscriptSource, translator: StreamTranslator) {
    this.#source = source;
    this.#translator = translator;
  }

  handle(native: unknown): void {
    this.emit(this.#translator.translate(native));
  }

  emit(events: readonly StreamEvent[]): void {
    for (const event of events) {
      this.#state = applyStreamEvent(this.#state, event);
      this.events.push(event);
    }
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** With a transcript, emits what the stream has not shown before the outcome. */
  async end(outcome: TurnOutcome, transcriptPath?: string): Promise<void> {
    this.emit(this.#translator.end());
    if (transcriptPath !== undefined) {
      const parsed = await readTranscriptFile(this.#source, transcriptPath);
      this.emit(completeFromTranscript(this.#state, parsed, this.#startedAt));
    }
    this.emit([turnEnded(outcome)]);
    this.events.end();
  }
}
