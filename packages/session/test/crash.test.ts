import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { OUTCOME_UNKNOWN_TEXT } from '@robota-sdk/agent-core';
import {
  assertStrictHistory,
  fakeTool,
  says,
  scriptedProvider,
  strictProvider,
} from '@robota-sdk/agent-core/testing';
import {
  FileSessionLogger,
  readLog,
  replaySessionLog,
  SessionStore,
} from '@robota-sdk/agent-session';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../test/bundle-program.ts';
import { startSession, temporaryDirectory } from './session-kit.ts';

// Each of the many processes starts from one bundle.
const { file: child, remove } = await bundleProgram(join(import.meta.dirname, 'crash-child.ts'));
afterAll(remove);

/** The child, killed with SIGKILL as soon as it has written `lines` lines; what it had said by then. */
async function killAfter(
  directory: string,
  lines: number,
  mode: 'tell' | 'quiet' = 'quiet',
): Promise<string[]> {
  const running = spawn(process.execPath, [child, directory, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void running.kill('SIGKILL'));
  const said = await saidUntil(running, lines);
  running.kill('SIGKILL');
  if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
  return said;
}

async function saidUntil(running: ChildProcess, lines: number): Promise<string[]> {
  let text = '';
  for await (const chunk of running.stdout ?? []) {
    text += String(chunk);
    if (text.split('\n').length > lines) break;
  }
  return text.trimEnd().split('\n');
}

function lastNumber(said: readonly string[], word: string): number {
  return Number(said.findLast((line) => line.startsWith(word))?.split(' ')[1] ?? 0);
}

// Instants are numbers of lines, spread over the life of a turn: in a tool, after it, after an answer.
const INSTANTS = Array.from({ length: 24 }, (_, index) => 1 + index * 2);

it.each(INSTANTS)('replays to a sound conversation after a kill -9 at line %i', async (instant) => {
  const directory = temporaryDirectory();
  const said = await killAfter(directory, instant);

  const { messages, recoveredToolMessages } = await replaySessionLog(join(directory, 's1.jsonl'));

  expect(() => assertStrictHistory(messages)).not.toThrow();
  const prompts = messages.filter(({ role }) => role === 'user');
  const answers = messages.filter(({ content }) => content?.startsWith('All done'));
  expect(prompts.length).toBeGreaterThanOrEqual(Math.max(1, lastNumber(said, 'answered')));
  expect(answers.length).toBeGreaterThanOrEqual(lastNumber(said, 'answered'));
  // Whatever began to work is in the conversation: with its result, or as unknown.
  const results = messages.filter(
    ({ role, metadata }) => role === 'tool' && metadata?.errorCode !== 'not_run',
  );
  expect(results.length).toBeGreaterThanOrEqual(lastNumber(said, 'running'));
  expect(recoveredToolMessages.filter(({ content }) => !isHonest(content))).toEqual([]);
});

function isHonest(content: string | null): boolean {
  return (
    content === OUTCOME_UNKNOWN_TEXT ||
    content === 'x'.repeat(2000) ||
    content?.startsWith('Error: This tool call was not executed') === true
  );
}

it.each([7, 23, 38, 51, 66, 90])(
  'has written everything it had told when it is killed after %i entries',
  async (lines) => {
    const directory = temporaryDirectory();
    const said = await killAfter(directory, lines, 'tell');

    const written = new Set<number>();
    readLog(join(directory, 's1.jsonl'), { onEntry: ({ n = 0 }) => void written.add(n) });

    const told = said
      .filter((line) => line.startsWith('told '))
      .map((line) => Number(line.slice(5)));
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter((n) => !written.has(n))).toEqual([]);
  },
);

it('lets the next process take over the lock, the record and the log', async () => {
  const directory = temporaryDirectory();
  await killAfter(directory, 5);
  const sessionStore = new SessionStore(directory);
  const file = join(directory, 's1.jsonl');
  const session = startSession(strictProvider(scriptedProvider(says('Here again.'))), {
    sessionId: 's1',
    sessionStore,
    sessionLogger: new FileSessionLogger(directory),
    tools: [fakeTool('Step')],
  });
  session.restoreMessages((await replaySessionLog(file)).messages);

  await expect(session.run('Still there?')).resolves.toBe('Here again.');

  expect((await replaySessionLog(file)).messages).toEqual(session.getHistory());
  expect(sessionStore.load('s1')?.messages).toEqual(session.getHistory());
});
