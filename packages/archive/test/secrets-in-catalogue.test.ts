import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { fakeTool } from '@robota-sdk/agent-core/testing';
import { FileSessionLogger, SessionStore } from '@robota-sdk/agent-session';
import { expect, it, onTestFinished } from 'vitest';
import {
  leaks,
  plantAll,
  streamingProvider,
  textOutsideVaults,
} from '../../session/test/secrets/planted-secrets.ts';
import { startSession } from '../../session/test/session-kit.ts';
import { temporaryHome } from './generated-home.ts';

const SECRETS = [...plantAll(21).values()];
const ALL = SECRETS.map(({ text }) => text).join('\n');

/** Says every secret in a prompt, a thought, an answer, a call, its result, an error and a name. */
async function writeSession(home: string): Promise<void> {
  const robota = join(home, '.robota');
  const logDir = join(robota, 'logs');
  const toolCalls = [{ id: 'c1', name: 'Show', args: { text: ALL } }];
  const provider = streamingProvider(
    { thinking: `Hm.\n${ALL}\nSo.`, text: `Look:\n${ALL}\nThere.`, toolCalls },
    { text: `The haystack is here: ${ALL} .` },
    { text: 'Hm ', error: new Error(`refused: ${ALL}`) },
  );
  const session = startSession(provider, {
    sessionId: 'own-1',
    cwd: '/project',
    tools: [fakeTool('Show', () => ({ success: true, data: { list: [ALL] } }))],
    permissionMode: 'bypassPermissions',
    sessionLogger: new FileSessionLogger(logDir),
    sessionStore: new SessionStore(join(robota, 'sessions'), { logDir }),
  });
  await session.run(`Where is the haystack?\n${ALL}\nPlease.`);
  await session.run('Break.').catch(() => undefined);
  await session.rename(`named ${SECRETS[0]?.text}`);
  await session.shutdown();
}

it('secrets of 63 kinds are in no file of the home but the vault, the catalogue and its journal included', async () => {
  const home = temporaryHome();
  await writeSession(home);
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  await catalogue.refresh();
  const [found] = (await catalogue.search({ text: 'haystack' })).sessions;
  for (const { text } of SECRETS.slice(0, 5)) await catalogue.search({ text });

  const names = readdirSync(join(home, '.robota'));
  const text = textOutsideVaults(home);

  expect(SECRETS.length).toBeGreaterThanOrEqual(63);
  expect(found?.session.id ?? found).toBeDefined();
  // While it is open its last changes are in the journal, so both are looked through.
  expect(names.filter((name) => name.startsWith('catalogue'))).toContain('catalogue.sqlite-wal');
  expect(existsSync(join(home, '.robota/logs/own-1.vault'))).toBe(true);
  expect(SECRETS.flatMap(({ parts }) => leaks(text, parts))).toEqual([]);
  // An index keeps words in lower case.
  const lower = text.toLowerCase();
  const lowered = SECRETS.flatMap(({ parts }) =>
    leaks(
      lower,
      parts.map((part) => part.toLowerCase()),
    ),
  );
  expect(lowered).toEqual([]);
});
