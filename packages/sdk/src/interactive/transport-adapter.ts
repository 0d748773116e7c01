import type { InteractiveSession } from './interactive-session.ts';

/** Port: carries one session to a surface. `attach` comes before `start`; `stop` leaves nothing open. */
export interface TransportAdapter {
  /** Such as `http`, `ws`, `mcp` or `headless`. */
  readonly name: string;
  attach(session: InteractiveSession): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}
