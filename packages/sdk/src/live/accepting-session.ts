import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { LiveSession } from './live-session.ts';

/** An accepted prompt: it will run even if this process ends. */
export interface AcceptedSubmit {
  /** True when its message id was accepted before; it does not run again. */
  readonly isRepeat: boolean;
  readonly outcome: Promise<SubmitOutcome>;
}

/** Port: a session that stores prompts itself before it acknowledges them. */
export interface AcceptingSession extends LiveSession {
  accept(input: string, options: SubmitOptions): Promise<AcceptedSubmit>;
}

export function isAccepting(session: LiveSession): session is AcceptingSession {
  return 'accept' in session;
}
