import { closeSync, fstatSync, openSync, readSync, watch } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { SessionLogEntry } from '@robota-sdk/agent-core';
import { LogReader } from '@robota-sdk/agent-core/log';
import { PayloadReader } from '@robota-sdk/agent-session';
import { openSessionLog, type SessionLogPlace } from './session-log.ts';

/** Where the log is, and when to stop following it. */
export interface FollowSessionLogOptions extends SessionLogPlace {
  /** Stops following; without it only the existing entries are read. */
  readonly signal?: AbortSignal | undefined;
}

/** Fallback interval for when no file event arrives. */
const POLL_MS = 250;
const CHUNK_BYTES = 1024 * 1024;

/** Every complete entry of a session's log; with a signal, also those that another process appends meanwhile. */
export async function* followSessionLog(
  id: string,
  { signal, ...place }: FollowSessionLogOptions = {},
): AsyncGenerator<SessionLogEntry> {
  const { file } = openSessionLog(id, place);
  const growing = new GrowingLog(file);
  try {
    yield* growing.read();
    while (signal && !signal.aborted) {
      await grown(file, signal);
      yield* growing.read();
    }
  } finally {
    growing.close();
  }
}

/** Reads the complete lines added since the last read. */
class GrowingLog {
  readonly #descriptor: number;
  readonly #reader: LogReader;
  #position = 0;
  #rest = Buffer.alloc(0);

  constructor(file: string) {
    this.#descriptor = openSync(file, 'r');
    const payloads = new PayloadReader(file);
    this.#reader = new LogReader({ resolvePayloads: (line) => payloads.resolve(line) });
  }

  *read(): Generator<SessionLogEntry> {
    const { size } = fstatSync(this.#descriptor);
    while (this.#position < size) {
      const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - this.#position));
      const taken = readSync(this.#descriptor, chunk, 0, chunk.length, this.#position);
      if (taken === 0) return;
      this.#position += taken;
      yield* this.#take(chunk.subarray(0, taken));
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  *#take(chunk: Buffer): Generator<SessionLogEntry> {
    const bytes = Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    this.#rest = bytes.subarray(end);
    for (const line of bytes.toString('utf8', 0, end).split('\n')) {
      if (line !== '') yield* this.#reader.read(line) ?? [];
    }
  }
}

/** Settles when the file may have grown or the signal aborts. */
async function grown(file: string, signal: AbortSignal): Promise<void> {
  const done = new AbortController();
  const stop = () => done.abort();
  signal.addEventListener('abort', stop, { once: true });
  const watcher = tryWatch(file, stop);
  try {
    await wait(POLL_MS, undefined, { signal: done.signal }).catch(() => undefined);
  } finally {
    watcher?.close();
    signal.removeEventListener('abort', stop);
  }
}

/** Undefined when the system has no file watches left; then only polling detects changes. */
function tryWatch(file: string, onChange: () => void) {
  try {
    return watch(file, onChange).on('error', onChange);
  } catch {
    return undefined;
  }
}
