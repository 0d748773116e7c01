import type { SeenRequest, WireEvent } from './fake-vendor.ts';

/** A reply in no vendor's words; each dialect puts it into its own. */
export interface FakeReply {
  readonly thinking?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly FakeCall[];
}

export interface FakeCall {
  readonly id: string;
  readonly name: string;
  /** The pieces of the JSON text. */
  readonly pieces: readonly string[];
}

/** How one vendor speaks, and what it does not accept. */
export interface Dialect {
  /** Tool arguments come in pieces; otherwise whole or not at all. */
  readonly streamsArguments: boolean;
  readonly headers: Readonly<Record<string, string>>;
  events(reply: FakeReply): readonly WireEvent[];
  /** The same reply without its end, for cut-off and hanging streams. */
  unfinished(reply: FakeReply): readonly WireEvent[];
  readonly errorEvent: WireEvent;
  errorBody(status: number, message: string): unknown;
  /** Why the real vendor would answer 400. */
  refuse(request: SeenRequest): string | undefined;
  /** The part of the body that says what was said, for prefix comparisons. */
  conversation(body: Record<string, unknown>): readonly unknown[];
}
