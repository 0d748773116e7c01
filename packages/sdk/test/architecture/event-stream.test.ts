import { expect, it } from 'vitest';
import { EventStream } from '../../src/architecture/event-stream.ts';

it('hands out an item that is pushed at any moment, without waiting for another', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const stream = new EventStream<string>();
    const reader = stream[Symbol.asyncIterator]();

    const first = reader.next();
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    stream.push('now');

    expect(await first).toEqual({ value: 'now', done: false });
    await reader.return(undefined);
  }
});
