import type { InteractiveSession } from './interactive-session.ts';

/** Port: connects one session to a surface. `attach` is called before `start`; `stop` leaves nothing open. */
export interface TransportAdapter {
  /** For example `http`, `ws`, `mcp` or `headless`. */
  readonly name: string;
  attach(session: InteractiveSession): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}
