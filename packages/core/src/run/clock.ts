/** Port: time. `sleep` rejects with the signal's reason as soon as it aborts; a stopped timer never fires. */
export interface Clock {
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  startTimer(milliseconds: number, fire: () => void): ClockTimer;
}

/** Handle of a timer that a clock has set. */
export interface ClockTimer {
  stop(): void;
}
