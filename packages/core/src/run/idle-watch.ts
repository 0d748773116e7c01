import type { Clock, ClockTimer } from './clock.ts';

const TICKS = 10;

/**
 * Fires after `idleMs` (at most a tenth more) without activity. Marking activity only sets a flag, so that it is cheap
 * enough for every streamed delta.
 */
export class IdleWatch {
  isActive = false;
  readonly #tickMs: number;
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  #timer: ClockTimer | undefined;
  #idleTicks = 0;

  constructor(idleMs: number, clock: Clock, onIdle: () => void) {
    this.#tickMs = idleMs / TICKS;
    this.#clock = clock;
    this.#onIdle = onIdle;
    if (idleMs > 0) this.#arm();
  }

  stop(): void {
    this.#timer?.stop();
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = this.#clock.startTimer(this.#tickMs, () => this.#tick());
  }

  #tick(): void {
    this.#idleTicks = this.isActive ? 0 : this.#idleTicks + 1;
    this.isActive = false;
    if (this.#idleTicks >= TICKS) this.#onIdle();
    else this.#arm();
  }
}
