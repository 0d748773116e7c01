import { PostgresArchive, PostgresNode } from '@robota-sdk/agent-archive/postgres';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dropSchema } from '../../../archive/test/postgres/drop-schema.ts';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { buildNode, CrashNode, scratch } from './crew.ts';
import type { Property } from './order.ts';

const PROCESSES = 8;
const QUESTIONS = 20;
const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('eight processes', () => it.todo('do not run without a server'));
} else {
  const { url } = server;

  /** How many of them were told, for each question, that their answer counts. */
  async function winners(bug?: Property): Promise<number[]> {
    const schema = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
    const [place, program] = [scratch(), await buildNode()];
    const archive = new PostgresArchive({ url, schema });
    const node = new PostgresNode({ archive, ttlMs: 60_000, lookMs: 60_000 });
    const effects = `${place.directory}/effects`;
    await archive.migrate();
    const crew = Array.from({ length: PROCESSES }, (_unused, index) => {
      const { directory } = place;
      const database = { url, schema };
      const start = {
        name: `n${index}`,
        directory,
        effects,
        refusals: `${directory}/refusals`,
        database,
        ttlMs: 60_000,
        lookMs: 60_000,
        bug,
      };
      return new CrashNode(program.file, start);
    });
    onTestFinished(async () => {
      await Promise.all(crew.map((process) => process.kill()));
      await node.stop();
      await archive.close();
      await dropSchema(url, schema);
      program.remove();
      place.remove();
    });
    await Promise.all(crew.map(({ ready }) => ready));
    const nothing = () => undefined;
    await node.start({ onWork: nothing, onInbox: nothing, onError: nothing });
    await archive.create('a', {});
    const sink = (await node.claim('a'))?.logger.openSink?.('a');
    const counts: number[] = [];
    for (let n = 1; n <= QUESTIONS; n++) {
      const questionId = `q${n}`;
      await sink?.append(
        `{"n":${n},"t":1,"event":"permission_request","requestId":"${questionId}"}\n`,
      );
      const answers = await Promise.all(
        crew.map((process, by) =>
          process.tell({ type: 'answer', id: 'a', questionId, by: `p${by}` }),
        ),
      );
      counts.push(answers.filter(Boolean).length);
    }
    return counts;
  }

  describe('eight processes that answer the same question', () => {
    it('are told that one of them did', { timeout: 300_000 }, async () => {
      expect(new Set(await winners())).toEqual(new Set([1]));
    });

    it('are found out when a planted bug tells it to all', { timeout: 300_000 }, async () => {
      expect(new Set(await winners('consume'))).toEqual(new Set([PROCESSES]));
    });
  });
}
