import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  FileSessionLogger,
  loadSessionLogEntries,
  scrubSessionFiles,
} from '@robota-sdk/agent-session';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';
import { leaksIn, plantAll } from './planted-secrets.ts';

const SECRETS = [...plantAll(9).values()];
const ALL = SECRETS.map(({ text }) => text).join('\n');

/** A log of version 0.1 with every kind of secret in it. */
function writeLog() {
  const home = temporaryDirectory();
  const log = join(home, 's1.jsonl');
  const line = {
    timestamp: '2025-01-02T03:04:05.000Z',
    sessionId: 's1',
    event: 'user',
    content: ALL,
  };
  writeFileSync(log, `${JSON.stringify(line)}\n`);
  return { home, log, files: { id: 's1', record: join(home, 's1.json'), log } };
}

/** A process that appends to a file without any lock, until its stdin ends. */
async function openElsewhere(file: string): Promise<ChildProcess & { readonly pid: number }> {
  const script = `
    const { openSync, writeSync } = require('node:fs');
    const descriptor = openSync(process.argv[1], 'a');
    process.stdout.write('open');
    process.stdin.on('data', (text) => { writeSync(descriptor, text); process.stdout.write('done'); });
    process.stdin.on('end', () => process.exit(0));`;
  const child = spawn(process.execPath, ['-e', script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  return child as ChildProcess & { readonly pid: number };
}

async function end(child: ChildProcess): Promise<void> {
  child.stdin?.end();
  await once(child, 'exit');
}

describe('a log that another process has open', () => {
  it('is left as it is, and the process is named', async () => {
    const { files, log } = writeLog();
    const child = await openElsewhere(log);
    const before = readFileSync(log, 'utf8');

    expect(() => scrubSessionFiles(files)).toThrow(
      expect.objectContaining({
        code: 'session_locked',
        message: expect.stringContaining(`process ${child.pid} has its file ${log} open`),
      }),
    );
    expect(readFileSync(log, 'utf8')).toBe(before);
  });

  it('is scrubbed with everything that was written to it, once the process has ended', async () => {
    const { files, log, home } = writeLog();
    const child = await openElsewhere(log);
    const late = { event: 'user', sessionId: 's1', timestamp: '2025-01-02T03:04:06.000Z' };
    child.stdin?.write(`${JSON.stringify({ ...late, content: `late ${ALL}` })}\n`);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    expect(() => scrubSessionFiles(files)).toThrow('End it, then scrub again.');
    await end(child);

    expect(scrubSessionFiles(files).replaced).toBeGreaterThan(0);

    expect(leaksIn(home, SECRETS)).toEqual([]);
    const contents = loadSessionLogEntries(log).map(({ content }) => String(content));
    expect(contents.map((text) => text.startsWith('late'))).toEqual([false, true]);
  });

  it.each([
    [
      'removed',
      (log: string) => {
        rmSync(log);
        writeFileSync(log, '');
      },
    ],
    [
      'replaced',
      (log: string) => {
        writeFileSync(`${log}.new`, readFileSync(log));
        renameSync(`${log}.new`, log);
      },
    ],
  ])('is not believed to be clean when it was %s meanwhile', async (_name, change) => {
    const { files, log } = writeLog();
    const child = await openElsewhere(log);
    change(log);

    expect(() => scrubSessionFiles(files)).toThrow(
      `process ${child.pid} has an earlier version of its file`,
    );
    await end(child);
    expect(() => scrubSessionFiles(files)).not.toThrow();
  });
});

it('a session that is kept by its log alone is not scrubbed while it is open', async () => {
  const home = temporaryDirectory();
  const session = startSession(scriptedProvider(says('One.'), says('Two.')), {
    sessionId: 's1',
    sessionLogger: new FileSessionLogger(home),
  });
  await session.run(`Keep ${ALL} .`);
  const files = { id: 's1', record: join(home, 'records/s1.json'), log: join(home, 's1.jsonl') };

  expect(() => scrubSessionFiles(files)).toThrow(/open for writing in process/);
  await session.run('Go on.');
  await session.shutdown();

  scrubSessionFiles(files);
  expect(leaksIn(home, SECRETS)).toEqual([]);
  const prompts = loadSessionLogEntries(files.log).filter(({ event }) => event === 'prompt');
  expect(prompts).toHaveLength(2);
});

it('goes on in the file at its path when that was replaced under it', () => {
  const { log, home } = writeLog();
  const logger = new FileSessionLogger(home);
  onTestFinished(() => logger.close());
  logger.log('s1', 'notice', { message: 'one' });
  writeFileSync(`${log}.new`, readFileSync(log));
  renameSync(`${log}.new`, log);

  logger.log('s1', 'notice', { message: 'two' });

  const messages = loadSessionLogEntries(log).map(({ message }) => message);
  expect(messages.slice(-2)).toEqual(['one', 'two']);
});
