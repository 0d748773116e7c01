import { mkdirSync, writeFileSync } from 'node:fs';
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

const READY = 'Ask anything';
/** The session is the chosen one in the list, and Enter opens it. */
const isChosen = (screen: TerminalScreen, title: string) =>
  screen.until(() =>
    new RegExp(`❯ {3}${title} .*Robota[\\s\\S]*enter opens`).test(screen.window()),
  );

describe('/resume', () => {
  it('leaves a turn that runs behind, and the other session takes the next prompt', async () => {
    await using server = await startModelServer(
      says('First answer'),
      hangsAfter('Second'),
      says('Third answer'),
    );
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url };
    await using screen = new TerminalScreen(place, [], { env, rows: 40 });
    await screen.shows(READY);
    screen.type(`alpha${KEYS.enter}`);
    await screen.shows('First answer', READY);
    screen.type(`/clear${KEYS.enter}`);
    await screen.shows('The session before');
    screen.type(`beta${KEYS.enter}`);
    await screen.shows('Second');

    screen.type(`/resume${KEYS.enter}`);
    await screen.shows('Resume 2 of 2');
    screen.type('alpha');
    await isChosen(screen, 'alpha');
    screen.type(KEYS.enter);
    await screen.until(() => screen.window().includes(READY));
    screen.type(`gamma${KEYS.enter}`);
    await screen.shows('Third answer', READY);

    const messages = JSON.stringify(server.requests[2]?.messages);
    expect(messages).toContain('alpha');
    expect(messages).not.toContain('beta');
    expect(screen.window()).not.toMatch(/Working|Opening/);
  });

  it('says of the open session that it is open', async () => {
    await using screen = new TerminalScreen(place, ['--provider', 'demo']);
    await screen.shows(READY);
    screen.type(`list files${KEYS.enter}`);
    await screen.shows(/Glob is done|no matches/, READY);

    screen.type(`/resume${KEYS.enter}`);
    await isChosen(screen, 'list files');
    screen.type(KEYS.enter);

    await screen.shows('This session is open.', READY);
    expect(screen.text()).not.toContain('line lost');
  });
});

describe('a question about trust that nobody answers', () => {
  beforeEach(() => {
    mkdirSync(join(place.project, '.robota'));
    const settings = { permissions: { allow: ['Bash(touch *)'] } };
    writeFileSync(join(place.project, '.robota/settings.json'), JSON.stringify(settings));
  });

  it.each([
    ['ctrl+d', (screen: TerminalScreen) => screen.type(KEYS.ctrlD)],
    ['a closed window', (screen: TerminalScreen) => screen.kill('SIGHUP')],
    ['SIGTERM', (screen: TerminalScreen) => screen.kill('SIGTERM')],
  ])('does not keep the program from ending with %s', async (_, leave) => {
    await using screen = new TerminalScreen(place, ['--provider', 'demo']);
    await screen.shows('Trust the settings of this directory?', /tab answers|then enter/);

    leave(screen);
    await screen.exited();

    expect(screen.text()).not.toContain('Trust the settings');
  });
});
