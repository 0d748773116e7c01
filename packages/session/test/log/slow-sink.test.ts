import {
  EntryLog,
  type LogSink,
  type SessionLogger,
  sessionError,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';

interface Write {
  readonly text: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** A sink that keeps lines when the test says so. */
function slowLog(): { log: EntryLog; writes: Write[]; told: string[] } {
  const writes: Write[] = [];
  const sink: LogSink = {
    lastNumber: 0,
    append: (text) =>
      new Promise((resolve, reject) => {
        writes.push({ text, resolve, reject });
      }),
    size: () => 0,
    shrink: (line) => line,
    store: (value) => value,
  };
  const logger: SessionLogger = { log: () => undefined, openSink: () => sink };
  const log = new EntryLog({ sessionId: 's', logger });
  const told: string[] = [];
  log.subscribe(({ event, message, delta }) => told.push(`${event} ${String(message ?? delta)}`));
  return { log, writes, told };
}

const PIECE = { executionId: 'e', round: 1, sequence: 0 };

describe('a log whose sink takes its time', () => {
  it('tells entries when they are kept, in their order, streamed pieces among them', async () => {
    const { log, writes, told } = slowLog();

    const first = log.append('notice', { message: 'one' });
    void log.append('provider_stream_raw_delta', { ...PIECE, delta: 'piece' });
    const second = log.append('notice', { message: 'two' });
    expect(told).toEqual([]);
    for (const { resolve } of writes) resolve();
    await Promise.all([first, second]);

    expect(told).toEqual(['notice one', 'provider_stream_raw_delta piece', 'notice two']);
    expect(log.isTelling).toBe(false);
    void log.append('provider_stream_raw_delta', { ...PIECE, delta: 'at once' });
    expect(told.at(-1)).toBe('provider_stream_raw_delta at once');
  });

  it('tells nothing any more once another writer has the session, and says so to whoever waits', async () => {
    const { log, writes, told } = slowLog();
    const fenced = sessionError('session_fenced', 'It belongs to another node now.');

    const first = log.append('notice', { message: 'kept' });
    const second = log.append('notice', { message: 'refused' });
    void log.append('notice', { message: 'nobody waits for this' });
    const [header, one, ...others] = writes;
    header?.resolve();
    one?.resolve();
    for (const { reject } of others) reject(fenced);

    await first;
    await expect(second).rejects.toBe(fenced);
    await expect(log.idle()).rejects.toBe(fenced);
    void log.append('provider_stream_raw_delta', { ...PIECE, delta: 'late' });
    expect(told).toEqual(['notice kept']);
    expect(log.problem).toBeUndefined();
  });
});
