import { PostgresArchive, parseArchiveKey } from '@robota-sdk/agent-archive/postgres';
import { createAssistantMessage, type Message, type Provider } from '@robota-sdk/agent-core';
import { Session, type SessionOptions } from '@robota-sdk/agent-session';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { claimed, line, sinkOf } from '../describe-shared-archive.ts';
import { testArchive, testNode } from './test-archive.ts';

const server = await findPostgres();
const SECRET = `sk-ant-api03-${'x'.repeat(93)}AA`;
const KEY = Buffer.alloc(32, 3);

describe('the key of an archive', () => {
  it('is 32 bytes in base64 or hexadecimal digits', () => {
    expect(parseArchiveKey(KEY.toString('base64'))).toEqual(KEY);
    expect(parseArchiveKey(` ${KEY.toString('hex')}\n`)).toEqual(KEY);
    for (const bad of ['', 'short', KEY.subarray(1).toString('base64')]) {
      expect(() => parseArchiveKey(bad)).toThrow('openssl rand -base64 32');
    }
  });
});

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('secrets in an archive', () => it.todo('are not kept without a server'));
} else {
  const { url } = server;
  afterAll(() => server.stop());

  describe('secrets in an archive', () => {
    it('move with the session where there is a key, and nobody can read them in the database', async () => {
      const { archive, schema } = await testArchive(url, { key: KEY });
      await say(archive, `My key is ${SECRET}.`);
      const other = secondArchive(url, schema, KEY);

      const { sent, notices } = await say(other, 'Which key was it?');

      expect(JSON.stringify(sent)).toContain(SECRET);
      expect(notices).toEqual([]);
      expect(await everything(archive)).not.toContain(SECRET);
    });

    it.each([
      ['no key', undefined],
      ['another key', Buffer.alloc(32, 4)],
    ])('stay behind with %s, and the session says so', async (_, key) => {
      const { archive, schema } = await testArchive(url, { key: KEY });
      await say(archive, `My key is ${SECRET}.`);
      const other = secondArchive(url, schema, key);

      const { sent, notices } = await say(other, 'Which key was it?');

      expect(JSON.stringify(sent)).not.toContain(SECRET);
      expect(JSON.stringify(sent)).toContain('[REDACTED');
      expect(notices).toEqual([expect.stringContaining('replaced by placeholders')]);
    });

    it('go with a copy of the session, and with the session when it is deleted', async () => {
      const { archive } = await testArchive(url, { key: KEY });
      await say(archive, `My key is ${SECRET}.`);

      const { sent } = await say(archive, 'Which key was it?', { from: 's1', to: 's2' });
      await archive.remove('s1');
      const again = await say(archive, 'And now?', { to: 's2' });
      await archive.remove('s2');

      expect(JSON.stringify(sent)).toContain(SECRET);
      expect(JSON.stringify(again.sent)).toContain(SECRET);
      const { vault } = archive.tables;
      expect(await archive.link.query(`SELECT 1 FROM ${vault}`)).toEqual([]);
    });

    it('are not left in the inbox, where a prompt waits with them', async () => {
      const { archive } = await testArchive(url);
      const { archive: sealed } = await testArchive(url, { key: KEY });
      const item = { messageId: 'm1', kind: 'prompt', body: { input: SECRET } } as const;
      const texts = async (one: PostgresArchive) =>
        JSON.stringify(await one.link.query(`SELECT body FROM ${one.tables.inbox}`));
      for (const one of [archive, sealed]) {
        await one.create('s1', {});
        await one.submit('s1', item);
      }

      expect(await texts(sealed)).not.toContain(SECRET);
      expect(await sealed.waiting('s1')).toEqual([item]);
      const claim = await claimed(await testNode(archive), 's1');
      await sinkOf(claim).append(line(1, 'prompt', { messageId: 'm1' }));

      expect(await texts(archive)).not.toContain(SECRET);
      expect(await archive.submit('s1', item)).toMatchObject({ isRepeat: true, isTaken: true });
    });

    it('of one session cannot be read as those of another', async () => {
      const { archive } = await testArchive(url, { key: KEY });
      await say(archive, `My key is ${SECRET}.`);
      await archive.create('thief', {});
      const { vault, session } = archive.tables;
      await archive.link.query(
        `INSERT INTO ${vault} (sid, data) SELECT (SELECT sid FROM ${session} WHERE id = 'thief'), data FROM ${vault}`,
      );

      expect(await archive.secretsOf('s1')).not.toEqual([]);
      expect(await archive.secretsOf('thief')).toEqual([]);
    });
  });
}

interface Said {
  readonly sent: readonly Message[];
  readonly notices: readonly string[];
}

/** One turn of a session on a node of its own; what the model was sent, and what the person was told. */
async function say(
  archive: PostgresArchive,
  prompt: string,
  { from, to = 's1' }: { readonly from?: string; readonly to?: string } = {},
): Promise<Said> {
  await archive.create(to, {});
  const node = await testNode(archive);
  const claim = await claimed(node, to, { from });
  const sent: Message[] = [];
  const notices: string[] = [];
  const provider: Provider = {
    name: 'echo',
    chat: async (messages) => {
      sent.splice(0, sent.length, ...messages);
      return createAssistantMessage('Fine.');
    },
  };
  const past = from ?? (claim.hasLines ? to : undefined);
  const saved = past === undefined ? undefined : await claim.records.open?.(past);
  const session = new Session({
    sessionId: to,
    provider,
    tools: [],
    terminal: { write: () => undefined } as never,
    systemMessage: 'Be brief.',
    sessionLogger: claim.logger,
    sessionStore: claim.records,
    ...(saved && {
      restored: {
        fold: saved.fold,
        record: from === undefined ? saved.record : undefined,
        ...(from !== undefined && { from: { reason: 'fork', sessionId: from } }),
      },
    }),
    onNotice: ({ message }: { readonly message: string }) => notices.push(message),
  } as unknown as SessionOptions);
  await session.run(prompt);
  await session.shutdown();
  await claim.release();
  await node.stop();
  return { sent, notices };
}

function secondArchive(url: string, schema: string, key: Buffer | undefined): PostgresArchive {
  const archive = new PostgresArchive({ url, schema, key });
  onTestFinished(() => archive.close());
  return archive;
}

/** All that the tables hold, as text. */
async function everything({ link, tables }: PostgresArchive): Promise<string> {
  const { event, payload, checkpoint, inbox, catalogueBlock, vault } = tables;
  const texts = await Promise.all(
    [event, payload, checkpoint, inbox, catalogueBlock].map((table) =>
      link.query(`SELECT row_to_json(t)::text AS text FROM ${table} t`),
    ),
  );
  const sealed = await link.query(`SELECT encode(data, 'escape') AS text FROM ${vault}`);
  expect(sealed.length).toBeGreaterThan(0);
  return JSON.stringify([texts, sealed]);
}
