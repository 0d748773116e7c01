import { PostgresArchive } from '@robota-sdk/agent-archive/postgres';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { Link } from '../../src/postgres/link.ts';
import { type Wake, Wakes } from '../../src/postgres/wakes.ts';
import { claimed, line, sinkOf } from '../describe-shared-archive.ts';
import { testArchive, testNode } from './test-archive.ts';

const WAIT = { timeout: 10_000 };
const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('notifications', () => it.todo('do not run without a server'));
} else {
  afterAll(() => server.stop());
  const { url } = server;

  const openLink = () => {
    const link = new Link({ url, connections: 1, name: 'robota-test', timeoutMs: 10_000 });
    onTestFinished(() => link.close());
    return link;
  };

  /** Everything that is sent over the channel, word by word. */
  const overhear = async (channel: string) => {
    const words: string[] = [];
    await openLink().listen(
      channel,
      (payload) => words.push(...payload.split(' ')),
      () => undefined,
    );
    return words;
  };

  const openWakes = async (channel: string, now: () => number) => {
    const wakes = new Wakes(openLink(), channel, now);
    const letters: string[] = [];
    const woken: Wake[] = [];
    wakes.on((wake) => woken.push(wake));
    const receive = (payload: string) => {
      wakes.receive(payload);
      letters.push(...payload.split(' ').map((word) => word.charAt(0)));
    };
    await openLink().listen(channel, receive, () => wakes.connected());
    await vi.waitFor(() => expect(letters).toContain('h'), WAIT);
    return { wakes, letters, woken };
  };

  const openChannel = () => `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;

  describe('notifications of lines', () => {
    it('are sent while another node listens, and no longer', async () => {
      const channel = openChannel();
      let time = 0;
      const now = () => time;
      const words = await overhear(channel);
      const { wakes, letters } = await openWakes(channel, now);
      // Both are sent together, or the lines not at all.
      const write = async (sid: number) => {
        wakes.written(sid, false);
        wakes.notify('inbox', sid);
        await vi.waitFor(() => expect(words).toContain(`i${sid}`), WAIT);
        return words.includes(`e${sid}`);
      };

      expect(await write(1)).toBe(true);
      time += 1_000;
      expect(await write(2)).toBe(false);
      expect(wakes.besideAppend([2])).toBeUndefined();

      const other = await openWakes(channel, now);
      await vi.waitFor(
        () => expect(letters.filter((letter) => letter === 'h').length).toBe(2),
        WAIT,
      );
      expect(await write(3)).toBe(true);
      expect(wakes.besideAppend([3, 4])?.values).toEqual([
        channel,
        expect.stringMatching(/ e3 e4$/),
      ]);
      await vi.waitFor(() => expect(other.woken).toContainEqual({ kind: 'lines', sid: 3 }), WAIT);

      await other.wakes.close();
      await vi.waitFor(() => expect(letters).toContain('g'), WAIT);
      expect(await write(5)).toBe(false);
      await wakes.close();
    });

    it('are sent once, beside the lines or after them', async () => {
      const channel = openChannel();
      const words = await overhear(channel);
      const { wakes } = await openWakes(channel, () => 0);
      wakes.written(1, true);
      wakes.written(2, false);
      await vi.waitFor(() => expect(words).toContain('e2'), WAIT);
      expect(words).not.toContain('e1');
      await wakes.close();
    });

    it('reach followers on other nodes', async () => {
      const { archive, schema } = await testArchive(url);
      const node = await testNode(archive);
      await archive.create('a', {});
      const sink = sinkOf(await claimed(node, 'a'));
      const elsewhere = new PostgresArchive({ url, schema });
      onTestFinished(() => elsewhere.close());
      const places: number[] = [];
      const following = elsewhere.follow({
        id: 'a',
        after: 0,
        onLines: (lines) => places.push(...lines.map(({ place }) => place)),
        onInbox: () => undefined,
        onError: () => undefined,
      });
      for (let n = 1; n <= 20; n++) await sink.append(line(n, 'notice'));
      await vi.waitFor(() => expect(places).toHaveLength(20), WAIT);
      expect(places).toEqual(Array.from({ length: 20 }, (_unused, index) => index + 1));
      await following.stop();
    });
  });

  describe('a wake', () => {
    it('is delivered once where it comes from', async () => {
      const channel = openChannel();
      const { wakes, letters, woken } = await openWakes(channel, () => 0);
      wakes.notify('inbox', 7);
      await vi.waitFor(() => expect(letters).toContain('i'), WAIT);
      expect(woken).toEqual([{ kind: 'inbox', sid: 7 }]);
      await wakes.close();
    });

    it('is delivered where nobody listens', async () => {
      const wakes = new Wakes(openLink(), openChannel());
      const woken: Wake[] = [];
      wakes.on((wake) => woken.push(wake));
      wakes.notify('agents', 3);
      await vi.waitFor(() => expect(woken).toEqual([{ kind: 'agents', sid: 3 }]), WAIT);
      await wakes.close();
    });
  });
}
