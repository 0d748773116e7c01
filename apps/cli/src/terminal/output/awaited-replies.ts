import type { TerminalReply } from '../keys/terminal-replies.ts';

/** After this time the terminal is assumed not to reply. */
const REPLY_TIMEOUT_MS = 2_000;
/** After this time a reply is assumed lost; until then it may still come, and must not count for a later request. */
const LOST_MS = 10_000;
/** How long the end of the program waits for replies that are on their way. */
const LEAVING_MS = 200;

interface AwaitedReply {
  readonly kind: TerminalReply['kind'];
  /** Milliseconds of the monotonic clock. */
  readonly askedAt: number;
  readonly settle: () => void;
  readonly settled: Promise<void>;
}

/** Requests to the terminal that it has not replied to. Replies carry no name: they arrive in the order of the requests. */
export class AwaitedReplies {
  #awaited: readonly AwaitedReply[] = [];

  /** Resolves with the reply to the request that was just written, or when none comes. */
  async next(kind: TerminalReply['kind'], now = performance.now()): Promise<void> {
    const { promise: settled, resolve: settle } = withResolvers();
    const known = this.#awaited.filter(({ askedAt }) => now - askedAt < LOST_MS);
    this.#awaited = [...known, { kind, askedAt: now, settle, settled }];
    const timer = setTimeout(settle, REPLY_TIMEOUT_MS).unref();
    await settled;
    clearTimeout(timer);
  }

  arrived(kind: TerminalReply['kind']): void {
    const first = this.#awaited.find((each) => each.kind === kind);
    this.#awaited = this.#awaited.filter((each) => each !== first);
    first?.settle();
  }

  /** Resolves when every reply that may still come has come, at the latest after a moment. */
  async all(now = performance.now()): Promise<void> {
    const expected = this.#awaited.filter(({ askedAt }) => now - askedAt < REPLY_TIMEOUT_MS);
    if (expected.length === 0) return;
    const { promise: late, resolve } = withResolvers();
    const timer = setTimeout(resolve, LEAVING_MS);
    await Promise.race([Promise.all(expected.map(({ settled }) => settled)), late]);
    clearTimeout(timer);
  }
}

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
