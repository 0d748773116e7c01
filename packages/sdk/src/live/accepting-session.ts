import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { LiveSession } from './live-session.ts';

/** A prompt that was let in: from now on it is answered, whatever happens to this process. */
export interface AcceptedSubmit {
  /** True when its id was let in before; nothing was asked again. */
  readonly isRepeat: boolean;
  readonly outcome: Promise<SubmitOutcome>;
}

/** Port: a session that writes prompts down by itself before it says that it took them. */
export interface AcceptingSession extends LiveSession {
  accept(input: string, options: SubmitOptions): Promise<AcceptedSubmit>;
}

export function isAccepting(session: LiveSession): session is AcceptingSession {
  return 'accept' in session;
}
