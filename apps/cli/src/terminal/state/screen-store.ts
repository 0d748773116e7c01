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
  /** What was last drawn before the transcript took the screen. */
  #drawn: ScreenState | undefined;
  #nextFrame: NodeJS.Timeout | undefined;

  constructor(initial: ScreenState, onEffect: (effect: ScreenEffect) => void) {
    this.#state = initial;
    this.#onEffect = onEffect;
  }

  readonly getState = (): ScreenState => this.#state;

  /** The state to draw: it stands still while the transcript has the screen. */
  readonly getDrawn = (): ScreenState => this.#drawn ?? this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  dispatch(action: ScreenAction): void {
    const before = this.#state;
    const { state, effects } = updateScreen(before, action);
    this.#state = state;
    this.#drawn = state.overlay?.kind === 'transcript' ? (this.#drawn ?? before) : undefined;
    if (state !== before) this.#tell(CAN_WAIT.has(action.type));
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

const CAN_WAIT: ReadonlySet<ScreenAction['type']> = new Set(['stream', 'tool_printed']);
