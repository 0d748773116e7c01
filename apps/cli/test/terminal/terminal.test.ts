import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

const demo = (args: readonly string[] = [], options = {}) =>
  new TerminalScreen(place, ['--provider', 'demo', ...args], options);

const withModel = (url: string, options = {}) =>
  new TerminalScreen(place, [], {
    env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url },
    ...options,
  });

async function answered(
  screen: TerminalScreen,
  prompt: string,
  answer: string | RegExp,
): Promise<void> {
  screen.type(`${prompt}${KEYS.enter}`);
  await screen.shows(answer);
}

/** Gives a question on the screen the keys, unless it has them already. */
async function enterQuestion(screen: TerminalScreen): Promise<void> {
  await screen.shows(/tab answers|then enter/);
  if (screen.text().includes('tab answers')) screen.type(KEYS.tab);
  await screen.shows('then enter');
}

describe('the terminal', () => {
  it('says who answers and where, and leaves on the second ctrl+c', async () => {
    await using screen = new TerminalScreen(place);

    await screen.shows('Robota', 'demo model, no key found', 'Set ANTHROPIC_API_KEY', READY);
    screen.type(KEYS.ctrlC);
    await screen.shows('ctrl+c again leaves');
    screen.type(KEYS.ctrlC);

    expect(await screen.exited()).toBe(0);
  });

  it('asks before a command runs, runs it when allowed and shows its output', async () => {
    await using screen = demo();
    await screen.shows(READY);

    screen.type(`run \`touch made.txt && echo ready\`${KEYS.enter}`);
    await enterQuestion(screen);
    const wasThereBefore = existsSync(join(place.project, 'made.txt'));
    screen.type(`1${KEYS.enter}`);
    await screen.shows('● Bash touch made.txt && echo ready', '│ ready');

    expect([wasThereBefore, existsSync(join(place.project, 'made.txt'))]).toEqual([false, true]);
  });

  it('denies with a message that the model reads', async () => {
    await using screen = demo();
    await screen.shows(READY);

    screen.type(`run \`touch made.txt\`${KEYS.enter}`);
    await enterQuestion(screen);
    screen.type(`4${KEYS.enter}`);
    await screen.shows('Why not?');
    screen.type(`not today${KEYS.enter}`);
    await screen.shows(/● Bash touch made.txt +denied/, 'not today');

    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  });

  it('says no with Escape, and the answer goes on', async () => {
    await using screen = demo();
    await screen.shows(READY);

    screen.type(`run \`touch made.txt\`${KEYS.enter}`);
    await enterQuestion(screen);
    screen.type(KEYS.escape);
    await screen.shows(/● Bash touch made.txt +denied/, 'Bash did not succeed');

    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  });

  it('aborts a running answer with Escape and keeps what had arrived', async () => {
    await using server = await startModelServer(hangsAfter('Half an', ' answer'));
    await using screen = withModel(server.url);
    await screen.shows(READY);

    await answered(screen, 'hello', 'Half an answer');
    screen.type(KEYS.escape);

    await screen.shows('Interrupted by user');
    expect(screen.text()).toContain('Half an answer');
  });

  it('answers prompts in the order in which they were given', async () => {
    await using server = await startModelServer(
      callsTool('t1', 'Bash', { command: 'touch made.txt' }),
      says('First answer'),
      says('Second answer'),
      says('Third answer'),
    );
    await using screen = withModel(server.url);
    await screen.shows(READY);

    screen.type(`one${KEYS.enter}two${KEYS.enter}three${KEYS.enter}`);
    await screen.shows('next two', 'next three');
    await enterQuestion(screen);
    screen.type(`1${KEYS.enter}`);
    await screen.shows('Third answer', READY);

    const asked = server.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(asked.map((text) => /one|two|three|tool_result/.exec(text)?.[0])).toEqual([
      'one',
      'tool_result',
      'two',
      'three',
    ]);
  });

  it('gives waiting prompts back when Escape stops the answer', async () => {
    await using server = await startModelServer(hangsAfter('First answer'));
    await using screen = withModel(server.url);
    await screen.shows(READY);

    await answered(screen, 'one', 'First answer');
    screen.type(`two${KEYS.enter}three${KEYS.enter}`);
    await screen.shows('next two', 'next three');
    screen.type(KEYS.escape);

    await screen.shows('Interrupted by user', /❯ two\n {2}three/);
    expect(server.requests).toHaveLength(1);
  });

  it('takes CJK text, and the cursor stands behind it', async () => {
    await using screen = demo();
    await screen.shows(READY);

    screen.type('한글 입력');
    await screen.shows('❯ 한글 입력');

    await screen.until(() => screen.cursor().x === 2 + 9);
  });

  it('shows a paste of 500 lines as a placeholder and sends it whole', async () => {
    await using server = await startModelServer(says('Got it.'));
    await using screen = withModel(server.url);
    await screen.shows(READY);

    screen.paste(Array.from({ length: 500 }, (_, line) => `pasted line ${line}`).join('\r'));
    await screen.shows('[Pasted text #1 +500 lines]');
    await answered(screen, '', 'Got it.');

    expect(JSON.stringify(server.requests[0]?.messages)).toContain('pasted line 499');
  });

  it.each([
    [50, 20],
    [120, 30],
  ])('stays whole through a resize to %i columns in mid-stream', async (columns, rows) => {
    await using server = await startModelServer(
      hangsAfter('A line that is long enough to be wrapped somewhere. '.repeat(4)),
    );
    await using screen = withModel(server.url);
    await screen.shows(READY);
    await answered(screen, 'hello', 'wrapped');

    screen.resize(columns, rows);
    await screen.until(() => screen.window().includes(`\n${'─'.repeat(columns)}\n❯`));

    const text = screen.text();
    expect(text.match(/Working/g)).toHaveLength(1);
    expect(text.match(/^❯ hello/gm)).toHaveLength(1);
    expect(text.match(/^─+$/gm)).toHaveLength(2);
  });

  it('comes back after kill -9 with what was said', async () => {
    {
      await using screen = demo();
      await screen.shows(READY);
      await answered(screen, 'list files', /List is done|Glob is done|no matches/);
      process.kill(screen.pid, 'SIGKILL');
      await screen.exited();
    }
    await using screen = demo(['-c']);

    await screen.shows('❯ list files', '● List');
  });

  it('finds a session in the picker and forks it', async () => {
    {
      await using screen = demo(['--name', 'first talk']);
      await screen.shows(READY);
      await answered(screen, 'list files', /Glob is done|no matches/);
      screen.type(KEYS.ctrlD);
      await screen.exited();
    }
    await using screen = demo(['-r']);
    await screen.shows('first talk', 'Resume 1 of 1', 'Robota');

    screen.type('first');
    await screen.shows('❯ first', 'ctrl+f forks');
    screen.type('\u0006');

    await screen.shows('❯ list files');
  });

  it('renames a session of another agent in the picker, and goes on with it in a copy that names it', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    writeLines(
      claudePath(place.home, id),
      claudeLines([{ id: 'hay', prompt: 'find the haystack', answer: 'here' }], { sessionId: id }),
    );
    await using screen = demo(['-r']);
    await screen.shows('find the haystack', 'Claude Code', 'ctrl+f forks');

    screen.type(' ');
    await screen.shows(/ {2}❯ find the haystack\n {4}here/, 'space hides');
    screen.type(KEYS.escape);
    await screen.until(() => screen.window().includes('space shows'));
    screen.type('here');
    await screen.shows(/find the haystack[\s\S]*\n {6}.*here/);
    screen.type('\u0012');
    await screen.shows('New name: find the haystack');
    screen.type(`\u0015hay day${KEYS.enter}`);
    await screen.shows('❯ ', 'hay day');
    screen.type('\u0006');
    await screen.shows('❯ find the haystack', `Continuing Claude Code session ${id} in`);
    await answered(screen, 'list files', /Glob is done|no matches/);

    expect(readFileSync(join(place.home, '.robota/labels.json'), 'utf8')).toContain('hay day');
    const [log = ''] = readdirSync(join(place.home, '.robota/logs'));
    expect(readFileSync(join(place.home, '.robota/logs', log), 'utf8')).toContain(id);
  });

  it('asks whether to trust a directory whose settings want to act', async () => {
    mkdirSync(join(place.project, '.robota'));
    writeFileSync(
      join(place.project, '.robota/settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash(touch *)'] } }),
    );
    await using screen = demo();

    await screen.shows(
      'Trust the settings of this directory?',
      'allow tools without asking: Bash(touch *)',
    );
    await enterQuestion(screen);
    screen.type(`2${KEYS.enter}`);
    await screen.until(() => !screen.window().includes('Trust the settings'));
    screen.type(`run \`touch made.txt\`${KEYS.enter}`);

    await screen.shows('Run this command?');
  });

  it('shows the choices of a question that is taller than the window, and says what is cut', async () => {
    mkdirSync(join(place.project, '.robota'));
    const env = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`V${index}`, 'x']));
    const server = { command: 'true', args: ['a long argument '.repeat(8)] };
    writeFileSync(
      join(place.project, '.robota/settings.json'),
      JSON.stringify({
        permissions: {
          allow: Array.from({ length: 5 }, (_, index) => `Bash(${'word '.repeat(9)}${index} *)`),
          defaultMode: 'acceptEdits',
          additionalDirectories: ['/'],
        },
        env,
        mcpServers: { one: server, two: server },
      }),
    );
    await using screen = demo([], { rows: 13 });

    await screen.until(() =>
      ['Trust the settings of this directory?', '1  ', '2  ', 'ctrl+o shows all of it'].every(
        (text) => screen.window().includes(text),
      ),
    );
    await enterQuestion(screen);
    screen.type(`2${KEYS.enter}`);
    await screen.until(() => !screen.window().includes('Trust the settings'));
    screen.type(`run \`touch made.txt\`${KEYS.enter}`);

    await screen.until(() =>
      ['Run this command?', '❯ 1'].every((text) => screen.window().includes(text)),
    );
    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  });

  it('writes what is allowed for ever where it says, and says so', async () => {
    await using screen = demo();
    await screen.shows(READY);

    screen.type(`run \`touch made.txt\`${KEYS.enter}`);
    await enterQuestion(screen);
    screen.type(`3${KEYS.enter}`);
    await screen.shows(/Allowed always in this project: Bash\(touch/);
    await screen.shows('● Bash touch made.txt');

    const settings = readFileSync(join(place.project, '.robota/settings.local.json'), 'utf8');
    expect(JSON.parse(settings).permissions.allow).toEqual([expect.stringContaining('Bash(touch')]);
  });

  it('uses no colour where NO_COLOR is set', async () => {
    await using screen = demo([], { env: { NO_COLOR: '1' } });

    await screen.shows(READY);
    await answered(screen, 'list files', '● List');

    const codes = screen.written.split('\u001b').filter((code) => /^\[[\d;]*m/.test(code));
    expect(codes.filter((code) => /^\[(?:\d+;)*(?:3[0-8]|4[0-8])[;m]/.test(code))).toEqual([]);
  });
});
