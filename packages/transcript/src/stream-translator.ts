import type { StreamEvent } from './stream-events.ts';

/**
 * Port: turns one agent's live events into stream events. Stateful, one per conversation. Never throws: an
 * event it does not know yields nothing. Folding its events gives the blocks a later parse gives, with the
 * same ids where both sides carry one.
 */
export interface StreamTranslator {
  /** `nativeEvent` is one parsed event of the agent's live output. */
  translate(nativeEvent: unknown): StreamEvent[];
  /** The agent has stopped: open blocks are completed with the content received so far. */
  end(): StreamEvent[];
}
