import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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
const demo = (...args: string[]) =>
  new TerminalScreen(place, [
    '--provider',
    'demo',
    '--permission-mode',
    'bypassPermissions',
    ...args,
  ]);
const file = (name: string) => join(place.project, name);
/** The list of prompts, and what going back would change, once they take keys. */
const isListed = (screen: TerminalScreen) =>
  screen.until(() => screen.window().includes('enter shows what changes'));
const isPreviewed = (screen: TerminalScreen) =>
  screen.until(() => screen.window().includes('enter both'));

describe('esc twice', () => {
  it('lists the prompts, shows what going back changes, goes back and undoes it', async () => {
    writeFileSync(file('kept.txt'), 'before\n');
    await using screen = demo();
    await screen.shows(READY);
    screen.type(`run \`echo after > kept.txt; touch made.txt\`${KEYS.enter}`);
    await screen.shows('● Bash', READY);
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('after\n');

    screen.type(KEYS.escape);
    await screen.shows('esc again goes back');
    screen.type(KEYS.escape);
    await screen.shows('Go back to before', '❯ run');
    await isListed(screen);
    screen.type(KEYS.enter);
    await screen.shows('2 files would change', '~ kept.txt', '- made.txt', '+ before');
    await isPreviewed(screen);
    screen.type(KEYS.enter);
    await screen.shows('Went back to before');
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('before\n');
    expect(existsSync(file('made.txt'))).toBe(false);
    await screen.shows(/❯ run `echo after/);

    screen.type(KEYS.ctrlC);
    screen.type(`/rewind undo${KEYS.enter}`);
    await screen.shows('Undid the rewind');
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('after\n');
    expect(existsSync(file('made.txt'))).toBe(true);
  });

  it('takes the next prompt for what it is, and undoes only when told to', async () => {
    writeFileSync(file('kept.txt'), 'before\n');
    await using screen = demo();
    await screen.shows(READY);
    screen.type(`run \`echo after > kept.txt\`${KEYS.enter}`);
    await screen.shows('● Bash', READY);
    screen.type(`/rewind${KEYS.enter}`);
    await isListed(screen);
    screen.type(KEYS.enter);
    await screen.shows('1 file would change');
    await isPreviewed(screen);
    screen.type('f');
    await screen.shows('Went back to before');
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('before\n');

    screen.type(`/rewind${KEYS.enter}`);
    await screen.shows('ctrl+u undoes the last');
    screen.type('update it');
    await screen.shows('❯ update it');
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('before\n');

    screen.type(KEYS.ctrlC);
    screen.type(`/rewind${KEYS.enter}`);
    await screen.until(() => screen.window().includes('ctrl+u undoes the last'));
    screen.type('\u0015');
    await screen.shows('Undid the rewind');
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('after\n');
  });

  it('shows what the person changed, and replaces it only when told to', async () => {
    writeFileSync(file('kept.txt'), 'before\n');
    await using screen = demo();
    await screen.shows(READY);
    screen.type(`run \`echo after > kept.txt\`${KEYS.enter}`);
    await screen.shows('● Bash', READY);
    writeFileSync(file('kept.txt'), 'mine\n');

    screen.type(`/rewind${KEYS.enter}`);
    await isListed(screen);
    screen.type(KEYS.enter);
    await screen.shows('kept.txt stays', 'Your versions stay');
    await isPreviewed(screen);
    screen.type('f');
    await screen.shows('left as you have them: kept.txt');
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('mine\n');

    screen.type(`/rewind${KEYS.enter}`);
    await isListed(screen);
    screen.type(KEYS.enter);
    await isPreviewed(screen);
    screen.type('o');
    await screen.shows('Your versions are replaced');
    screen.type('f');
    await screen.shows(/; 1\s+file changed/);
    expect(readFileSync(file('kept.txt'), 'utf8')).toBe('before\n');
  });
});
