/** Port: time. `sleep` rejects with the signal's reason as soon as it aborts; a stopped timer never fires. */
export interface Clock {
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  startTimer(milliseconds: number, fire: () => void): ClockTimer;
}

/** A timer that can be called off. */
export interface ClockTimer {
  stop(): void;
}
