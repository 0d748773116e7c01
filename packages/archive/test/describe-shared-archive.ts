import type { ArchiveNode, SessionClaim, SharedArchive } from '@robota-sdk/agent-archive';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { Session } from '@robota-sdk/agent-session';
import { describe, expect, it, onTestFinished } from 'vitest';

/** An archive of its own for one test, and nodes on it; both end with the test. */
export interface OpenedForTest {
  readonly archive: SharedArchive;
  newNode(): Promise<ArchiveNode>;
}

/** Longer than what is kept in a line itself. */
const LONG = 'words '.repeat(20_000);

/** What every adapter of `SharedArchive` and `ArchiveNode` must do. */
export function describeSharedArchive(
  technology: string,
  open: () => Promise<OpenedForTest>,
): void {
  describe(`${technology}: a claim`, () => {
    it('is one node’s at a time, and the next one’s after it was let go', async () => {
      const { archive, newNode } = await open();
      const [one, two] = [await newNode(), await newNode()];
      await archive.create('a', { cwd: '/x' });

      const first = await claimed(one, 'a');
      expect(await two.claim('a')).toBeUndefined();
      expect(await one.claim('a')).toBeUndefined();
      await first.release();
      const second = await claimed(two, 'a');

      expect(second.fence).toBeGreaterThan(first.fence);
      expect(first.lost.aborted).toBe(true);
    });

    it('keeps what is appended, in order, and counts it', async () => {
      const { archive, newNode } = await open();
      const node = await newNode();
      await archive.create('a', {});
      const sink = sinkOf(await claimed(node, 'a'));

      await Promise.all([
        sink.append(line(1, 'notice', { message: 'né \\u0000 \ud83d\ude00' })),
        sink.append(`${line(2, 'notice')}${line(3, 'notice')}`),
      ]);
      await sink.append(line(4, 'notice'));

      const lines = await archive.lines('a', 0);
      expect(lines.map(({ place }) => place)).toEqual([1, 2, 3, 4]);
      expect(lines.map(({ text }) => JSON.parse(text).n)).toEqual([1, 2, 3, 4]);
      const size = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
      expect(sink.size()).toBe(size);
    });

    it('keeps every line as it was, however many are written together', async () => {
      const { archive, newNode } = await open();
      const node = await newNode();
      const ids = ['a', 'b', 'c'];
      for (const id of ids) await archive.create(id, {});
      const sinks = await Promise.all(ids.map(async (id) => sinkOf(await claimed(node, id))));
      const message = `"quoted" \\ {braces}, NULL 'single' \t $1 \u2028 né \ud83d\ude00`;
      const written: string[] = [];
      const nextLines = (count: number) => {
        const more = Array.from({ length: count }, (_unused, index) =>
          line(written.length + index + 1, 'notice', { message }),
        );
        written.push(...more);
        return more.join('');
      };

      const [first, ...others] = sinks;
      for (const count of [1, 2, 8, 9, 40]) await first?.append(nextLines(count));
      await Promise.all(others.map(async (sink) => sink.append(written.join(''))));

      for (const id of ids) {
        const lines = await archive.lines(id, 0);
        expect(lines.map(({ text }) => `${text}\n`)).toEqual(written);
        expect(lines.map(({ place }) => place)).toEqual(written.map((_line, index) => index + 1));
      }
    });

    it('writes nothing once another node took the session by force', async () => {
      const { archive, newNode } = await open();
      const [one, two] = [await newNode(), await newNode()];
      await archive.create('a', {});
      const first = await claimed(one, 'a');
      await sinkOf(first).append(line(1, 'notice'));

      const second = await claimed(two, 'a', { force: true });
      const late = sinkOf(first).append(line(2, 'notice', { who: 'first' }));
      await expect(late).rejects.toMatchObject({ code: 'session_fenced' });
      await sinkOf(second).append(line(2, 'notice', { who: 'second' }));

      const lines = await archive.lines('a', 0);
      expect(lines.map(({ text }) => JSON.parse(text).who)).toEqual([undefined, 'second']);
      expect(first.lost.aborted).toBe(true);
    });

    it('has one winner however many nodes want it at once', async () => {
      const { archive, newNode } = await open();
      const nodes = await Promise.all(Array.from({ length: 6 }, () => newNode()));
      const ids = Array.from({ length: 50 }, (_unused, index) => `s${index}`);
      for (const id of ids) await archive.create(id, {});

      const won = await Promise.all(
        ids.map((id) => Promise.all(nodes.map((node) => node.claim(id)))),
      );

      expect(won.map((claims) => claims.filter(Boolean).length)).toEqual(ids.map(() => 1));
    });

    it('takes an item of the inbox with the line that says so, once', async () => {
      const { archive, newNode } = await open();
      const node = await newNode();
      await archive.create('a', {});
      const item = { messageId: 'm1', kind: 'prompt', body: { text: 'hello' } } as const;
      expect(await archive.submit('a', item)).toEqual({ isRepeat: false, isTaken: false });
      const sink = sinkOf(await claimed(node, 'a'));

      await sink.append(line(1, 'prompt', { messageId: 'm1' }));
      expect(await archive.waiting('a')).toEqual([]);
      expect((await archive.find('a'))?.isTurnOpen).toBe(true);
      await sink.append(line(2, 'turn_end', { status: 'completed', response: 'hi' }));

      expect(await archive.submit('a', item)).toEqual({
        isRepeat: true,
        isTaken: true,
        ended: { status: 'completed', response: 'hi' },
      });
      expect((await archive.find('a'))?.isTurnOpen).toBe(false);
      const again = sink.append(line(3, 'prompt', { messageId: 'm1' }));
      await expect(again).rejects.toMatchObject({ code: 'session_fenced' });
      const other = { ...item, body: { text: 'other' } };
      await expect(archive.submit('a', other)).rejects.toMatchObject({ code: 'message_id_reused' });
    });

    it('hears one answer to a question', async () => {
      const { archive, newNode } = await open();
      const node = await newNode();
      await archive.create('a', {});
      const claim = await claimed(node, 'a');
      await sinkOf(claim).append(line(1, 'permission_request', { requestId: 'q1' }));

      const answers = await Promise.all(
        Array.from({ length: 8 }, (_unused, who) => archive.answer('a', 'q1', who, `p${who}`)),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      const winner = answers.indexOf(true);
      expect(await claim.answers()).toEqual([
        { questionId: 'q1', answer: winner, by: `p${winner}` },
      ]);
      await sinkOf(claim).append(line(2, 'permission_resolved', { requestId: 'q1' }));

      expect(await claim.answers()).toEqual([]);
      expect(await archive.answer('a', 'q1', true)).toBe(false);
      expect(await archive.answer('a', 'unknown', true)).toBe(false);
    });
  });

  describe(`${technology}: a session`, () => {
    it('is made once, found with its card, and listed with the latest first', async () => {
      const { archive, newNode } = await open();
      expect(await archive.create('a', { cwd: '/x', name: 'né' })).toBe(true);
      expect(await archive.create('a', { cwd: '/y' })).toBe(false);
      await archive.create('b', {});
      await archive.updateCard('a', { cwd: '/x', model: 'm' });
      const claim = await claimed(await newNode(), 'a');
      await sinkOf(claim).append(line(1, 'notice'));

      expect(await archive.find('a')).toMatchObject({
        card: { cwd: '/x', model: 'm' },
        lines: 1,
        isTurnOpen: false,
      });
      expect((await archive.list()).map(({ id }) => id)).toEqual(['a', 'b']);
      expect(await archive.find('nobody')).toBeUndefined();
      expect(await archive.open('nobody')).toBeUndefined();
    });

    it('is gone with everything that was said to it, and its holder writes nothing more', async () => {
      const { archive, newNode } = await open();
      await archive.create('a', {});
      const claim = await claimed(await newNode(), 'a');
      await sinkOf(claim).append(line(1, 'notice'));
      await archive.submit('a', { messageId: 'm1', kind: 'abort', body: {} });

      await archive.remove('a');

      expect(await archive.find('a')).toBeUndefined();
      expect(await archive.lines('a', 0)).toEqual([]);
      expect(await archive.receipt('a', 'm1')).toBeUndefined();
      await expect(sinkOf(claim).append(line(2, 'notice'))).rejects.toMatchObject({
        code: 'session_fenced',
      });
      const item = { messageId: 'm2', kind: 'prompt', body: {} } as const;
      await expect(archive.submit('a', item)).rejects.toMatchObject({ code: 'session_not_found' });
    });

    it('opens to the same from a checkpoint as from its whole log', async () => {
      const { archive, newNode } = await open();
      const node = await newNode();
      for (const id of ['whole', 'kept']) {
        await archive.create(id, {});
        const claim = await claimed(node, id);
        const provider = scriptedProvider(says('one'), says('two'));
        const session = new Session({
          sessionId: id,
          provider,
          tools: [],
          terminal: { write: () => undefined } as never,
          systemMessage: 'You help.',
          sessionLogger: claim.logger,
          ...(id === 'kept' && { sessionStore: claim.records }),
          vault: false,
        });
        await session.run('first');
        await session.run(LONG);
        await session.shutdown();
        await claim.release();
      }

      const [whole, kept] = [await archive.open('whole'), await archive.open('kept')];

      const said = (opened: typeof whole) =>
        opened?.saved?.fold.state.messages.map(({ role, content }) => [role, content]);
      expect(said(kept)).toEqual(said(whole));
      expect(said(whole)).toHaveLength(5);
      expect(kept?.place).toBe((await archive.find('kept'))?.lines);
    });
  });

  describe(`${technology}: a follower`, () => {
    it('is told every line once, in order, those from before too', async () => {
      const { archive, newNode } = await open();
      await archive.create('a', {});
      const sink = sinkOf(await claimed(await newNode(), 'a'));
      await sink.append(line(1, 'notice'));
      await sink.append(line(2, 'notice'));
      const told: number[] = [];
      const following = archive.follow({
        id: 'a',
        after: 1,
        onLines: (lines) => told.push(...lines.map(({ place }) => place)),
        onInbox: () => undefined,
        onError: () => undefined,
      });
      onTestFinished(() => following.stop());

      await following.refresh();
      for (let n = 3; n <= 30; n++) await sink.append(line(n, 'notice'));
      await following.refresh();

      expect(told).toEqual(Array.from({ length: 29 }, (_unused, index) => index + 2));
    });
  });

  describe(`${technology}: a follower of a session that is deleted`, () => {
    it('is told so when it was deleted before it is followed', async () => {
      const { archive } = await open();
      await archive.create('a', {});
      await archive.remove('a');
      const removed = new Promise<string>((resolve) => {
        const following = archive.follow({
          id: 'a',
          after: 0,
          onLines: () => resolve('lines'),
          onInbox: () => undefined,
          onRemoved: () => resolve('removed'),
          onError: (error) => resolve(error.message),
        });
        onTestFinished(() => following.stop());
      });

      expect(await removed).toBe('removed');
    });

    it('is told so once, and one that comes under the same id later is another', async () => {
      const { archive, newNode } = await open();
      const node = await newNode();
      const follow = () => {
        const told = { places: [] as number[], removed: 0 };
        let heard: () => void = () => undefined;
        const removed = new Promise<void>((resolve) => {
          heard = resolve;
        });
        const following = archive.follow({
          id: 'a',
          after: 0,
          onLines: (lines) => told.places.push(...lines.map(({ place }) => place)),
          onInbox: () => undefined,
          onRemoved: () => {
            told.removed += 1;
            heard();
          },
          onError: () => undefined,
        });
        onTestFinished(() => following.stop());
        return { told, removed, following };
      };
      await archive.create('a', {});
      await sinkOf(await claimed(node, 'a')).append(line(1, 'notice'));
      const first = follow();
      await first.following.refresh();

      await archive.remove('a');
      await first.removed;
      await archive.create('a', {});
      await sinkOf(await claimed(node, 'a')).append(line(1, 'notice', { who: 'other' }));
      const second = follow();
      await second.following.refresh();

      expect(first.told).toEqual({ places: [1], removed: 1 });
      expect(second.told).toEqual({ places: [1], removed: 0 });
    });
  });

  describe(`${technology}: the inbox`, () => {
    it('keeps what waits in the order in which it came, and every item once', async () => {
      const { archive, newNode } = await open();
      await archive.create('a', {});
      const items = ['m3', 'm1', 'm2'].map(
        (messageId) => ({ messageId, kind: 'command', body: { name: messageId } }) as const,
      );
      for (const item of items) await archive.submit('a', item);
      const again = await archive.submit('a', items[0] as (typeof items)[number]);
      const waiting = await archive.waiting('a');
      const claim = await claimed(await newNode(), 'a');

      const taken = await Promise.all([claim.take('m1'), claim.take('m1')]);
      await claim.settle('m1', { status: 'completed', response: 'null' });

      expect(again).toEqual({ isRepeat: true, isTaken: false });
      expect(waiting).toEqual(items);
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await archive.receipt('a', 'm1')).toEqual({
        isRepeat: false,
        isTaken: true,
        ended: { status: 'completed', response: 'null' },
      });
      expect((await archive.waiting('a')).map(({ messageId }) => messageId)).toEqual(['m3', 'm2']);
    });
  });
}

export function line(n: number, event: string, fields: object = {}): string {
  return `${JSON.stringify({ n, t: 1, event, ...fields })}\n`;
}

export function sinkOf(claim: SessionClaim) {
  const sink = claim.logger.openSink?.(claim.id);
  if (!sink) throw new Error('A claim has a sink');
  return sink;
}

export async function claimed(
  node: { claim(id: string, options?: object): Promise<SessionClaim | undefined> },
  id: string,
  options?: object,
) {
  const claim = await node.claim(id, options);
  if (!claim) throw new Error(`${id} is held elsewhere`);
  return claim;
}
