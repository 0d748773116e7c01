import type { JournalEntry } from '../live/event-journal.ts';
import { type EventPosition, formatPosition } from '../live/event-position.ts';
import { Follower } from '../live/follower.ts';
import type { SessionFeed } from '../live/session-feed.ts';
import type { Reply, ResumePoint } from '../protocol.ts';

/** A client of a session; call `leave` when it disconnects. */
export interface SseVisit {
  readonly feed: SessionFeed;
  leave(): void;
}

export interface SseOptions {
  readonly resume: ResumePoint;
  /** Ends the stream after the result of this prompt; by default it stays open. */
  readonly untilResultOf?: string | undefined;
  /** Sent first, instead of the session's `init`. */
  readonly greeting?: Reply | undefined;
  readonly heartbeatMs: number;
  readonly maxLagBytes?: number | undefined;
  /** Aborted when the server stops. */
  readonly signal: AbortSignal;
  /** Calls `onRevoked` when the client's token is revoked, unless the returned function is called first. */
  readonly watch: (onRevoked: () => void) => () => void;
}

const QUEUE_BYTES = 256 * 1024;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

/** Streams the events of a session; event ids are the positions to resume after. */
export function sseResponse(visit: SseVisit, options: SseOptions): Response {
  const source = new SseSource(visit, options);
  const stream = new ReadableStream<Uint8Array>(
    source,
    new ByteLengthQueuingStrategy({ highWaterMark: QUEUE_BYTES }),
  );
  return new Response(stream, { headers: HEADERS });
}

/** Feeds one client. Events it has not read stay in the journal and are not buffered here. */
class SseSource {
  readonly #feed: SessionFeed;
  readonly #leave: () => void;
  readonly #options: SseOptions;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #follower: Follower | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor({ feed, leave }: SseVisit, options: SseOptions) {
    this.#feed = feed;
    this.#leave = leave;
    this.#options = options;
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    const { signal, heartbeatMs, resume, maxLagBytes, greeting } = this.#options;
    if (signal.aborted) {
      this.#end();
      return;
    }
    signal.addEventListener('abort', this.#end, { once: true });
    const opening = this.#feed.open(resume);
    const [facts, ...rest] = opening.replies;
    for (const reply of [greeting ?? facts, ...rest]) if (reply) this.#write(replyText(reply));
    this.#heartbeat = setInterval(() => this.#write(': still here\n\n'), heartbeatMs).unref();
    this.#unwatch = this.#options.watch(() =>
      this.#refuse('unauthorized', 'The token was revoked.'),
    );
    const sink = {
      write: (entry: JournalEntry) => this.#writeEntry(entry),
      drop: (reason: string) => this.#refuse('too_slow', reason),
    };
    this.#follower = new Follower(this.#feed.journal, sink, {
      after: opening.after,
      maxLagBytes,
    });
  }

  pull(): void {
    this.#follower?.resume();
  }

  cancel(): void {
    this.#release();
  }

  #writeEntry(entry: JournalEntry): boolean {
    this.#write(
      `id: ${formatPosition(entry)}\nevent: ${entry.type}\ndata: ${entry.bytes.toString()}\n\n`,
    );
    const { untilResultOf } = this.#options;
    const isLast =
      entry.type === 'session_closed' ||
      (untilResultOf !== undefined && entry.messageId === untilResultOf);
    if (isLast) this.#end();
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** Sends a final error. */
  #refuse(code: string, message: string): void {
    this.#write(replyText({ type: 'protocol_error', code, message }));
    this.#end();
  }

  #write(text: string): void {
    this.#controller?.enqueue(Buffer.from(text));
  }

  readonly #end = (): void => {
    this.#release();
    this.#controller?.close();
    this.#controller = undefined;
  };

  #release(): void {
    this.#leave();
    this.#unwatch?.();
    clearInterval(this.#heartbeat);
    this.#follower?.stop();
    this.#options.signal.removeEventListener('abort', this.#end);
  }
}

/** A stream with a single event, for a prompt that was answered before. */
export function sseOnce(entry: EventPosition & { readonly type: string }): Response {
  const text = `id: ${formatPosition(entry)}\nevent: ${entry.type}\ndata: ${JSON.stringify(entry)}\n\n`;
  return new Response(text, { headers: HEADERS });
}

function replyText(reply: Reply): string {
  const id = reply.type === 'snapshot' ? `id: ${formatPosition(reply)}\n` : '';
  return `${id}event: ${reply.type}\ndata: ${JSON.stringify(reply)}\n\n`;
}
