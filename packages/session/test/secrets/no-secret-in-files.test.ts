import { join } from 'node:path';
import { fakeTool } from '@robota-sdk/agent-core/testing';
import { FileSessionLogger, SessionStore } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';
import { leaksIn, type PlantedSecret, plantAll, streamingProvider } from './planted-secrets.ts';

const KINDS = plantAll(1);

/** What a tool answers, by the form in which a secret stands in it. */
const ANSWERS: Readonly<Record<string, (secret: string) => unknown>> = {
  text: (secret) => `first\n${secret}\nlast`,
  object: (secret) => ({ list: [{ text: `x ${secret}` }] }),
  'JSON in JSON': (secret) => JSON.stringify({ out: JSON.stringify({ in: `a\n${secret}\nb` }) }),
  toJSON: (secret) => ({ of: { toJSON: () => ({ text: ` ${secret}` }) } }),
  pairs: (secret) => ({ headers: [['x-note', ` ${secret}`]] }),
  'a payload file': (secret) => `${'word '.repeat(5_000)}\n${secret}\n${'word '.repeat(500)}`,
};

/** A session in which a secret is said, thought, called with, answered and failed with. */
async function sayEverywhere({ text }: PlantedSecret, home: string): Promise<void> {
  const said = `Look:\n${text}\nThat is it.`;
  const provider = streamingProvider(
    {
      thinking: `Hm.\n${text}\nSo.`,
      text: said,
      toolCalls: Object.keys(ANSWERS).map((form) => ({
        id: form,
        name: 'Show',
        args: { form, said },
      })),
    },
    { text: `Again: ${text} .` },
    { text: 'Hm', toolCalls: [{ id: 'fails', name: 'Fail', args: {} }] },
    { text: 'Oh.' },
    { text: 'Hm ', error: new Error(`refused: ${text}`) },
  );
  const session = startSession(provider, {
    sessionId: 's1',
    tools: [
      fakeTool('Show', ({ form }) => ({ success: true, data: ANSWERS[String(form)]?.(text) })),
      fakeTool('Fail', () => ({ success: false, error: `no: ${text}` })),
    ],
    permissionMode: 'bypassPermissions',
    sessionLogger: new FileSessionLogger(join(home, 'logs')),
    sessionStore: new SessionStore(join(home, 'sessions'), { logDir: join(home, 'logs') }),
  });
  await session.run(`Please keep\n${text}\nfor me.`);
  await session.run('And fail.');
  await session.run('Break.').catch(() => undefined);
  await session.rename(`named ${text}`);
  await session.shutdown();
  new SessionStore(join(home, 'sessions'), { logDir: join(home, 'logs') }).listSummaries();
}

describe.each([...KINDS.keys()])('a secret of the kind %s', (kind) => {
  it('is in no file but the vault', async () => {
    const home = temporaryDirectory();
    const secret = KINDS.get(kind) as PlantedSecret;

    await sayEverywhere(secret, home);

    expect(leaksIn(home, [secret])).toEqual([]);
  });
});

it('knows at least 63 kinds', () => {
  expect(KINDS.size).toBeGreaterThanOrEqual(63);
});

it('finds a secret that does stand in a file', async () => {
  const home = temporaryDirectory();
  const [secret] = [...KINDS.values()] as [PlantedSecret];
  await sayEverywhere({ text: secret.parts.join('').toLowerCase().slice(0, 20), parts: [] }, home);

  const shown = { text: '', parts: [secret.parts.join('').toLowerCase().slice(0, 20)] };
  expect(leaksIn(home, [shown])).not.toEqual([]);
});
