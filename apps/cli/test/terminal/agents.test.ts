import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FAKE_PROGRAMS } from '../../../../packages/sdk/test/live/fake-programs.ts';
import { withFakeAgents } from '../support/fake-agents.ts';
import { enterQuestion } from '../support/question-keys.ts';
import { createPlace, type Place, runRobota } from '../support/run-robota.ts';
import { KEYS, TerminalScreen } from '../support/terminal-screen.ts';

let place: Place;
let env: { readonly PATH: string };

beforeEach(() => {
  place = createPlace();
  env = withFakeAgents(place);
});

afterEach(() => {
  place[Symbol.dispose]();
});

const TITLES: Readonly<Record<string, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
};
const READY = 'Ask anything';
/** Ends the agent too, which otherwise still writes its transcript while the place is removed. */
async function leave(screen: TerminalScreen): Promise<void> {
  await screen.shows(READY);
  screen.type(KEYS.ctrlD);
  await screen.exited();
}
const start = (...args: string[]) =>
  new TerminalScreen(place, args, { env: { ...env }, columns: 120 });

describe.each(FAKE_PROGRAMS)('a session of $name', ({ name, hanging }) => {
  it('is asked, asks, is stopped, left and come back to in the terminal', async () => {
    let comeBack = '';
    {
      await using screen = start('--agent', name);
      await screen.shows(TITLES[name] ?? '', READY);

      screen.type(`hello${KEYS.enter}`);
      await screen.shows('Answer to hello');
      screen.type(`ask${KEYS.enter}`);
      await screen.shows('touch it', 'Yes, once');
      expect(screen.text()).not.toContain('always in this project');
      await enterQuestion(screen);
      screen.type(`1${KEYS.enter}`);
      await screen.shows(/allow|accept|proceed_once/);
      screen.type(`${hanging}${KEYS.enter}`);
      await screen.shows(/waiting \d+|shell \d+/);
      screen.type(`next one${KEYS.enter}`);
      await screen.shows('next next one');
      screen.type(KEYS.escape);
      await screen.shows(/❯ next one\n─/);
      screen.type('\u0015');
      await screen.shows(READY);
      screen.type(KEYS.shiftTab);
      await screen.shows('keeps the mode it was started with');
      screen.type(`/model other${KEYS.enter}`);
      await screen.shows(`A session of ${name} cannot change its model while it runs.`);
      screen.type(KEYS.ctrlD);
      expect(await screen.exited()).toBe(0);
      comeBack = /Resume this session: robota (.+)/.exec(screen.text())?.[1] ?? '';
    }
    expect(comeBack).toMatch(new RegExp(`^--agent ${name} -r [0-9a-f-]{36}$`));

    await using again = start(...comeBack.split(' '));
    await again.shows('Answer to hello', READY);
    again.type(`after all${KEYS.enter}`);
    await again.shows('Answer to after all');
    await leave(again);
  });

  it('answers a script', async () => {
    const { code, stdout, stderr } = await runRobota(
      place,
      ['-p', '--agent', name, '--output-format', 'json', 'hello'],
      { env },
    );

    expect(JSON.parse(stdout)).toMatchObject({ subtype: 'success', result: 'Answer to hello' });
    expect([code, stderr]).toEqual([0, '']);
  });
});

it('goes on with the newest session of the agent in this directory', async () => {
  const elsewhere = { ...place, project: join(place.home, 'elsewhere') };
  mkdirSync(elsewhere.project);
  const ask = async (where: Pick<Place, 'home' | 'project'>, ...args: string[]) => {
    const format = ['-p', '--output-format', 'json'];
    const { stdout, stderr } = await runRobota({ ...place, ...where }, [...format, ...args], {
      env,
    });
    return stdout === '' ? stderr : (JSON.parse(stdout) as { session_id: string }).session_id;
  };
  const here = await ask(place, '--agent', 'claude', 'hello');
  await ask(place, '--agent', 'codex', 'hello');
  await ask(elsewhere, '--agent', 'claude', 'hello');

  expect(await ask(place, '--agent', 'claude', '-c', 'again')).toBe(here);
  expect(await ask(elsewhere, '--agent', 'codex', '-c', 'again')).toMatch(
    /no Codex session to continue in .*elsewhere/,
  );
});

it('finds a session of the agent by name, part of an id, last, and by what the list shows', async () => {
  const ask = async (...args: string[]) => {
    const { stdout, stderr } = await runRobota(
      place,
      ['-p', '--agent', 'codex', '--output-format', 'json', ...args],
      { env },
    );
    return stdout === '' ? stderr : (JSON.parse(stdout) as { session_id: string }).session_id;
  };
  const id = await ask('--name', 'upload', 'hello');
  const list = await runRobota(place, ['sessions', '--json', '--agent', 'codex'], { env });
  const [shown = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(list.stdout) ?? [];

  expect(await ask('-r', 'upload', 'again')).toBe(id);
  expect(await ask('-r', 'last', 'again')).toBe(id);
  expect(await ask('-r', id.slice(0, 8), 'again')).toBe(id);
  expect(await ask('-r', `codex:${id}`, 'again')).toBe(id);
  expect(await ask('-r', `codex:${shown.slice(0, 8)}`, 'again')).toBe(id);
  expect(await ask('-r', `claude:${shown}`, 'again')).toContain('No session "claude:');
});

it('shows what an agent lets a person choose', async () => {
  await using screen = start('--agent', 'claude');
  await screen.shows(READY);

  screen.type(`choose${KEYS.enter}`);
  await screen.shows('Claude Code asks', 'Which colour?', 'like the sky');
  await enterQuestion(screen);
  screen.type(`2${KEYS.enter}`);

  await screen.shows('{"Which colour?":"Blue"}');
  await leave(screen);
});

it('shows the plan that an agent wants to go ahead with', async () => {
  await using screen = start('--agent', 'claude');
  await screen.shows(READY);

  screen.type(`plan${KEYS.enter}`);
  await screen.shows('Go ahead with this plan?', 'First this, then that.');
  await enterQuestion(screen);
  screen.type(KEYS.enter);

  await screen.shows('Answer to allow');
  await leave(screen);
});

it.each([
  [['--agent', 'nobody'], /Unknown agent "nobody"\. Valid: .*claude.*codex/],
  [['--agent', 'pi'], /Sessions of pi can be followed, not driven/],
  [['--agent', 'codex', '--allowed-tools', 'Read'], /--allowed-tools is for robota's own engine/],
  [
    ['--agent', 'claude', '-r', 'unknown'],
    /^robota: No session "unknown" of Claude Code was started with robota --agent claude; "robota resume/,
  ],
])('refuses %j in a sentence', async (args, sentence) => {
  const { code, stderr } = await runRobota(place, ['-p', ...args, 'hello'], { env });

  expect(stderr).toMatch(sentence);
  expect(code).not.toBe(0);
});
