import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { BackgroundTasks, MAX_OPEN_TASKS } from '../../src/background/background-tasks.ts';
import { TaskLog } from '../../src/background/task-log.ts';
import { useTestPlace } from '../sandbox-home.ts';
import { callsTools, talkingProvider } from '../subagents/talking-provider.ts';

const place = useTestPlace();

/** Calls what the prompt says (`Name {json}`) and answers with the result; other prompts are echoed. */
function obedient() {
  return talkingProvider((prompt, messages) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return last.content;
    const [, name, args] = /^(\w+) (\{.*\})$/s.exec(prompt) ?? [];
    return name
      ? callsTools({ id: `c${messages.length}`, name, args: JSON.parse(args ?? '') })
      : prompt;
  });
}

async function say(session: InteractiveSession, prompt: string): Promise<string> {
  const outcome = await session.submit(prompt);
  return 'result' in outcome ? outcome.result.response : JSON.stringify(outcome);
}

function ended(session: InteractiveSession): Promise<void> {
  return new Promise((resolve) => {
    session.on('notice', ({ message }) => {
      if (message.startsWith('Background task')) resolve();
    });
  });
}

describe('background tasks', () => {
  it('run a process, keep its output, and tell the model in the next turn how it ended', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: obedient(),
      allowedTools: ['Bash(*)'],
      persistence: true,
    });
    const end = ended(session);

    const started = await say(
      session,
      'BackgroundProcess {"command":"echo one; echo two; exit 3","label":"count"}',
    );
    await end;
    const next = await say(session, 'and now?');
    const output = await say(session, 'BackgroundOutput {"taskId":"bg-1","cursor":1}');
    await session.shutdown();

    expect(started).toMatch(/^bg-1 \(process, (queued|running)\): count$/);
    expect(next).toBe(
      '<system-reminder>\nBackground tasks that ended since the last message:\nbg-1 (process, failed, exit code 3): count\n</system-reminder>\nand now?',
    );
    expect(output).toBe('bg-1 (process, failed, exit code 3): count\ntwo\n[cursor 2]');
    const record = JSON.parse(
      readFileSync(join(place.home, '.robota/sessions', `${session.sessionId}.json`), 'utf8'),
    );
    expect(record.backgroundTasks).toMatchObject([
      { id: 'bg-1', kind: 'process', status: 'failed', exitCode: 3 },
    ]);
    expect(record.backgroundTaskEvents.map(({ type }: { type: string }) => type)).toEqual([
      'queued',
      'running',
      'failed',
    ]);
  });

  it('fall under the rules for Bash', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: obedient(),
      permissionMode: 'bypassPermissions',
      deniedTools: ['Bash(touch *)'],
    });

    const answer = await say(session, 'BackgroundProcess {"command":"touch made"}');
    await session.shutdown();

    expect(answer).toContain('Permission denied');
    expect(existsSync(join(place.project, 'made'))).toBe(false);
  });

  it('are cancelled by the model, by a person, and by the end of the session', async () => {
    const session = new InteractiveSession({
      cwd: place.project,
      provider: obedient(),
      permissionMode: 'bypassPermissions',
    });
    for (let count = 0; count < 3; count++) {
      await say(session, 'BackgroundProcess {"command":"sleep 60"}');
    }

    const byModel = await say(session, 'BackgroundCancel {"taskId":"bg-1"}');
    const byPerson = await session.executeCommand('background', 'cancel bg-2');
    await session.shutdown();
    const list = await session.executeCommand('background', '');

    expect(byModel).toBe('bg-1 was stopped.');
    expect(byPerson).toMatchObject({ success: true, message: 'bg-2 was stopped.' });
    expect(list?.data?.tasks).toMatchObject([
      { status: 'cancelled' },
      { status: 'cancelled' },
      { status: 'cancelled' },
    ]);
  });

  it('may be a subagent', async () => {
    const provider = obedient();
    const session = new InteractiveSession({ cwd: place.project, provider });
    const end = ended(session);

    const started = await say(session, 'Agent {"prompt":"think hard","background":true}');
    await end;
    const next = await say(session, 'well?');
    await session.shutdown();

    expect(started).toContain('bg-1: general-purpose works on "think hard" in the background.');
    expect(next).toContain('bg-1 (agent, completed): think hard\nthink hard\n</system-reminder>');
    expect(session.getBlocks().find(({ type }) => type === 'subagent')).toMatchObject({
      status: 'success',
      output: 'think hard',
    });
  });

  it('answers in words about tasks that do not exist', async () => {
    const session = new InteractiveSession({ cwd: place.project, provider: obedient() });

    const read = await say(session, 'BackgroundOutput {"taskId":"bg-9"}');
    const command = await session.executeCommand('background', 'read bg-9');
    const odd = await session.executeCommand('background', 'dance');
    await session.shutdown();

    expect(read).toContain('There is no background task bg-9; known are none.');
    expect(command?.message).toContain('There is no background task "bg-9".');
    expect(odd).toEqual({
      success: false,
      message: 'Usage: background [list | read <id> [cursor] | cancel <id>]',
    });
  });
});

describe('BackgroundTasks', () => {
  const given = { kind: 'process', label: 'l', input: 'i' } as const;
  const make = () =>
    new BackgroundTasks({ restored: [], events: [], onChange: () => {}, onEnd: () => {} });

  it('runs four at once, lets others wait and refuses when too many are open', async () => {
    const tasks = make();
    const forever = ({ signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('gone')));
      });

    for (let count = 0; count < MAX_OPEN_TASKS; count++) tasks.spawn(given, forever);
    const states = tasks.list().map(({ status }) => status);

    expect(states.filter((status) => status === 'running')).toHaveLength(4);
    expect(() => tasks.spawn(given, forever)).toThrow('32 background tasks are open already');
    await tasks.close();
    expect(tasks.list().every(({ status }) => status === 'cancelled')).toBe(true);
    expect(() => tasks.spawn(given, forever)).toThrow('The session is ending');
  });

  it('counts work that throws as failed', async () => {
    const tasks = make();

    tasks.spawn(given, () => Promise.reject(new Error('broken')));

    expect(await tasks.wait('bg-1')).toMatchObject({ status: 'failed', error: 'broken' });
  });
});

describe('TaskLog', () => {
  it('pages by lines with cursors that stay true when old lines go', () => {
    const log = new TaskLog();
    for (let line = 0; line < 1_000; line++) log.write(`${line} ${'x'.repeat(1_994)}\n`);

    const first = log.read(0);
    const second = log.read(first.cursor);

    expect(first.lines).toHaveLength(200);
    expect(first.dropped).toBeGreaterThan(400);
    expect(first.lines[0]?.split(' ')[0]).toBe(String(first.dropped));
    expect(second.lines[0]?.split(' ')[0]).toBe(String(first.dropped + 200));
    expect(log.read(5_000)).toEqual({ lines: [], cursor: 1_000, hasMore: false, dropped: 0 });
  });
});
