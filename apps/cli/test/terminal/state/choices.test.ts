import { describe, expect, it } from 'vitest';
import { choicesOf } from '../../../src/terminal/choices-of.ts';
import { imageMark, imagePathsIn } from '../../../src/terminal/state/dropped-image.ts';
import type { ScreenAction } from '../../../src/terminal/state/screen-action.ts';
import {
  after,
  busyScreen,
  emptyScreen,
  live,
  OUR_SESSION,
  pastes,
  presses,
  printed,
  submits,
  types,
} from './screen-fixture.ts';

const entry = (name: string) => ({
  name,
  description: '',
  argumentHint: undefined,
  subcommands: [],
});
const listed: ScreenAction = {
  type: 'commands_listed',
  commands: ['shell', 'memory', 'background'].map(entry),
};
const everyday = after(emptyScreen, listed).state;

const offered: ScreenAction = {
  type: 'choices_offered',
  title: 'Model',
  items: [
    { label: 'one', detail: 'first', choose: { kind: 'command', name: 'model', args: 'one' } },
    {
      label: 'two',
      detail: 'second',
      choose: { kind: 'command', name: 'model', args: 'two' },
      remove: { kind: 'command', name: 'mcp', args: 'remove two' },
    },
  ],
  text: 'one, two',
  command: '/model',
};
const drawn: ScreenAction = { type: 'choices_drawn' };

describe('a list to choose from', () => {
  it('stands below the prompt and carries out what is chosen', () => {
    const open = after(emptyScreen, offered, drawn);

    expect(live(open.state)).toMatch(/Model · enter chooses · esc closes\n❯ one +first\n {2}two/);
    expect(after(open.state, presses('down'), presses('return')).effects).toEqual([
      { type: 'command', name: 'model', args: 'two', display: '/model two' },
    ]);
    expect(after(open.state, presses('down'), presses('ctrl+x')).effects).toEqual([
      { type: 'command', name: 'mcp', args: 'remove two', display: '/mcp remove two' },
    ]);
  });

  it('takes no Enter that was sent before it was seen, and closes with Escape', () => {
    const open = after(emptyScreen, offered);

    expect(open.effects).toEqual([{ type: 'await_drawn', id: 'choices' }]);
    expect(after(open.state, presses('return')).effects).toEqual([]);
    expect(after(open.state, drawn, presses('escape')).state.overlay).toBeUndefined();
  });

  it('is a note for somebody who is writing', () => {
    const { state } = after(emptyScreen, types('half a pro'), offered);

    expect(state.overlay).toBeUndefined();
    expect(printed(state)).toContain('one, two');
    expect(state.editor.text).toBe('half a pro');
  });

  it('gives way to a letter, which goes to the prompt', () => {
    const { state } = after(emptyScreen, offered, drawn, types('h'));

    expect(state).toMatchObject({ overlay: undefined, editor: { text: 'h' } });
  });
});

describe('the answers of commands', () => {
  it.each([
    [
      'model',
      { models: [{ id: 'm', contextWindow: 200_000, inputUsd: 3, outputUsd: 15 }], current: 'm' },
      { label: '● m', detail: '200k window · $3 in, $15 out per million' },
    ],
    [
      'permissions',
      { mode: 'default', rules: [{ list: 'allow', rule: 'R', layer: 'f', isRemovable: true }] },
      { label: 'allow R', detail: 'f', remove: { name: 'permissions', args: 'remove R' } },
    ],
    [
      'mcp',
      { servers: [{ name: 's', state: 'connected', tools: ['a'] }] },
      { label: 's', choose: { args: 'reconnect s' }, remove: { args: 'remove s' } },
    ],
    [
      'agents',
      { agents: [{ name: 'a', description: 'd' }] },
      { label: 'a', choose: { kind: 'draft', text: 'Use the agent a to ' } },
    ],
    [
      'background',
      { tasks: [{ id: 'bg-1', label: 'l', status: 'running' }] },
      { label: 'bg-1 l', choose: { args: 'read bg-1' }, remove: { args: 'cancel bg-1' } },
    ],
  ])('/%s: %j become a list', (name, data, item) => {
    expect(choicesOf(name, { success: true, message: '', data })?.items).toMatchObject([item]);
  });

  it('that list nothing stay words', () => {
    const told = (success: boolean, data: object) => ({ success, message: 'x', data: { ...data } });

    expect(choicesOf('mode', told(true, { mode: 'plan' }))).toBeUndefined();
    expect(choicesOf('model', told(false, { models: [] }))).toBeUndefined();
    expect(choicesOf('cost', told(true, { models: [{ model: 'm', costUsd: 1 }] }))).toBeUndefined();
  });
});

describe('the first sign of a prompt', () => {
  it('! runs the rest in the shell, in its turn', () => {
    expect(after(everyday, ...submits('! ls -la')).effects).toContainEqual({
      type: 'run_task',
      task: { kind: 'command', name: 'shell', args: 'ls -la', display: '! ls -la' },
    });
    expect(live(after(everyday, types('!')).state)).toContain('runs in the shell');
  });

  it('# asks where to remember the rest, and Escape gives it back', () => {
    const open = after(everyday, ...submits('# use tabs'), drawn);

    expect(live(open.state)).toMatch(/Remember this[\s\S]*project[\s\S]*local[\s\S]*user/);
    expect(after(open.state, presses('down'), presses('return')).effects).toEqual([
      {
        type: 'command',
        name: 'memory',
        args: 'add local use tabs',
        display: '/memory add local use tabs',
      },
    ]);
    expect(after(open.state, presses('escape')).state.editor.text).toBe('# use tabs');
  });

  it('is a letter like any other where the agent knows neither', () => {
    const other = after(everyday, { type: 'commands_listed', commands: [] }).state;
    const { effects } = after({ ...other, session: OUR_SESSION }, ...submits('! ls'));

    expect(effects).toContainEqual(expect.objectContaining({ type: 'submit', text: '! ls' }));
  });
});

it('ctrl+b moves what runs to the background, and the cursor where something is written', () => {
  const moving = after(busyScreen, presses('ctrl+b'));
  const writing = after(busyScreen, types('ab'), presses('ctrl+b'));

  expect(moving.effects).toEqual([
    { type: 'command', name: 'background', args: 'move', display: '' },
  ]);
  expect(writing).toMatchObject({ effects: [], state: { editor: { cursor: 1 } } });
});

describe('a dropped image', () => {
  it.each([
    ['/tmp/a.png', '/tmp/a.png'],
    ["'/tmp/a b.PNG' ", '/tmp/a b.PNG'],
    ['/tmp/a\\ b.jpg', '/tmp/a b.jpg'],
    ['file:///tmp/a%20b.webp', '/tmp/a b.webp'],
    ['~/a.gif', '~/a.gif'],
  ])('%s stands in the prompt as %s', (pasted, path) => {
    const { state } = after(emptyScreen, pastes(pasted));

    expect(state.editor.text).toBe(`[Image: ${path}] `);
    expect(imagePathsIn(state.editor.text)).toEqual([path]);
  });

  it.each(['/tmp/a.txt', 'look at /tmp/a.png please', 'a.png', '/tmp/a.png /tmp/b.png'])(
    '%s is text',
    (pasted) => {
      expect(imageMark(pasted)).toBeUndefined();
    },
  );
});
