import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresArchive, PostgresNode } from '@robota-sdk/agent-archive/postgres';
import { type LiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { dropSchema } from '../../../archive/test/postgres/drop-schema.ts';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { describeLiveSession } from './describe-live-session.ts';
import { describeSessionView } from './describe-session-view.ts';
import { echo } from './echo-provider.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('a session in an archive', () => it.todo('does not run without a server'));
} else {
  const { url } = server;
  afterAll(() => server.stop());

  /** Hosts on one archive, each a node of its own. */
  async function hosts(count: number): Promise<SessionHost[]> {
    const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'robota-archive-')));
    const schema = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
    onTestFinished(async () => {
      rmSync(cwd, { recursive: true, force: true });
      await dropSchema(url, schema);
    });
    return Promise.all(
      Array.from({ length: count }, async (_unused, index) => {
        const archive = new PostgresArchive({ url, schema });
        await archive.migrate();
        const node = new PostgresNode({
          archive,
          name: `node-${index}`,
          ttlMs: 5_000,
          lookMs: 300,
        });
        const host = new SessionHost({
          defaults: { cwd, provider: echo(), bare: true },
          node: `node-${index}`,
          archive: { archive, node },
          onError: () => undefined,
        });
        await host.start();
        onTestFinished(async () => {
          await host.closeAll();
          await archive.close();
        });
        return host;
      }),
    );
  }

  /** A session that the first host runs, as another host sees it. */
  async function elsewhere(): Promise<LiveSession> {
    const [runs, looks] = (await hosts(2)) as [SessionHost, SessionHost];
    const { sessionId } = await runs.create();
    await runs.takeOver(sessionId);
    return looks.open(sessionId);
  }

  describeLiveSession('a session on another node', async () => {
    const session = await elsewhere();
    return { session, asking: 'touch', hanging: 'wait', heardText: text(session) };
  });
  describeSessionView('a session on another node', async () => {
    const view = await elsewhere();
    return { view, happen: async () => void (await view.submit('hello')) };
  });

  describe('sessions on two nodes', () => {
    it('go on where another node takes them over, with everything that was said', async () => {
      const [one, two] = (await hosts(2)) as [SessionHost, SessionHost];
      const first = await one.create();
      await first.submit('alpha');
      const second = await two.open(first.sessionId);

      expect(await two.takeOver(first.sessionId)).toBe(true);
      const outcome = await first.submit('beta');

      expect(outcome.status).toBe('completed');
      expect(promptsOf(first)).toEqual(['alpha', 'beta']);
      await second.submit('gamma');
      expect(promptsOf(second)).toEqual(['alpha', 'beta', 'gamma']);
    });

    it('are closed on every node when one of them deletes them', async () => {
      const [one, two] = (await hosts(2)) as [SessionHost, SessionHost];
      const { sessionId } = await one.create();
      await two.open(sessionId);
      const closed = new Promise<string>((resolve) => {
        two.onClose(({ sessionId: id }, reason) => resolve(`${id} ${reason}`));
      });
      const isListed = async (host: SessionHost) =>
        (await host.list()).some(({ id }) => id === sessionId);
      expect(await isListed(two)).toBe(true);

      await one.remove(sessionId);

      expect(await closed).toBe(`${sessionId} deleted`);
      expect(two.get(sessionId)).toBeUndefined();
      await expect.poll(() => isListed(two)).toBe(false);
      await expect(two.open(sessionId)).rejects.toThrow(/not found/i);
    });

    it('are gone from a node that had closed them when another one deletes them', async () => {
      const [one, two] = (await hosts(2)) as [SessionHost, SessionHost];
      const { sessionId } = await one.create();
      await two.open(sessionId);
      await two.close(sessionId, 'idle');
      expect(await two.describe(sessionId)).toMatchObject({ id: sessionId });

      await one.remove(sessionId);

      expect(await two.describe(sessionId)).toBeUndefined();
      expect((await two.list()).map(({ id }) => id)).not.toContain(sessionId);
      await expect(two.open(sessionId)).rejects.toThrow(/not found/i);
    });

    it('answer a prompt once, however often and wherever it is sent', async () => {
      const [one, two] = (await hosts(2)) as [SessionHost, SessionHost];
      const { sessionId } = await one.create();
      await two.open(sessionId);

      const options = { messageId: 'm-1' };
      const sent = await Promise.all(
        [one, two, one, two].map((host) => host.submit(sessionId, 'alpha', options)),
      );
      const outcomes = await Promise.all(sent.map(({ outcome }) => outcome));

      expect(sent.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'completed'));
      const session = await one.open(sessionId);
      expect(promptsOf(session)).toEqual(['alpha']);
      await expect(one.submit(sessionId, 'other', options)).rejects.toMatchObject({
        code: 'message_id_reused',
      });
    });

    it('are stopped by force in the middle of a turn, which is settled on the new node', async () => {
      const [one, two] = (await hosts(2)) as [SessionHost, SessionHost];
      const first = await one.create();
      const heard = text(first);
      const turn = first.submit('wait');
      await heard;

      await two.takeOver(first.sessionId);

      expect(await turn).toMatchObject({ status: 'failed' });
      expect(await first.submit('after')).toMatchObject({ status: 'completed' });
      expect(promptsOf(first)).toEqual(['wait', 'after']);
    });
  });
}

function text(session: LiveSession): Promise<void> {
  return new Promise((resolve) => {
    session.on('stream_event', () => {
      if (session.getConversation().blocks.some(({ type }) => type === 'assistant_text')) resolve();
    });
  });
}

function promptsOf(session: LiveSession): string[] {
  const { blocks } = session.getConversation();
  return blocks.flatMap((block) => (block.type === 'user_message' ? [String(block.content)] : []));
}
