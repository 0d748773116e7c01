import { applyStreamEvent } from '../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../fold/conversation-state.ts';
import { AsyncQueue } from '../process/async-queue.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { StreamTranslator } from '../stream-translator.ts';
import type { TurnOutcome } from './agent-architecture-adapter.ts';
import { completeFromTranscript } from './complete-from-transcript.ts';
import { readTranscriptFile, type TranscriptSource } from './read-transcript-file.ts';
import { turnEnded } from './turn-outcome.ts';

/** The events of one turn: translated as they come, completed from the transcript, ended by how it went. */
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

  hear(native: unknown): void {
    this.say(this.#translator.translate(native));
  }

  say(events: readonly StreamEvent[]): void {
    for (const event of events) {
      this.#state = applyStreamEvent(this.#state, event);
      this.events.push(event);
    }
  }

  get state(): ConversationState {
    return this.#state;
  }

  /** With a transcript, what it has and the stream has not shown comes first. */
  async end(outcome: TurnOutcome, transcriptPath?: string): Promise<void> {
    this.say(this.#translator.end());
    if (transcriptPath !== undefined) {
      const parsed = await readTranscriptFile(this.#source, transcriptPath);
      this.say(completeFromTranscript(this.#state, parsed, this.#startedAt));
    }
    this.say([turnEnded(outcome)]);
    this.events.end();
  }
}
