import { expect, it } from 'vitest';
import { describeCommandBackground } from '../../../tools/test/command-background-contract.ts';
import { BackgroundTasks } from '../../src/background/background-tasks.ts';
import { SessionCommands } from '../../src/background/session-commands.ts';

const makeTasks = () =>
  new BackgroundTasks({ restored: [], events: [], onChange: () => {}, onEnd: () => {} });

describeCommandBackground('the commands of a session', () => {
  const tasks = makeTasks();
  const background = new SessionCommands(() => tasks);
  return { background, move: () => background.moveAll(), close: () => tasks.close() };
});

it('says so where there are no background tasks', () => {
  const commands = new SessionCommands(() => undefined);

  expect(() => commands.moveAll()).toThrow('Commands cannot run in the background here.');
});

it('gives a moved command a place at once, and begins its log with what it had printed', async () => {
  const tasks = makeTasks();
  const commands = new SessionCommands(() => tasks);
  const never = new Promise<never>(() => undefined);
  for (let count = 0; count < 4; count++) {
    tasks.spawn({ kind: 'process', label: 'busy', input: '' }, ({ signal }) =>
      Promise.race([never, ended(signal)]),
    );
  }
  const waiting = commands.wait(
    {
      command: 'chatty',
      async run({ signal, onOutput }) {
        onOutput('before\n');
        await ended(signal);
        return { stdout: '', stderr: '', exitCode: 143, timedOut: false, droppedBytes: 0 };
      },
    },
    { signal: new AbortController().signal, timeoutMs: 60_000, onOutput: () => undefined },
  );

  const [task] = commands.moveAll();
  await waiting;

  expect(tasks.get(task?.id ?? '')?.status).toBe('running');
  expect(tasks.readLog(task?.id ?? '')?.lines).toEqual(['before']);
  await tasks.close();
});

function ended(signal: AbortSignal): Promise<{ status: 'cancelled' }> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ status: 'cancelled' }), { once: true });
  });
}
