import type { ScreenAction, ScreenEffect } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { updateScreen } from './update-screen.ts';

/** Pieces of text come by the thousand; the eye needs no more pictures than this, in milliseconds. */
const FRAME_MS = 50;

/** Holds the screen's state outside of any component and hands effects to whoever carries them out. */
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
    const { state, effects } = updateScreen(this.#state, action);
    const isChanged = state !== this.#state;
    this.#state = state;
    if (isChanged) this.#tell(action.type === 'stream');
    for (const effect of effects) this.#onEffect(effect);
  }

  /** What streams is shown with the next frame, everything else at once. */
  #tell(canWait: boolean): void {
    if (canWait) {
      this.#nextFrame ??= setTimeout(() => this.#tell(false), FRAME_MS);
      return;
    }
    clearTimeout(this.#nextFrame);
    this.#nextFrame = undefined;
    for (const listener of this.#listeners) listener();
  }
}
