import type { SeenRequest, WireEvent } from './fake-vendor.ts';

/** A vendor-neutral reply; each dialect encodes it. */
export interface FakeReply {
  readonly thinking?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly FakeCall[];
}

export interface FakeCall {
  readonly id: string;
  readonly name: string;
  /** Chunks of the JSON text. */
  readonly pieces: readonly string[];
}

/** The wire format of one vendor, and what it rejects. */
export interface Dialect {
  /** Whether tool arguments are streamed; otherwise they arrive complete or not at all. */
  readonly streamsArguments: boolean;
  readonly headers: Readonly<Record<string, string>>;
  events(reply: FakeReply): readonly WireEvent[];
  /** The reply without its end, for cut-off and hanging streams. */
  unfinished(reply: FakeReply): readonly WireEvent[];
  readonly errorEvent: WireEvent;
  errorBody(status: number, message: string): unknown;
  /** Why the real vendor would respond with 400. */
  refuse(request: SeenRequest): string | undefined;
  /** The conversation in the body, for prefix comparisons. */
  conversation(body: Record<string, unknown>): readonly unknown[];
}
