import type { Clock, ClockTimer } from './clock.ts';

const TICKS = 10;

/**
 * Fires once no life was shown for `idleMs` (at most a tenth more). Showing life only sets a flag, so that it
 * can be done for every streamed delta.
 */
export class IdleWatch {
  isAlive = false;
  readonly #tickMs: number;
  readonly #clock: Clock;
  readonly #onIdle: () => void;
  #timer: ClockTimer | undefined;
  #silentTicks = 0;

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
    this.#silentTicks = this.isAlive ? 0 : this.#silentTicks + 1;
    this.isAlive = false;
    if (this.#silentTicks >= TICKS) this.#onIdle();
    else this.#arm();
  }
}
