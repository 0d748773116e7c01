import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createAssistantMessage,
  createUserMessage,
  messageToHistoryEntry,
} from '@robota-sdk/agent-core';
import { SessionStore } from '@robota-sdk/agent-session';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../session-kit.ts';

const SCRIPT = join(import.meta.dirname, '../../../../scripts/migrate-session-history.mjs');

function migrate(directory: string): string {
  const stdio = ['ignore', 'pipe', 'ignore'] as const;
  return execFileSync(process.execPath, [SCRIPT, directory], {
    encoding: 'utf8',
    stdio: [...stdio],
  });
}

function writeRecord(directory: string, id: string, fields: object): void {
  const times = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-02T00:00:00.000Z' };
  const record = { id, cwd: '/project', ...times, ...fields };
  writeFileSync(join(directory, `${id}.json`), JSON.stringify(record));
}

it('gives old records the timeline of their messages', () => {
  const directory = temporaryDirectory();
  const messages = [createUserMessage('hi'), createAssistantMessage('hello')];
  writeRecord(directory, 'old', { messages });

  const report = migrate(directory);

  expect(report).toBe('1 migrated, 0 already had a history, 0 unreadable\n');
  expect(new SessionStore(directory).load('old')).toMatchObject({
    messages,
    history: messages.map(messageToHistoryEntry),
  });
});

it('is safe to run twice and leaves newer records and other files alone', () => {
  const directory = temporaryDirectory();
  writeRecord(directory, 'old', {
    messages: [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ],
  });
  writeRecord(directory, 'new', { messages: [{ role: 'user', content: 'u' }], history: [] });
  writeFileSync(join(directory, 'broken.json'), '{');
  migrate(directory);
  const once = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));

  const report = migrate(directory);

  expect(report).toBe('0 migrated, 2 already had a history, 1 unreadable\n');
  expect(readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'))).toEqual(
    once,
  );
  expect(new SessionStore(directory).load('old')?.history).toEqual([
    {
      id: 'old-1',
      timestamp: new Date('2026-01-02T00:00:00.000Z'),
      category: 'chat',
      type: 'user',
      data: { role: 'user', content: 'u' },
    },
  ]);
});
