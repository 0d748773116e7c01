import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AssembledSessionOptions,
  InteractiveSession,
  type LiveAnswer,
  type LiveQuestion,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { describeTool, isToolUseBlock } from '@robota-sdk/agent-transcript';
import { afterEach, describe, expect, it } from 'vitest';
import shown from '../fixtures/tool-parameters.json' with { type: 'json' };
import { useTestPlace } from '../sandbox-home.ts';
import { callsTools, talkingProvider } from '../subagents/talking-provider.ts';

const place = useTestPlace();
const open: InteractiveSession[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.shutdown()));
});

/** Calls what the prompt's last line says (`Name {json}`) and answers with the result; other prompts are echoed. */
function obedient() {
  return talkingProvider((prompt, messages) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return last.content;
    const [, name, args] = /(?:^|\n)(\w+) (\{.*\})$/s.exec(prompt) ?? [];
    return name
      ? callsTools({ id: `c${messages.length}`, name, args: JSON.parse(args ?? '') })
      : prompt;
  });
}

function everyday(options: Partial<AssembledSessionOptions> = {}): InteractiveSession {
  const session = new InteractiveSession({
    cwd: place.project,
    provider: obedient(),
    everyday: true,
    persistence: true,
    ...options,
  });
  open.push(session);
  return session;
}

async function say(session: InteractiveSession, prompt: string): Promise<string> {
  const outcome = await session.submit(prompt);
  return 'result' in outcome ? outcome.result.response : JSON.stringify(outcome);
}

/** Answers the first question through the port that every surface has. */
function answering(session: InteractiveSession, answer: LiveAnswer): Promise<LiveQuestion> {
  const live = toLiveSession(session);
  return new Promise((resolve) => {
    live.on('question', (question) => {
      resolve(question);
      void live.answer(question.id, answer, { user: 'ada' });
    });
  });
}

describe('a plain session', () => {
  it('has the tools and parameters of the specification only', async () => {
    const session = everyday({ everyday: undefined });
    await session.whenReady();

    expect(session.listTools()).not.toContain('TodoWrite');
    expect(await say(session, 'Bash {"command":"true","runInBackground":true}')).toContain(
      'runInBackground',
    );
  });
});

it('shows a model the same parameters as ever, which a vendor may have cached', async () => {
  const asked: Record<string, string> = {};
  const { chat, ...rest } = obedient();
  const session = everyday({
    provider: {
      ...rest,
      chat(messages, options) {
        for (const { name, parameters } of options?.tools ?? []) {
          if (name in shown) asked[name] = JSON.stringify(parameters);
        }
        return chat(messages, options);
      },
    },
  });

  await session.submit('Hello');

  expect(asked).toEqual(
    Object.fromEntries(Object.entries(shown).map(([name, json]) => [name, JSON.stringify(json)])),
  );
});

describe('the list of things to do', () => {
  it('is kept in the conversation, where every surface finds its steps', async () => {
    const session = everyday();
    const todos = [
      { content: 'Look', status: 'completed' },
      { content: 'Write', status: 'in_progress' },
    ];

    const said = await say(session, `TodoWrite ${JSON.stringify({ todos })}`);

    expect(said).toBe('The list is kept: 1 of 2 done. Now: Write');
    const block = session.getBlocks().find(isToolUseBlock);
    expect(block && describeTool(block).steps).toEqual([
      { text: 'Look', state: 'done' },
      { text: 'Write', state: 'current' },
    ]);
  });
});

describe('a question to the person', () => {
  const questions = [
    { question: 'Which one?', header: 'Pick', options: [{ label: 'a' }, { label: 'b' }] },
  ];
  const prompt = `AskUserQuestion ${JSON.stringify({ questions })}`;

  it('is a question of every surface, and the answer goes to the model', async () => {
    const session = everyday();
    const asked = answering(session, { answers: { 'Which one?': 'b' } });

    const said = await say(session, prompt);

    expect(said).toBe('The user answered:\n- Which one? b');
    expect(await asked).toMatchObject({
      kind: 'choice',
      toolName: 'AskUserQuestion',
      fields: [
        {
          name: 'Which one?',
          label: 'Pick',
          options: [{ label: 'a' }, { label: 'b' }],
          isMultiple: false,
        },
      ],
    });
  });

  it('asks for no permission: listeners of permission requests do not hear of it', async () => {
    const session = everyday();
    const heard: string[] = [];
    session.on('permission_request', ({ toolName }) => heard.push(toolName));
    const asked = answering(session, { deny: 'later' });

    const said = await say(session, prompt);
    await asked;

    expect(said).toContain('The user did not answer. They said: later');
    expect(heard).toEqual([]);
  });

  it('says so where nobody can answer', async () => {
    expect(await say(everyday(), prompt)).toContain('Nobody is there to answer');
  });
});

describe('plan mode', () => {
  const prompt = 'ExitPlanMode {"plan":"1. write"}';

  it('tells the model that it may only look, and how to end that', async () => {
    const said = await say(everyday({ permissionMode: 'plan' }), 'hello');

    expect(said).toContain('Plan mode is on');
    expect(said).toContain('ExitPlanMode');
    expect(said).toMatch(/<\/system-reminder>\nhello$/);
  });

  it.each([
    ['allow', 'default'],
    ['allow-session', 'acceptEdits'],
  ] as const)('ends with %s, in mode %s', async (answer, mode) => {
    const session = everyday({ permissionMode: 'plan' });
    const asked = answering(session, answer);

    const said = await say(session, prompt);

    expect(said).toBe('The user approved the plan. Plan mode is over: carry it out now.');
    expect(session.getPermissionMode()).toBe(mode);
    expect(await asked).toMatchObject({ kind: 'plan', input: { plan: '1. write' } });
  });

  it('hands the model the plan as the person changed it', async () => {
    const session = everyday({ permissionMode: 'plan' });
    void answering(session, { allow: true, input: { plan: '1. read' } });

    const said = await say(session, prompt);

    expect(said).toMatch(/^The user changed the plan and approved it.*\n\n1\. read$/s);
    expect(session.getPermissionMode()).toBe('default');
  });

  it('stays on when the person refuses, and the model reads why', async () => {
    const session = everyday({ permissionMode: 'plan' });
    void answering(session, { deny: 'too long' });

    const said = await say(session, prompt);

    expect(said).toContain('They said: too long Plan mode stays on');
    expect(session.getPermissionMode()).toBe('plan');
  });

  it('stays on where nobody can approve', async () => {
    const session = everyday({ permissionMode: 'plan' });

    expect(await say(session, prompt)).toContain('Nobody is there to approve the plan');
    expect(session.getPermissionMode()).toBe('plan');
  });
});

describe('commands in the background', () => {
  it('are started by Bash itself, in either spelling', async () => {
    const session = everyday({ allowedTools: ['Bash(*)'] });
    const ended = new Promise<string>((resolve) => {
      session.on('notice', ({ message }) => {
        if (message.startsWith('Background task')) resolve(message);
      });
    });

    const said = await say(session, 'Bash {"command":"echo out","run_in_background":true}');

    expect(said).toContain('Runs in the background as bg-1.');
    expect(await ended).toBe('Background task bg-1 (process, completed, exit code 0): echo out');
    const read = await session.executeCommand('background', 'read bg-1');
    expect(read?.message).toContain('out');
  });

  it('may be moved there while somebody waits for them, and go on', async () => {
    const session = everyday({ allowedTools: ['Bash(*)'] });
    const started = join(place.project, 'started');
    const finish = join(place.project, 'finish');
    const ended = new Promise<string>((resolve) => {
      session.on('notice', ({ message }) => {
        if (message.startsWith('Background task')) resolve(message);
      });
    });
    const command = `echo one; touch ${started}; while [ ! -e ${finish} ]; do sleep 0.02; done; echo two`;
    const turn = say(session, `Bash ${JSON.stringify({ command })}`);
    await expect.poll(() => existsSync(started), { timeout: 10_000 }).toBe(true);

    const moved = await session.executeCommand('background', 'move');
    const said = await turn;
    place.write('finish', '');
    await ended;

    expect(moved).toMatchObject({ success: true, message: 'Running in the background: bg-1' });
    expect(said).toContain('goes on as bg-1');
    const read = await session.executeCommand('background', 'read bg-1');
    expect(read?.message).toMatch(/exit code 0\).*\none\ntwo$/s);
  });

  it('end with the session when they were moved', async () => {
    const session = everyday({ allowedTools: ['Bash(*)'] });
    const pidFile = join(place.project, 'pid');
    const turn = say(session, `Bash {"command":"echo $$ > ${pidFile}; sleep 60"}`);
    await expect
      .poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim(), { timeout: 10_000 })
      .toMatch(/^\d+$/);
    await session.executeCommand('background', 'move');
    await turn;

    await session.shutdown();

    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });

  it('still time out while somebody waits', async () => {
    const session = everyday({ allowedTools: ['Bash(*)'] });

    const said = await say(session, 'Bash {"command":"sleep 60","timeout":100}');

    expect(said).toContain('Command timed out after 100ms');
  });

  it('nothing is moved where nothing runs', async () => {
    expect(await everyday().executeCommand('background', 'move')).toEqual({
      success: false,
      message: 'No command is running that could be moved.',
    });
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
