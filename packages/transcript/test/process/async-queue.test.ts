import { expect, it } from 'vitest';
import { AsyncQueue } from '../../src/process/async-queue.ts';

it('delivers an item pushed at any moment, without waiting for another', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const queue = new AsyncQueue<string>();
    const reader = queue[Symbol.asyncIterator]();

    const first = reader.next();
    for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
    queue.push('now');

    expect(await first).toEqual({ value: 'now', done: false });
    await reader.return(undefined);
  }
});
