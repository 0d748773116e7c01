/** How a process of the story is started. */
export interface NodeStart {
  readonly name: string;
  /** The project and everything that is kept in files. */
  readonly directory: string;
  /** Where tools leave one line for everything they do. */
  readonly effects: string;
  /** Where models leave one line for every request that a strict provider would refuse. */
  readonly refusals: string;
  /** Undefined: sessions are kept in files, by one process at a time. */
  readonly database?: { readonly url: string; readonly schema: string } | undefined;
  readonly ttlMs: number;
  readonly lookMs: number;
  readonly bug?: Property | undefined;
}

export type Property = 'prefix' | 'effects' | 'fork' | 'checkpoint' | 'consume' | 'recovery';

/** What a process is told to do; it answers each with what came of it. */
export type Order =
  | { readonly type: 'create'; readonly id: string }
  | { readonly type: 'submit' | 'outcome'; readonly id: string; readonly messageId: string }
  | { readonly type: 'fork'; readonly id: string }
  | { readonly type: 'opened'; readonly id: string }
  | {
      readonly type: 'answer';
      readonly id: string;
      readonly questionId: string;
      readonly by: string;
    }
  | { readonly type: 'stop' };

export interface OrderSent {
  readonly ref: number;
  readonly order: Order;
}

export interface OrderDone {
  readonly ref: number;
  readonly value?: unknown;
  readonly error?: string | undefined;
}

/** How much earlier than it is kept a prompt is acknowledged by the bug planted in *prefix*. */
export const ACKNOWLEDGED_EARLY_MS = 300;
