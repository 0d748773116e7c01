import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hangsAfter, says, startModelServer } from '../support/model-server.ts';
import { createPlace, type Place } from '../support/run-robota.ts';
import { KEYS, TerminalScreen } from '../support/terminal-screen.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const demo = (args: readonly string[] = [], options = {}) =>
  new TerminalScreen(place, ['--provider', 'demo', ...args], options);

async function answered(
  screen: TerminalScreen,
  prompt: string,
  answer: string | RegExp,
): Promise<void> {
  screen.type(`${prompt}${KEYS.enter}`);
  await screen.shows(answer);
}

describe('the terminal', () => {
  it('says on the first run who answers and what to type, and leaves on the second ctrl+c', async () => {
    await using screen = demo();

    await screen.shows('offline demonstration answers', 'ctrl+c twice leaves', 'default · demo');
    screen.type(KEYS.ctrlC);
    await screen.shows('ctrl+c again leaves');
    screen.type(KEYS.ctrlC);

    expect(await screen.exited()).toBe(0);
  });

  it('asks before a command runs, runs it when allowed and shows its output', async () => {
    await using screen = demo();
    await screen.shows('default · demo');

    screen.type(`run \`touch made.txt && echo ready\`${KEYS.enter}`);
    await screen.shows('Allow Bash?', '1. Yes, once');
    const wasThereBefore = existsSync(join(place.project, 'made.txt'));
    screen.type('1');
    await screen.shows('✓ Bash(touch made.txt && echo ready)', 'ready');

    expect([wasThereBefore, existsSync(join(place.project, 'made.txt'))]).toEqual([false, true]);
  });

  it('denies with a message that the model reads', async () => {
    await using screen = demo();
    await screen.shows('default · demo');

    screen.type(`run \`touch made.txt\`${KEYS.enter}`);
    await screen.shows('Allow Bash?');
    screen.type('4');
    await screen.shows('Why not?');
    screen.type(`not today${KEYS.enter}`);
    await screen.shows('⊘ Bash(touch made.txt)', 'not today');

    expect(existsSync(join(place.project, 'made.txt'))).toBe(false);
  });

  it('aborts a running answer with Escape and keeps what had arrived', async () => {
    await using server = await startModelServer(hangsAfter('Half an', ' answer'));
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    await using screen = new TerminalScreen(place, [], { env });
    await screen.shows('0% context');

    await answered(screen, 'hello', 'Half an answer');
    screen.type(KEYS.escape);

    await screen.shows('Interrupted by user');
    expect(screen.text()).toContain('Half an answer');
  });

  it('queues a prompt while another is being answered', async () => {
    await using server = await startModelServer(hangsAfter('First answer'), says('Second answer'));
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    await using screen = new TerminalScreen(place, [], { env });
    await screen.shows('0% context');

    await answered(screen, 'one', 'First answer');
    screen.type(`two${KEYS.enter}`);
    await screen.shows('next: two');
    screen.type(KEYS.escape);
    await screen.until(() => !screen.text().includes('next: two'));

    expect(screen.text()).toContain('Working…');
  });

  it('takes CJK text, and the cursor stands behind it', async () => {
    await using screen = demo();
    await screen.shows('default · demo');

    screen.type('한글 입력');
    await screen.shows('❯ 한글 입력');

    await screen.until(() => screen.cursor().x === 2 + 9);
  });

  it('shows a paste of 500 lines as a placeholder and sends it whole', async () => {
    await using server = await startModelServer(says('Got it.'));
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    await using screen = new TerminalScreen(place, [], { env });
    await screen.shows('0% context');

    screen.paste(Array.from({ length: 500 }, (_, line) => `pasted line ${line}`).join('\r'));
    await screen.shows('[Pasted text #1 +500 lines]');
    await answered(screen, '', 'Got it.');

    expect(JSON.stringify(server.requests[0]?.messages)).toContain('pasted line 499');
  });

  it('stays whole through a resize in mid-stream', async () => {
    await using server = await startModelServer(
      hangsAfter('A line that is long enough to be wrapped somewhere. '.repeat(4)),
    );
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    await using screen = new TerminalScreen(place, [], { env });
    await screen.shows('0% context');
    await answered(screen, 'hello', 'wrapped');

    screen.resize(50, 20);
    await screen.until(
      () => screen.text().includes('─'.repeat(50)) && !screen.text().endsWith('─'.repeat(80)),
    );

    expect(screen.text()).toContain('Working…');
  });

  it('comes back after kill -9 with what was said', async () => {
    {
      await using screen = demo();
      await screen.shows('default · demo');
      await answered(screen, 'list files', /Glob is done|no matches/);
      process.kill(screen.pid, 'SIGKILL');
      await screen.exited();
    }
    await using screen = demo(['-c']);

    await screen.shows('❯ list files', '✓ Glob');
  });

  it('finds a session in the picker and forks it', async () => {
    {
      await using screen = demo(['--name', 'first talk']);
      await screen.shows('default · demo');
      await answered(screen, 'list files', /Glob is done|no matches/);
      screen.type(KEYS.ctrlD);
      await screen.exited();
    }
    await using screen = demo(['-r']);
    await screen.shows('first talk', '1 sessions');

    screen.type('first');
    screen.type('\u0006');

    await screen.shows('❯ list files');
  });

  it('does not let a second terminal write to the same session', async () => {
    await using first = demo(['--session-id', 'shared']);
    await first.shows('default · demo');
    await answered(first, 'list files', /Glob is done|no matches/);
    await using second = demo(['-r', 'shared']);

    await second.shows(/Error: .*shared/);
  });

  it('asks whether to trust a directory whose settings want to act', async () => {
    mkdirSync(join(place.project, '.robota'));
    writeFileSync(
      join(place.project, '.robota/settings.json'),
      JSON.stringify({ permissions: { allow: ['Bash(touch *)'] } }),
    );
    await using screen = demo();

    await screen.shows(
      'Do you trust the settings of this directory?',
      'allow tools without asking: Bash(touch *)',
    );
    screen.type('2');
    await screen.shows('default · demo');
    screen.type(`run \`touch made.txt\`${KEYS.enter}`);

    await screen.shows('Allow Bash?');
  });

  it('uses no colour where NO_COLOR is set', async () => {
    await using screen = demo([], { env: { NO_COLOR: '1' } });

    await screen.shows('default · demo');
    await answered(screen, 'list files', '✓ Glob');
  });
});
