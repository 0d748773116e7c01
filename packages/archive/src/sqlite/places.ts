import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ReadThread } from '../reading/session-reading.ts';

/** Where a block stands in its transcript. */
export interface BlockPlace {
  readonly id: string;
  readonly thread: string;
  readonly isSuperseded: boolean;
  readonly offset: number;
}

/** The places of all blocks of a session, in the order in which they were indexed, in a few bytes each. */
export function packPlaces(threads: readonly ReadThread[]): Uint8Array {
  const lines: string[] = [];
  for (const { thread, isSuperseded, blocks } of threads) {
    lines.push(`${blocks.length} ${isSuperseded ? 1 : 0} ${thread.replaceAll('\n', ' ')}`);
    let before = 0;
    let message = '';
    for (const { id, offset } of blocks) {
      // Ids of blocks of one message differ in their ends, which is what is kept of all but the first.
      const shared = sharedStart(message, id);
      lines.push(
        `${(offset - before).toString(36)} ${shared.toString(36)} ${id.slice(shared).replaceAll('\n', ' ')}`,
      );
      before = offset;
      message = id;
    }
  }
  return deflateRawSync(lines.join('\n'), { level: 4 });
}

export function unpackPlaces(data: Uint8Array): BlockPlace[] {
  const lines = inflateRawSync(data).toString('utf8').split('\n');
  const places: BlockPlace[] = [];
  for (let at = 0; at < lines.length; ) {
    const [count = '0', superseded, ...name] = (lines[at++] ?? '').split(' ');
    const thread = name.join(' ');
    let [offset, id] = [0, ''];
    for (let block = 0; block < Number(count); block++) {
      const [delta = '0', shared = '0', ...rest] = (lines[at++] ?? '').split(' ');
      offset += Number.parseInt(delta, 36);
      id = id.slice(0, Number.parseInt(shared, 36)) + rest.join(' ');
      places.push({ id, thread, isSuperseded: superseded === '1', offset });
    }
  }
  return places;
}

function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < most && one.charCodeAt(shared) === other.charCodeAt(shared)) shared++;
  return shared;
}
