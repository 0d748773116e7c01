import type { Revision, RevisionedSessions } from '../compare-and-set.ts';
import { fromRecord, toRecord } from '../session-record.ts';
import type { RedisKeys } from './keys.ts';
import type { RedisLink } from './link.ts';

/** Reads and writes one session with its index entries. */
export class RedisSessions implements RevisionedSessions {
  readonly #link: RedisLink;
  readonly #keys: RedisKeys;

  constructor(link: RedisLink, keys: RedisKeys) {
    this.#link = link;
    this.#keys = keys;
  }

  async read(sessionId: string): Promise<Revision | null> {
    const key = this.#keys.session(sessionId);
    const [record, revision] = await this.#link.readHash(key, ['record', 'revision']);
    if (record == null || revision == null) return null;
    return { session: fromRecord(record, sessionId), revision };
  }

  insert(next: Revision): Promise<boolean> {
    return this.#write({ expected: '', next, removed: [] });
  }

  replace(current: Revision, next: Revision): Promise<boolean> {
    const added = this.#keys.places(next.session);
    const removed = [...this.#keys.places(current.session).keys()].filter((key) => !added.has(key));
    return this.#write({ expected: current.revision, next, removed });
  }

  async remove(current: Revision): Promise<boolean> {
    const removed = [...this.#keys.places(current.session).keys()];
    const keys = [this.#keys.session(current.session.id), ...removed];
    const args = [current.revision, '', '', this.#keys.member(current.session), removed.length];
    return (await this.#link.script('write', 'robotaWriteSession', keys, args)) === 1;
  }

  async #write(write: { expected: string; next: Revision; removed: string[] }): Promise<boolean> {
    const { session, revision } = write.next;
    const added = this.#keys.places(session);
    const keys = [this.#keys.session(session.id), ...write.removed, ...added.keys()];
    const member = this.#keys.member(session);
    const args = [
      write.expected,
      revision,
      toRecord(session),
      member,
      write.removed.length,
      ...added.values(),
    ];
    return (await this.#link.script('write', 'robotaWriteSession', keys, args)) === 1;
  }
}
