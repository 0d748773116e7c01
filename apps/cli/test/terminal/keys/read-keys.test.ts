import { PassThrough } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { KeyPress } from '../../../src/terminal/keys/key.ts';
import { readKeys } from '../../../src/terminal/keys/read-keys.ts';

/** What is understood of bytes that arrive in these chunks. */
async function pressed(chunks: readonly string[], count: number): Promise<readonly KeyPress[]> {
  const input = new PassThrough();
  const presses: KeyPress[] = [];
  const stop = readKeys(input as unknown as ReadStream, new PassThrough(), {
    onPress: (press) => presses.push(press),
    onReply: () => undefined,
  });
  onTestFinished(stop);
  for (const chunk of chunks) input.write(chunk);
  await vi.waitFor(() => expect(presses.length).toBeGreaterThanOrEqual(count));
  return presses;
}

const key = (name: string): KeyPress => ({ kind: 'key', name });

it.each([
  ['ctrl+d', '\u0004'],
  ['ctrl+c', '\u0003'],
])('takes escape and %s for two keys, also when they arrive together', async (name, byte) => {
  expect(await pressed([`\u001b${byte}`], 2)).toEqual([key('escape'), key(name)]);
  expect(await pressed(['\u001b', byte], 2)).toEqual([key('escape'), key(name)]);
});

it('leaves keys alone that are pressed with alt', async () => {
  expect(await pressed(['\u001b\r'], 1)).toEqual([key('meta+return')]);
  expect(await pressed(['\u001b\u007f'], 1)).toEqual([key('meta+backspace')]);
  expect(await pressed(['\u001bb'], 1)).toEqual([key('meta+b')]);
  expect(await pressed(['\u001b[1;7D'], 1)).toEqual([key('ctrl+meta+left')]);
});
