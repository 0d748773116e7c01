import type { ScreenAction, ScreenEffect } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { updateScreen } from './update-screen.ts';

/** Minimum time between frames while text streams, in milliseconds. */
const FRAME_MS = 50;

/** Holds the screen state and passes effects to the effect runner. */
export class ScreenStore {
  readonly #listeners = new Set<() => void>();
  readonly #onEffect: (effect: ScreenEffect) => void;
  #state: ScreenState;
  #nextFrame: NodeJS.Timeout | undefined;

  constructor(initial: ScreenState, onEffect: (effect: ScreenEffect) => void) {
    this.#state = initial;
    this.#onEffect = onEffect;
  }

  readonly getState = (): ScreenState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  dispatch(action: ScreenAction): void {
    const before = this.#state;
    const { state, effects } = updateScreen(before, action);
    this.#state = state;
    // The output dispatches `printed` itself while drawing, so it needs no redraw.
    if (state !== before && action.type !== 'printed') this.#notify(CAN_WAIT.has(action.type));
    for (const effect of effects) this.#onEffect(effect);
  }

  /** Streamed output is shown with the next frame, everything else at once. */
  #notify(canWait: boolean): void {
    if (canWait) {
      this.#nextFrame ??= setTimeout(() => this.#notify(false), FRAME_MS);
      return;
    }
    clearTimeout(this.#nextFrame);
    this.#nextFrame = undefined;
    for (const listener of this.#listeners) listener();
  }
}

const CAN_WAIT: ReadonlySet<ScreenAction['type']> = new Set(['stream', 'tool_printed']);
