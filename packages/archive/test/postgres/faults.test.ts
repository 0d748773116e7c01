import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresArchive } from '@robota-sdk/agent-archive/postgres';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { OwnPostgres } from '../../../store/test/databases/own-postgres.ts';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { Link } from '../../src/postgres/link.ts';
import { openProxy } from './proxy.ts';
import { testArchive, testNode } from './test-archive.ts';

const SLOW = 60_000;
const server = await findPostgres();

/** Appends lines, three at a time, until `isOver`; `acknowledged` grows with what is kept. */
async function write(
  sink: { append(text: string): void | Promise<void> },
  acknowledged: number[],
  isOver: () => boolean,
): Promise<void> {
  let n = 0;
  const writer = async () => {
    while (!isOver()) {
      n += 1;
      const own = n;
      await sink.append(`{"n":${own},"t":1,"event":"notice"}\n`);
      acknowledged.push(own);
      await delay(1);
    }
  };
  await Promise.all([writer(), writer(), writer()]);
}

async function untilMore(acknowledged: readonly number[]): Promise<void> {
  const { length } = acknowledged;
  while (acknowledged.length === length) await delay(2);
}

async function numbersOf(archive: PostgresArchive, id: string): Promise<number[]> {
  const numbers: number[] = [];
  for (;;) {
    const lines = await archive.lines(id, numbers.length);
    numbers.push(...lines.map(({ text }) => (JSON.parse(text) as { n: number }).n));
    if (lines.length === 0) return numbers;
  }
}

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('faults', () => it.todo('do not run without a server'));
} else {
  const { url } = server;

  describe('more statements than connections', () => {
    it('wait their turn as long as the database answers others', { timeout: SLOW }, async () => {
      const timeoutMs = 1_500;
      const link = new Link({ url, connections: 1, name: 'robota-test', timeoutMs });
      onTestFinished(() => link.close());

      const answers = Array.from({ length: 6 }, () => link.query('SELECT pg_sleep(0.4)'));

      expect(await Promise.all(answers)).toHaveLength(6);
    });

    it('are lost together when it answers nothing', { timeout: SLOW }, async () => {
      const link = new Link({ url, connections: 1, name: 'robota-test', timeoutMs: 300 });
      onTestFinished(() => link.close());

      const answers = Array.from({ length: 3 }, () => link.query('SELECT pg_sleep(30)'));

      for (const answer of answers) await expect(answer).rejects.toThrow('does not answer');
      expect(await link.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
    });
  });

  describe('a connection that is cut while it is made', () => {
    // Each of the first answers: greeting, and whatever the driver asks before it sends a statement.
    it.each([1, 2, 3])('after %i answers costs one statement, not the process', async (answers) => {
      const { archive: direct, schema } = await testArchive(url);
      const proxy = await openProxy(url);
      await direct.create('a', { name: 'é"\\{},' });
      const archive = new PostgresArchive({ url: proxy.url, schema });
      onTestFinished(() => archive.close());
      const unhandled: unknown[] = [];
      const hear = (reason: unknown) => unhandled.push(reason);
      process.on('unhandledRejection', hear);
      onTestFinished(() => void process.off('unhandledRejection', hear));

      proxy.cutNext(answers);
      await archive.find('a').catch(() => undefined);
      const found = await archive.find('a');
      await new Promise((resolve) => setImmediate(resolve));

      expect(found?.card).toEqual({ name: 'é"\\{},' });
      expect(unhandled).toEqual([]);
    });
  });
  afterAll(() => server.stop());

  describe('a node whose connections are cut', () => {
    it('loses no line and writes none twice', { timeout: SLOW }, async () => {
      const { archive, schema } = await testArchive(url);
      const proxy = await openProxy(url);
      const cut = new PostgresArchive({ url: proxy.url, directUrl: url, schema });
      const node = await testNode(cut, { ttlMs: 20_000 });
      onTestFinished(() => cut.close());
      await archive.create('a', {});
      const claim = await node.claim('a');
      const sink = claim?.logger.openSink?.('a');
      if (!sink) throw new Error('The session is free');
      let isOver = false;

      const acknowledged: number[] = [];
      const writing = write(sink, acknowledged, () => isOver);
      for (let cuts = 0; cuts < 25; cuts++) {
        await Promise.race([untilMore(acknowledged), writing]);
        await delay(10 * Math.random());
        proxy.cut();
      }
      isOver = true;
      await writing;

      expect(await numbersOf(archive, 'a')).toEqual(acknowledged.toSorted((a, b) => a - b));
      expect(acknowledged.length).toBeGreaterThanOrEqual(25);
      expect(claim?.lost.aborted).toBe(false);
    });
  });

  describe('a node that is cut off', () => {
    it('stops before anybody else begins, and goes on under a new lease', {
      timeout: SLOW,
    }, async () => {
      const { archive, schema } = await testArchive(url);
      const proxy = await openProxy(url);
      const away = new PostgresArchive({ url: proxy.url, schema, timeoutMs: 2_000 });
      onTestFinished(() => away.close());
      const ttlMs = 1_500;
      const [one, two] = [
        await testNode(away, { ttlMs, lookMs: 200 }),
        await testNode(archive, { ttlMs }),
      ];
      await archive.create('a', {});
      const first = await one.claim('a');
      if (!first) throw new Error('The session is free');
      const stopped = once(first.lost, 'abort').then(() => performance.now());

      proxy.silence();
      let second = await two.claim('a');
      while (!second) {
        await delay(20);
        second = await two.claim('a');
      }
      const begun = performance.now();

      expect(await stopped).toBeLessThan(begun);
      expect(one.isReady()).toBe(false);
      await expect(
        first.logger.openSink?.('a').append('{"n":1,"t":1,"event":"notice"}\n'),
      ).rejects.toMatchObject({ code: 'session_fenced' });
      expect(await archive.lines('a', 0)).toEqual([]);
      proxy.restore();
      while (!one.isReady()) await delay(50);
      await second.release();
      expect(await one.claim('a')).toBeDefined();
    });
  });

  describe('a database that is restarted', () => {
    it('has everything that was acknowledged', { timeout: SLOW }, async () => {
      const own = await OwnPostgres.start();
      onTestFinished(() => own.stop());
      const { archive } = await testArchive(own.url);
      const node = await testNode(archive, { ttlMs: 30_000 });
      await archive.create('a', {});
      const claim = await node.claim('a');
      const sink = claim?.logger.openSink?.('a');
      if (!sink) throw new Error('The session is free');
      let isOver = false;

      const acknowledged: number[] = [];
      const writing = write(sink, acknowledged, () => isOver);
      for (let restarts = 0; restarts < 2; restarts++) {
        await Promise.race([untilMore(acknowledged), writing]);
        await own.restart();
      }
      await Promise.race([untilMore(acknowledged), writing]);
      isOver = true;
      await writing;

      expect(await numbersOf(archive, 'a')).toEqual(acknowledged.toSorted((a, b) => a - b));
      expect(acknowledged.length).toBeGreaterThanOrEqual(3);
    });
  });
}
