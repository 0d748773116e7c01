import type { ReadThread } from '../reading/session-reading.ts';
import { PackedBytes, PackedReader } from './packed-bytes.ts';
import { IdReader, IdWriter } from './packed-ids.ts';

/** Where a block stands in its transcript. */
export interface BlockPlace {
  readonly id: string;
  readonly thread: string;
  readonly isSuperseded: boolean;
  readonly offset: number;
}

/** The places of all blocks of a session, in the order in which they were indexed, in about twenty bytes each. */
export function packPlaces(threads: readonly ReadThread[]): Uint8Array {
  const bytes = new PackedBytes();
  for (const { thread, isSuperseded, blocks } of threads) {
    bytes.number(blocks.length);
    bytes.number(isSuperseded ? 1 : 0);
    bytes.text(thread);
    const ids = new IdWriter(bytes);
    let before = 0;
    for (const { id, offset } of blocks) {
      bytes.signed(offset - before);
      ids.write(id);
      before = offset;
    }
  }
  return bytes.copy();
}

/** The places of some blocks, by their numbers in the session. */
export function unpackPlaces(
  data: Uint8Array,
  wanted: Iterable<number>,
): ReadonlyMap<number, BlockPlace> {
  const places = new Map<number, BlockPlace>();
  const missing = new Set(wanted);
  const bytes = new PackedReader(data);
  for (let index = 0; missing.size > 0 && !bytes.isAtEnd; ) {
    const count = bytes.number();
    const isSuperseded = bytes.number() === 1;
    const thread = bytes.text();
    const ids = new IdReader(bytes);
    let offset = 0;
    for (let block = 0; block < count && missing.size > 0; block++, index++) {
      offset += bytes.signed();
      ids.next();
      if (missing.delete(index))
        places.set(index, { id: ids.current, thread, isSuperseded, offset });
    }
  }
  return places;
}
