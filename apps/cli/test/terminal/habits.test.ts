import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  claudeLines,
  claudePath,
  writeLines,
} from '../../../../packages/archive/test/generated-home.ts';
import { callsTool, hangsAfter, says, startModelServer } from '../support/model-server.ts';
import { createPlace, type Place } from '../support/run-robota.ts';
import { KEYS, TerminalScreen } from '../support/terminal-screen.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const READY = 'Ask anything';
const CTRL_B = '\u0002';
const CTRL_J = '\n';
const CTRL_X = '\u0018';

const withModel = (url: string, args: readonly string[] = [], options = {}) =>
  new TerminalScreen(place, args, {
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url },
    rows: 40,
    columns: 100,
    ...options,
  });

const demo = (args: readonly string[] = []) =>
  new TerminalScreen(place, ['--provider', 'demo', ...args], { rows: 40, columns: 100 });

/** Types a line once the prompt is free. */
async function enter(screen: TerminalScreen, text: string): Promise<void> {
  await screen.shows(READY);
  screen.type(`${text}${KEYS.enter}`);
}

/** Gives a question on the screen the keys, unless it has them already. */
async function enterQuestion(screen: TerminalScreen): Promise<void> {
  await screen.shows(/tab answers|then enter/);
  if (screen.text().includes('tab answers')) screen.type(KEYS.tab);
  await screen.shows('then enter');
}

/** A list takes no key before it was seen, and says when it was. */
async function press(screen: TerminalScreen, key: string): Promise<void> {
  await screen.shows('esc closes');
  screen.type(key);
}

describe('what the first sign of a prompt means', () => {
  it('! runs a shell line at once and the model reads it with the next prompt', async () => {
    await using server = await startModelServer(says('I saw it.'));
    await using screen = withModel(server.url);

    await enter(screen, '! echo from-the-shell > made.txt; cat made.txt');
    await screen.shows('● Bash echo from-the-shell', '│ from-the-shell');
    await enter(screen, 'what was that?');
    await screen.shows('I saw it.');

    expect(readFileSync(join(place.project, 'made.txt'), 'utf8')).toBe('from-the-shell\n');
    expect(JSON.stringify(server.requests[0]?.messages)).toContain(
      '<bash-input>echo from-the-shell',
    );
  });

  it('! is held by a deny rule', async () => {
    await using screen = demo(['--denied-tools', 'Bash(touch *)']);

    await enter(screen, '!touch made.txt');
    await screen.shows('Permission denied');

    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  });

  it('# keeps a note in the memory file of choice', async () => {
    await using screen = demo();

    await enter(screen, '# use tabs');
    await screen.shows('Remember this', 'project', 'local', 'user');
    screen.type(KEYS.down);
    await screen.shows('❯ local');
    await press(screen, KEYS.enter);
    await screen.shows('Remembered in');

    expect(readFileSync(join(place.project, 'CLAUDE.local.md'), 'utf8')).toBe('- use tabs\n');
  });

  it('? shows the keys, / the commands with what they do, @ the files', async () => {
    writeFileSync(join(place.project, 'notes.md'), 'hello');
    await using screen = demo();

    await screen.shows(READY);
    screen.type('?');
    await screen.shows('searches earlier prompts', 'runs a shell command', 'adds a note to memory');
    screen.type('?');
    await screen.shows(READY, '? shortcuts');
    screen.type('/mc');
    await screen.shows(/❯ \/mcp \[list\|reconnect\|add\|remove\] +Show, reconnect/);
    screen.type(`${KEYS.tab}`);
    await screen.shows('reconnect', 'Connect to a server anew');
    screen.type(`${KEYS.ctrlC}look at @no`);
    await screen.shows('❯ notes.md');
  });
});

it('ctrl+r brings an earlier prompt back', async () => {
  await using server = await startModelServer(says('Done.'));
  await using screen = withModel(server.url);

  await enter(screen, 'remember the maple');
  await screen.shows('Done.', READY);
  screen.type(`${KEYS.ctrlR}maple`);
  await screen.shows('Search prompts: maple', '❯ remember the maple');
  screen.type(KEYS.enter);

  await screen.shows('❯ remember the maple');
});

it('an image that is dropped goes with the prompt', async () => {
  const file = join(place.home, 'a shot.png');
  writeFileSync(file, Buffer.from('iVBORw0KGgoAAAANSUhEUg==', 'base64'));
  await using server = await startModelServer(says('A picture.'));
  await using screen = withModel(server.url, [], { columns: 200 });

  await screen.shows(READY);
  screen.paste(`'${file}'`);
  await screen.shows('[Image: ');
  screen.type(`what is this?${KEYS.enter}`);
  await screen.shows('A picture.');

  expect(JSON.stringify(server.requests[0]?.messages)).toContain('"media_type":"image/png"');
});

it('counts background tasks in the footer as long as they run', async () => {
  await using model = await startModelServer(
    callsTool('b1', 'BackgroundProcess', { command: 'sleep 600' }),
    says('Started.'),
  );
  await using screen = withModel(model.url);
  await screen.shows(READY);

  screen.type(`start it${KEYS.enter}`);
  await screen.shows('Started.', '1 background task');
  screen.type(`/background cancel bg-1${KEYS.enter}`);

  await screen.shows('bg-1 was stopped.');
  await screen.until(() => !/\d background task/.test(screen.window().split('\n').at(-1) ?? ''));
});

it('the list of things to do stands above the prompt while the model works', async () => {
  const todos = [
    { content: 'Look around', status: 'completed' },
    { content: 'Write the test', status: 'in_progress' },
    { content: 'Run it', status: 'pending' },
  ];
  await using server = await startModelServer(
    callsTool('t1', 'TodoWrite', { todos }),
    hangsAfter('Working on it'),
  );
  await using screen = withModel(server.url);

  await enter(screen, 'go');

  await screen.shows('● Plan 1 of 3 done', '☑ Look around', '▸ Write the test', '☐ Run it');
});

describe('plan mode', () => {
  const plan = (text: string) => callsTool('p1', 'ExitPlanMode', { plan: text });

  it('puts the plan to the person, who approves it and leaves plan mode', async () => {
    await using server = await startModelServer(plan('1. Write the file'), says('On it.'));
    await using screen = withModel(server.url, ['--permission-mode', 'plan']);

    await enter(screen, 'make a plan');
    await screen.shows('Go ahead with this plan?', '1. Write the file');
    await enterQuestion(screen);
    screen.type(`2${KEYS.enter}`);
    await screen.shows('On it.', /accept edits|edits/);

    expect(JSON.stringify(server.requests[1]?.messages)).toContain('The user approved the plan');
  });

  it('lets the person change the plan first', async () => {
    await using server = await startModelServer(plan('1. Write'), says('On it.'));
    await using screen = withModel(server.url, ['--permission-mode', 'plan']);

    await enter(screen, 'make a plan');
    await enterQuestion(screen);
    screen.type(`3${KEYS.enter}`);
    await screen.shows('Change the plan');
    screen.type(`${CTRL_J}2. Test it${KEYS.enter}`);
    await screen.shows('On it.');

    expect(JSON.stringify(server.requests[1]?.messages)).toContain('1. Write\\n2. Test it');
  });

  it('stays on when the plan is refused, and the model reads why', async () => {
    await using server = await startModelServer(plan('1. Write'), says('Another one.'));
    await using screen = withModel(server.url, ['--permission-mode', 'plan']);

    await enter(screen, 'make a plan');
    await enterQuestion(screen);
    screen.type(`4${KEYS.enter}`);
    await screen.shows('Why not?');
    screen.type(`too risky${KEYS.enter}`);
    await screen.shows('Another one.', 'plan');

    expect(JSON.stringify(server.requests[1]?.messages)).toContain('too risky');
  });
});

it('the model asks, and what is chosen goes back to it', async () => {
  const questions = [
    {
      question: 'Which colour?',
      options: [{ label: 'Red' }, { label: 'Green', description: 'like grass' }],
    },
  ];
  await using server = await startModelServer(
    callsTool('q1', 'AskUserQuestion', { questions }),
    says('Thanks.'),
  );
  await using screen = withModel(server.url);

  await enter(screen, 'ask me');
  await screen.shows('Which colour?', 'Green', 'like grass');
  await enterQuestion(screen);
  screen.type(`2${KEYS.enter}`);
  await screen.shows('Thanks.');

  expect(JSON.stringify(server.requests[1]?.messages)).toContain('Which colour? Green');
});

it('ctrl+b moves a running command to the background, and /background shows it', async () => {
  const finish = join(place.project, 'finish');
  const command = `echo begun; while [ ! -e ${finish} ]; do sleep 0.05; done; echo ended`;
  await using server = await startModelServer(
    callsTool('b1', 'Bash', { command }),
    says('It goes on.'),
  );
  await using screen = withModel(server.url, ['--allowed-tools', 'Bash(*)']);

  await enter(screen, 'start it');
  await screen.shows('│ begun');
  screen.type(CTRL_B);
  await screen.shows('Running in the background: bg-1', 'It goes on.', READY);
  await enter(screen, '/background');
  await screen.shows('Background', /❯ bg-1 .*running/);
  writeFileSync(finish, '');
  await screen.shows('Background task bg-1 (process, completed, exit code 0)');
});

it('a command that the model starts in the background is told of when it ends', async () => {
  await using server = await startModelServer(
    callsTool('b1', 'Bash', { command: 'echo quick', run_in_background: true }),
    says('Started.'),
  );
  await using screen = withModel(server.url, ['--allowed-tools', 'Bash(*)']);

  await enter(screen, 'start it');

  await screen.shows('Runs in the background as bg-1', 'Started.');
  await screen.shows('Background task bg-1 (process, completed, exit code 0)');
});

describe('lists to choose from', () => {
  it('/model shows windows and prices, and an unknown one is refused with the nearest', async () => {
    await using server = await startModelServer(says('ok'));
    await using screen = withModel(server.url);

    await enter(screen, '/model');
    await screen.shows('Model', /claude-opus-5-5 .*window/, '$');
    screen.type(KEYS.down);
    await press(screen, KEYS.enter);
    await screen.shows('Model change requested: claude-opus-5-5', READY);
    screen.type(`/model claude-sonet-4-5${KEYS.enter}`);

    await screen.shows(/Did you mean\s+claude-sonnet-4-5\?/);
  });

  it('/permissions shows rules and removes one', async () => {
    const file = join(place.home, '.robota/settings.json');
    mkdirSync(join(place.home, '.robota'));
    writeFileSync(file, JSON.stringify({ permissions: { allow: ['Bash(make *)'] } }));
    await using screen = demo();

    await enter(screen, '/permissions');
    await screen.shows('Permission rules, mode default', '❯ allow Bash(make *)', 'ctrl+x removes');
    await press(screen, CTRL_X);
    await screen.shows('Bash(make *) was removed from');

    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ permissions: { allow: [] } });
  });

  it('/mcp adds a server, shows it and removes it', async () => {
    const program = join(
      import.meta.dirname,
      '../../../../packages/tools/test/fixtures/mcp-server.mjs',
    );
    await using screen = demo();

    await enter(screen, `/mcp add box ${process.execPath} ${program}`);
    await screen.shows('box: connected');
    await enter(screen, '/mcp');
    await screen.shows('MCP servers', /❯ box +connected/);
    await press(screen, CTRL_X);
    await screen.shows('box was removed');
  });

  it('/agents, /hooks, /memory and /usage say what there is', async () => {
    await using screen = demo();

    await enter(screen, '/hooks');
    await screen.shows('There are no hooks.');
    await enter(screen, '/memory');
    await screen.shows('AGENTS.md (not there yet)');
    await enter(screen, '/usage');
    await screen.shows(/No requests found|total/i);
    await enter(screen, '/agents');
    await screen.shows('Agents', 'general-purpose');
    await press(screen, KEYS.enter);
    await screen.shows(/❯ Use the agent [\w-]+ to/);
  });

  it('/resume finds a session of another agent by what was said in it', async () => {
    const id = '00000000-0000-4000-8000-00000000000a';
    const turn = { id: 'hay', prompt: 'find it', answer: 'the zirconium needle' };
    writeLines(claudePath(place.home, id), claudeLines([turn], { sessionId: id }));
    await using screen = demo();

    await enter(screen, '/resume');
    await screen.shows('find it', 'Claude Code');
    screen.type('zirconium');
    await screen.shows('1 of 1', 'the zirconium needle');
  });
});

it('/init and /review ask the model what nobody wants to type', async () => {
  await using server = await startModelServer(says('Written.'), says('Nothing to report.'));
  await using screen = withModel(server.url);

  await enter(screen, '/init');
  await screen.shows('❯ /init', 'Written.');
  await enter(screen, '/review');
  await screen.shows('❯ /review', 'Nothing to report.');

  expect(JSON.stringify(server.requests[0]?.messages)).toContain('AGENTS.md');
  expect(JSON.stringify(server.requests[1]?.messages)).toContain('git diff HEAD');
});

it('/export writes the conversation to a file', async () => {
  await using server = await startModelServer(says('An answer worth keeping.'));
  await using screen = withModel(server.url);

  await enter(screen, 'hello');
  await screen.shows('An answer worth keeping.');
  await enter(screen, '/export talk.md');
  await screen.shows('Written to');

  expect(readFileSync(join(place.project, 'talk.md'), 'utf8')).toContain(
    'An answer worth keeping.',
  );
});
