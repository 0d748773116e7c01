import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message, Tool } from '@robota-sdk/agent-core';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  FileSessionLogger,
  loadSessionLogEntries,
  replaySessionLogEntries,
  SessionStore,
  validateSessionReplayLogEntries,
} from '@robota-sdk/agent-session';
import { expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';

const LONG =
  'A text that is long enough for later lines to refer to it instead of saying it again. ';
const ROLES = ['system', 'user', 'assistant', 'tool'];

const look: Tool = {
  schema: { name: 'Look', description: 'Looks.', parameters: { type: 'object', properties: {} } },
  execute: async () => ({ success: true, data: LONG.repeat(2) }),
};

interface Written {
  readonly store: SessionStore;
  readonly logDir: string;
  readonly logFile: string;
  readonly lines: readonly string[];
}

/** A session with a tool call and two prompts, of which only the log is left. */
async function writeSession(): Promise<Written> {
  const directory = temporaryDirectory();
  const logDir = join(directory, 'logs');
  const store = new SessionStore(join(directory, 'sessions'), { logDir });
  const provider = scriptedProvider(
    calls({ id: 'call-1', name: 'Look', args: { at: LONG } }),
    says(`${LONG}Seen.`),
    says(`${LONG}Again.`),
  );
  const session = startSession(provider, {
    ...{ tools: [look], sessionId: 's1', sessionStore: store },
    sessionLogger: new FileSessionLogger(logDir),
    permissionMode: 'bypassPermissions',
  });
  await session.run(`${LONG}First.`);
  await session.run(`${LONG}Second.`);
  await session.shutdown();
  rmSync(store.getFilePath('s1'));
  const logFile = join(logDir, 's1.jsonl');
  return { store, logDir, logFile, lines: readFileSync(logFile, 'utf8').trimEnd().split('\n') };
}

/** What the model is sent when the session goes on. */
async function continued({ store, logDir, logFile }: Written): Promise<readonly Message[]> {
  const provider = scriptedProvider(says('Yes.'));
  const session = startSession(provider, {
    ...{ tools: [look], sessionId: 's1', sessionStore: store },
    sessionLogger: new FileSessionLogger(logDir),
    restored: store.open('s1'),
  });
  await session.run('Third.');
  await session.shutdown();
  rmSync(store.getFilePath('s1'));
  const entries = loadSessionLogEntries(logFile);
  validateSessionReplayLogEntries(entries);
  expect(replaySessionLogEntries(entries).messages.at(-1)).toMatchObject({ content: 'Yes.' });
  return provider.requests[0] as readonly Message[];
}

function expectSound(messages: readonly Message[]): void {
  expect(messages.filter(({ role }) => !ROLES.includes(role))).toEqual([]);
  const asked = messages.flatMap((message) =>
    message.role === 'assistant' ? (message.toolCalls ?? []).map(({ id }) => id) : [],
  );
  const answered = messages.flatMap((message) =>
    message.role === 'tool' ? message.toolCallId : [],
  );
  expect(answered).toEqual(asked);
}

function replacing(messages: unknown): (line: string) => string {
  const fields = { event: 'history_mutation', mutation: 'replace_all', reason: 'compaction' };
  return (line) => changed(line, { ...fields, messages });
}

function changed(line: string, fields: object): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), ...fields });
}

it('goes on with a sound conversation whichever line is garbage', { timeout: 60_000 }, async () => {
  const written = await writeSession();

  for (const [index] of written.lines.entries()) {
    const damaged = written.lines.with(index, '\u0000\u0000 not a line of a log');
    writeFileSync(written.logFile, `${damaged.join('\n')}\n`);
    expectSound(await continued(written));
  }
});

it('goes on with a sound conversation wherever the log is cut', { timeout: 60_000 }, async () => {
  const written = await writeSession();
  const bytes = readFileSync(written.logFile);

  for (let size = 0; size < bytes.length; size += 37) {
    writeFileSync(written.logFile, bytes.subarray(0, size));
    if (size > 0) expectSound(await continued(written));
  }
});

it.each<readonly [string, (line: string) => string]>([
  ['a time that no date has', (line) => changed(line, { t: 1e300 })],
  ['a number that cannot be counted from', (line) => changed(line, { n: 1e300 })],
  ['a negative number', (line) => changed(line, { n: -7 })],
  ['more pieces than there can be', (line) => changed(line, { lengths: [[1, 4e9]] })],
  ['rows that are none', (line) => changed(line, { rows: [null, 5], first: 1 })],
  ['messages that are none', replacing('none')],
  ['messages of which one is none', replacing([null, 5])],
  ['a message that is none', (line) => changed(line, { message: 5 })],
  ['a reference to nothing', (line) => changed(line, { message: { $m: 9e9, set: 4, unset: 7 } })],
])('skips what is wrong in a line with %s', { timeout: 60_000 }, async (_what, damage) => {
  const written = await writeSession();

  for (const [index, line] of written.lines.entries()) {
    writeFileSync(written.logFile, `${written.lines.with(index, damage(line)).join('\n')}\n`);
    const entries = loadSessionLogEntries(written.logFile);
    const { messages } = replaySessionLogEntries(entries);
    expect(messages.filter((message) => typeof message !== 'object' || !message)).toEqual([]);
    expect(written.store.open('s1')?.record.messages).toEqual(expect.any(Array));
    expect(Math.max(...entries.map(({ n = 0 }) => n))).toBeLessThan(1_000);
  }
});

it('is the same session with the line ends and the mark of another system', async () => {
  const written = await writeSession();
  const sound = await continued(written);

  writeFileSync(written.logFile, `\uFEFF${written.lines.join('\r\n')}\r\n`);
  const read = await continued(written);

  expect(read.map(({ role, content }) => ({ role, content }))).toEqual(
    sound.map(({ role, content }) => ({ role, content })),
  );
});

it('says every line that it left out', async () => {
  const written = await writeSession();
  const [line = ''] = written.lines.slice(-1);
  appendFileSync(written.logFile, `${changed(line, { t: 1e300 })}\n${line}\n`);

  const skipped: unknown[] = [];
  loadSessionLogEntries(written.logFile, { onSkipped: (one) => skipped.push(one) });

  expect(skipped).toEqual([{ line: written.lines.length + 1, reason: 'unreadable' }]);
});

it('does not count on from a damaged number at the end of a log', async () => {
  const written = await writeSession();
  appendFileSync(written.logFile, '{"n":9999999999999999999999,"t":1,"event":"notice"}\n');

  await continued(written);

  const numbers = loadSessionLogEntries(written.logFile).map(({ n = 0 }) => n);
  expect(Math.max(...numbers)).toBeLessThan(1_000);
});
