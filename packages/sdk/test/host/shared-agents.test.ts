import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PostgresArchive,
  PostgresCatalogue,
  PostgresNode,
} from '@robota-sdk/agent-archive/postgres';
import { type LiveSession, openAgentPlace, SessionHost } from '@robota-sdk/agent-sdk';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dropSchema } from '../../../archive/test/postgres/drop-schema.ts';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { describeLiveSession } from '../live/describe-live-session.ts';
import { describeSessionView } from '../live/describe-session-view.ts';
import { echo } from '../live/echo-provider.ts';
import { FAKE_PROGRAMS, fakeProgram } from '../live/fake-programs.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('sessions of other agents', () => it.todo('are not shared without a server'));
} else {
  const { url } = server;
  afterAll(() => server.stop());

  /** Hosts on one archive with one project, each with a home of its own: machines that share a directory. */
  async function machines(program: string, { brokenOn = '' } = {}) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-agents-')));
    const cwd = join(root, 'project');
    mkdirSync(cwd);
    const schema = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
    onTestFinished(async () => {
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      await dropSchema(url, schema);
    });
    const place = { root, cwd, schema, program, brokenOn };
    return [await machine('one', place), await machine('two', place)] as const;
  }

  async function machine(
    name: string,
    place: Record<'root' | 'cwd' | 'schema' | 'program' | 'brokenOn', string>,
  ) {
    const { root, cwd, schema, program, brokenOn } = place;
    const archive = new PostgresArchive({ url, schema, node: name });
    await archive.migrate();
    const { transcripts } = archive;
    const node = new PostgresNode({ archive, name, ttlMs: 5_000, lookMs: 300 });
    const host = new SessionHost({
      defaults: { cwd, provider: echo(), bare: true },
      node: name,
      archive: { archive, node, transcripts, leaveMs: 300 },
      openPlace: (request) => {
        if (name === brokenOn) throw new Error('The project is not on this machine.');
        return openAgentPlace({
          ...request,
          homeDirectory: join(root, name),
          directory: join(root, name, '.robota/agents'),
          program: fakeProgram(program),
          persistence: transcripts,
        });
      },
      onError: () => undefined,
    });
    await host.start();
    const catalogue = new PostgresCatalogue({ archive, node: name });
    onTestFinished(async () => {
      await host.closeAll();
      await catalogue.close();
      await archive.close();
    });
    return { host, catalogue, archive };
  }

  for (const { name, hanging } of FAKE_PROGRAMS) {
    /** Driven by the first machine, as the second one sees it. */
    const elsewhere = async () => {
      const [one, two] = await machines(name);
      const { sessionId } = await one.host.create({ agent: name });
      await one.host.takeOver(sessionId);
      return two.host.open(sessionId);
    };
    describeLiveSession(`${name} on another node`, async () => {
      const session = await elsewhere();
      return { session, asking: 'ask', hanging, heardText: text(session) };
    });
    describeSessionView(`${name} on another node`, async () => {
      const view = await elsewhere();
      return { view, happen: async () => void (await view.submit('hello')) };
    });
  }

  describe.each(FAKE_PROGRAMS)('a session of $name in an archive', ({ name, hanging }) => {
    it('is driven from any node, and shown by all with the same blocks', async () => {
      const [one, two] = await machines(name);
      const first = await one.host.create({ agent: name });
      await one.host.takeOver(first.sessionId);
      await first.submit('alpha');
      const second = await two.host.open(first.sessionId);

      const outcome = await second.submit('beta', undefined, undefined, { user: 'grace' });

      expect(outcome.status).toBe('completed');
      expect(second.agent).toBe(name);
      expect(promptsOf(second)).toEqual(['alpha', 'beta']);
      await vi.waitFor(() => expect(first.getConversation()).toEqual(second.getConversation()));
      expect(second.nativeId).toBe(first.nativeId);
      expect(second.getCapabilities()).toEqual(first.getCapabilities());
      expect((await one.archive.find(first.sessionId))?.node).toBe('one');
    });

    it('asks on every node, and takes the first answer of any', async () => {
      const [one, two] = await machines(name);
      const first = await one.host.create({ agent: name });
      const second = await two.host.open(first.sessionId);
      const resolved: unknown[] = [];
      first.on('question_resolved', (resolution) => resolved.push(resolution));
      const asked = new Promise<string>((resolve) =>
        second.on('question', ({ id }) => resolve(id)),
      );
      const turn = first.submit('ask');
      const id = await asked;

      expect(await second.answer(id, 'allow', { user: 'grace' })).toBe(true);

      expect((await turn).status).toBe('completed');
      expect(await first.answer(id, 'deny')).toBe(false);
      expect(resolved).toMatchObject([{ id, how: 'answered', by: 'grace' }]);
    });

    it('is gone from a node that had closed it when another one deletes it', async () => {
      const [one, two] = await machines(name);
      const first = await one.host.create({ agent: name });
      await first.submit('alpha');
      await two.host.open(first.sessionId);
      await two.host.close(first.sessionId, 'idle');

      await one.host.remove(first.sessionId);

      expect(await two.host.describe(first.sessionId)).toBeUndefined();
      expect((await two.host.list()).map(({ id }) => id)).not.toContain(first.sessionId);
      await expect(two.host.open(first.sessionId)).rejects.toThrow(/not found/i);
    });

    it('is stopped from another node', async () => {
      const [one, two] = await machines(name);
      const first = await one.host.create({ agent: name });
      const second = await two.host.open(first.sessionId);
      const heard = text(second);
      const turn = first.submit(hanging);
      await heard;

      await second.abort();

      expect((await turn).status).toBe('interrupted');
      expect(first.isExecuting()).toBe(false);
    });

    it('goes on at another node that has the program, and is listed everywhere', async () => {
      const [one, two] = await machines(name);
      const first = await one.host.create({ agent: name });
      await first.submit('alpha');
      const { sessionId, nativeId } = first;
      const second = await two.host.open(sessionId);

      expect(await two.host.takeOver(sessionId)).toBe(true);
      const outcome = await second.submit('beta');

      expect(outcome.status).toBe('completed');
      await vi.waitFor(() => expect(promptsOf(first)).toEqual(['alpha', 'beta']));
      // The last lines of a turn are saved beside its answer.
      await vi.waitFor(async () => {
        await two.catalogue.refresh();
        expect((await one.catalogue.search({ text: 'beta' })).sessions).toHaveLength(1);
      }, 10_000);
      const { sessions } = await one.catalogue.list();
      expect(sessions).toMatchObject([
        { agent: name, id: nativeId ?? sessionId, sharedId: sessionId, runs: { node: 'two' } },
      ]);
      expect(await one.catalogue.resolve(sessionId)).toMatchObject({ kind: 'found' });
      await one.host.remove(sessionId);
      await expect(two.archive.find(sessionId)).resolves.toBeUndefined();
    });

    it('ends a turn that was taken away in its middle, and settles what it asked', async () => {
      const [one, two] = await machines(name);
      const first = await one.host.create({ agent: name });
      await one.host.takeOver(first.sessionId);
      const second = await two.host.open(first.sessionId);
      const asked = new Promise((resolve) => second.on('question', resolve));
      const turn = first.submit('ask');
      await asked;

      await two.host.takeOver(first.sessionId);

      expect(await turn).toMatchObject({ status: 'failed', error: { code: 'process_ended' } });
      await vi.waitFor(() => expect(second.getQuestions()).toEqual([]));
      expect(await first.submit('after')).toMatchObject({ status: 'completed' });
      await vi.waitFor(() => expect(second.getConversation()).toEqual(first.getConversation()));
    });

    it('is copied from another node', async () => {
      const [one, two] = await machines(name);
      const first = await one.host.create({ agent: name });
      await first.submit('alpha');
      if (!first.getCapabilities().fork) return;

      const copy = await two.host.fork(first.sessionId);

      expect((await copy.submit('beta')).status).toBe('completed');
      expect(promptsOf(copy)).toEqual(['alpha', 'beta']);
      expect(promptsOf(first)).toEqual(['alpha']);
    });

    it('says what it cannot do, from any node', async () => {
      const [one, two] = await machines(name);
      const { sessionId } = await one.host.create({ agent: name });
      const second = await two.host.open(sessionId);

      const cannot = { code: 'not_supported' };
      await expect(second.change({ permissionMode: 'plan' })).rejects.toMatchObject(cannot);
      await expect(second.compact()).rejects.toMatchObject(cannot);
      await expect(second.rewind({ to: 'x' })).rejects.toMatchObject(cannot);
      await second.change({ name: 'Blue' });
      expect(second.getName()).toBe('Blue');
    });
  });

  describe('a session of another agent in an archive', () => {
    it('says plainly why no node goes on with it, when none can', async () => {
      const [one, two] = await machines('codex', { brokenOn: 'two' });
      const first = await one.host.create({ agent: 'codex' });
      await one.host.takeOver(first.sessionId);
      await first.submit('alpha');
      const second = await two.host.open(first.sessionId);
      const notice = new Promise((resolve) => second.on('notice', resolve));
      await one.host.closeAll();

      const outcome = await second.submit('beta');

      expect(outcome).toMatchObject({
        status: 'failed',
        error: { message: 'The project is not on this machine.' },
      });
      expect(await notice).toMatchObject({
        message: expect.stringContaining('cannot go on at this node: The project is not'),
      });
      expect(promptsOf(second)).toEqual(['alpha']);
    });

    it('joins the others although it comes from a time when one node alone could drive it', async () => {
      const [one, two] = await machines('codex');
      const first = await one.host.create({ agent: 'codex' });
      const { sessionId } = first;
      await first.submit('alpha');
      await one.host.closeAll();
      // Nothing but the transcript was kept then.
      await two.archive.remove(sessionId);

      const session = await two.host.open(sessionId);

      expect((await session.submit('beta')).status).toBe('completed');
      expect(promptsOf(session)).toEqual(['alpha', 'beta']);
    });

    it('is opened from a checkpoint when it has become long', async () => {
      const [one, two] = await machines('claude');
      const first = await one.host.create({ agent: 'claude' });
      await first.submit('a'.repeat(300_000));
      await first.submit('beta');
      const { link, tables } = one.archive;
      const place = async () => {
        const [row] = await link.query(`SELECT seq FROM ${tables.checkpoint}`);
        return Number(row?.seq);
      };
      await vi.waitFor(async () => expect(await place()).toBeGreaterThan(0));

      const second = await two.host.open(first.sessionId);

      expect(second.getConversation()).toEqual(first.getConversation());
      expect(second.getLastSequence()).toBe(first.getLastSequence());
      expect((await second.submit('gamma')).status).toBe('completed');
      expect(promptsOf(second).at(-1)).toBe('gamma');
    });

    it('leaves secrets to the transcript of its program', async () => {
      const [one] = await machines('claude');
      const secret = `sk-ant-api03-${'A'.repeat(93)}AA`;
      const session = await one.host.create({ agent: 'claude' });

      const outcome = await session.submit(`Keep ${secret} safe`);

      const { link, tables } = one.archive;
      const kept = async (table: string) =>
        JSON.stringify(await link.query(`SELECT * FROM ${table}`));
      expect(outcome.status).toBe('completed');
      expect(JSON.stringify(session.getConversation())).not.toContain(secret);
      for (const table of [tables.event, tables.inbox, tables.payload]) {
        expect(await kept(table)).not.toContain(secret);
      }
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
