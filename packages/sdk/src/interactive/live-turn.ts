import type { EventHub } from './event-hub.ts';
import type { Ledger } from './ledger.ts';
import type { Timeline } from './timeline.ts';
import type { ToolState } from './tool-state.ts';
import { type ToolCallReport, ToolTracker } from './tool-tracker.ts';

export interface LiveTurnParts {
  readonly events: EventHub;
  readonly timeline: Timeline;
  readonly ledger: Ledger;
  readonly cwd: string;
}

/** What is happening right now: the text so far and the tools at work, told to listeners as it comes. */
export class LiveTurn {
  readonly #parts: LiveTurnParts;
  readonly #tools: ToolTracker;
  #text = '';
  /** Tools ran since the last text, so the next one is a new paragraph. */
  #isNewParagraph = false;

  constructor(parts: LiveTurnParts) {
    this.#parts = parts;
    this.#tools = new ToolTracker(parts.cwd);
  }

  begin(): void {
    this.#text = '';
    this.#isNewParagraph = false;
    this.#tools.reset();
    this.#parts.ledger.beginTurn();
  }

  get streamingText(): string {
    return this.#text;
  }

  activeTools(): ToolState[] {
    return this.#tools.active();
  }

  finishedTools(): readonly ToolState[] {
    return this.#tools.finished();
  }

  readonly textDelta = (delta: string): void => {
    if (this.#isNewParagraph) this.#startParagraph();
    this.#text += delta;
    this.#parts.events.emit('text_delta', delta);
  };

  readonly toolExecution = (report: ToolCallReport): void => {
    const { events, timeline } = this.#parts;
    if (report.type === 'start') {
      const state = this.#tools.start(report);
      timeline.addEvent('tool-start', state);
      events.emit('tool_start', state);
      return;
    }
    const state = this.#tools.end(report);
    this.#isNewParagraph = this.#text !== '';
    timeline.addEvent('tool-end', state);
    events.emit('tool_end', state);
  };

  #startParagraph(): void {
    this.#isNewParagraph = false;
    this.#text += '\n\n';
    this.#parts.events.emit('text_delta', '\n\n');
  }
}
