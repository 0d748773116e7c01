import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScreenAction, ScreenEffect } from '../../../src/terminal/state/screen-action.ts';
import {
  after,
  busyScreen,
  emptyScreen,
  live,
  NOW,
  presses,
  printed,
  submits,
  types,
} from './screen-fixture.ts';

const request = {
  requestId: 'q1',
  toolName: 'Bash',
  toolArgs: { command: 'npm test' },
  explanation: {
    decision: 'approve',
    reason: 'Mode default decides: no rule allows it.',
    suggestedPattern: 'Bash(npm test:*)',
  },
} as const;

/** Long after the last key. */
const LATER = NOW + 10_000;

const asks = (requestId = 'q1', at = LATER): ScreenAction => ({
  type: 'permission_asked',
  request: { ...request, requestId },
  diff: undefined,
  at,
});
const settles = (id = 'q1'): ScreenAction => ({ type: 'question_settled', id });
const answers = (effects: readonly ScreenEffect[]) =>
  effects.filter(({ type }) => type === 'answer_permission' || type === 'answer_trust');

const focused = after(emptyScreen, asks(), settles()).state;
const beside = after(emptyScreen, types('draft'), asks(), settles()).state;

describe('a question', () => {
  it('shows the command, the reason and what each choice allows', () => {
    for (const text of [
      'Run this command?',
      'npm test',
      'No rule allows it.',
      'Yes, for this session',
      'Bash(npm test:*) in .robota/settings.local.json',
      'then enter · esc says no',
    ]) {
      expect(live(focused)).toContain(text);
    }
  });

  it('asks the terminal when it was drawn', () => {
    expect(after(emptyScreen, asks()).effects).toEqual([{ type: 'await_drawn', id: 'q1' }]);
  });

  it.each([
    ['1', true],
    ['2', { allow: 'session', pattern: 'Bash(npm test:*)' }],
    ['3', { allow: 'project', pattern: 'Bash(npm test:*)' }],
  ])('is answered by Enter on choice %s, which a digit only chooses', (digit, answer) => {
    const chosen = after(focused, types(digit, LATER));

    expect(chosen.effects).toEqual([]);
    expect(after(chosen.state, presses('return', LATER)).effects).toEqual([
      { type: 'answer_permission', requestId: 'q1', answer },
    ]);
  });

  it('leaves a line about what is allowed from now on', () => {
    const session = after(focused, types('2', LATER), presses('return', LATER)).state;
    const project = after(focused, types('3', LATER), presses('return', LATER)).state;
    const once = after(focused, presses('return', LATER)).state;

    expect(printed(session)).toContain('Allowed for this session: Bash(npm test:*)');
    expect(printed(project)).toContain('Allowed always in this project: Bash(npm test:*)');
    expect(printed(once)).toBe('');
  });

  it('names the whole tool where no rule can be suggested, and offers nothing for ever', () => {
    const { explanation: _, ...bare } = request;
    const state = after(
      emptyScreen,
      { type: 'permission_asked', request: bare, diff: undefined, at: LATER },
      settles(),
    ).state;

    expect(live(state)).toContain('every call of Bash');
    expect(live(state)).not.toContain('always in this project');
  });

  it('denies with a message', () => {
    const { effects } = after(
      focused,
      types('4', LATER),
      presses('return', LATER),
      types('use pnpm', LATER),
      presses('return', LATER),
    );

    expect(effects).toEqual([
      { type: 'answer_permission', requestId: 'q1', answer: { deny: 'use pnpm' } },
    ]);
  });

  it('goes back from the message to the choices with Escape', () => {
    const state = after(
      focused,
      types('4', LATER),
      presses('return', LATER),
      presses('escape', LATER),
    );

    expect(state.effects).toEqual([]);
    expect(live(state.state)).toContain('Yes, once');
  });

  it.each([
    ['focused', focused],
    ['beside a draft', beside],
  ])('is told no by Escape when %s', (_, state) => {
    const { state: next, effects } = after(state, presses('escape', LATER));

    expect(effects).toEqual([{ type: 'answer_permission', requestId: 'q1', answer: false }]);
    expect(next.editor).toBe(state.editor);
  });

  it('gives way to the next one when it was answered elsewhere', () => {
    const { state, effects } = after(focused, asks('q2'), {
      type: 'permission_resolved',
      requestId: 'q1',
      at: LATER,
    });

    expect(effects).toEqual([{ type: 'await_drawn', id: 'q2' }]);
    expect(state.questions.map(({ id, phase }) => [id, phase])).toEqual([['q2', 'opening']]);
  });
});

describe('who has the keys', () => {
  it('is the draft when there is one', () => {
    const { state, effects } = after(beside, types(' 1', LATER), presses('return', LATER));

    expect(answers(effects)).toEqual([]);
    expect(effects).toContainEqual({
      type: 'run_task',
      task: { kind: 'prompt', text: 'draft 1', display: 'draft 1' },
    });
    expect(state.questions).toHaveLength(1);
  });

  it('is the draft when a key came within the last second', () => {
    const { state } = after(emptyScreen, ...submits('go'), asks('q1', NOW + 900), settles());

    expect(live(state)).toContain('tab answers');
  });

  it('is the question when nobody was typing', () => {
    const { state } = after(emptyScreen, ...submits('go'), asks('q1', NOW + 1_100), settles());

    expect(live(state)).toContain('then enter');
  });

  it('changes with Tab, both ways', () => {
    const entered = after(beside, presses('tab', LATER));
    const left = after(entered.state, presses('tab', LATER));

    expect(live(entered.state)).toContain('then enter');
    expect(live(left.state)).toContain('tab answers');
    expect([...entered.effects, ...left.effects]).toEqual([]);
  });

  it('is the draft again as soon as a letter is typed', () => {
    const { state, effects } = after(focused, types('y', LATER), presses('return', LATER));

    expect(answers(effects)).toEqual([]);
    expect(state.questions[0]?.phase).toBe('waiting');
    expect(effects).toContainEqual(expect.objectContaining({ type: 'run_task' }));
  });

  it('leaves Shift-Tab to the mode', () => {
    const { effects } = after(focused, presses('shift+tab', LATER));

    expect(effects).toEqual([{ type: 'set_mode', mode: 'acceptEdits' }]);
  });

  it('waits while something else has the screen, and opens afterwards', () => {
    const searching = after(busyScreen, presses('ctrl+r'), asks());
    const closed = after(searching.state, presses('escape', LATER));

    expect(searching.effects).toEqual([]);
    expect(live(searching.state)).not.toContain('Run this command?');
    expect(closed.effects).toEqual([{ type: 'await_drawn', id: 'q1' }]);
  });
});

it('is never answered by keys that came before it was drawn', () => {
  const key = fc.oneof(
    fc
      .constantFrom('1', '2', '3', '4', 'y', 'a', 'p', 'n', 'hello', ' ')
      .map((text) => types(text)),
    fc
      .constantFrom('return', 'tab', 'up', 'down', 'escape', 'ctrl+c', 'shift+tab')
      .map((name) => presses(name)),
  );
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 12 }),
      fc.array(key, { maxLength: 12 }),
      (before, during) => {
        const { effects } = after(busyScreen, ...before, asks('q1', NOW), ...during);

        expect(answers(effects)).toEqual([]);
      },
    ),
    { numRuns: 500 },
  );
});

describe('trust', () => {
  const asked = after(
    emptyScreen,
    {
      type: 'trust_asked',
      directory: '/work/relay',
      wishes: ['start MCP servers: demo'],
      at: LATER,
    },
    settles('trust'),
  ).state;

  it('is not given by Enter alone', () => {
    expect(live(asked)).toContain('start MCP servers: demo');
    expect(after(asked, presses('return', LATER)).effects).toEqual([
      { type: 'answer_trust', trusted: false },
    ]);
  });

  it('is given by choosing it', () => {
    expect(after(asked, types('1', LATER), presses('return', LATER)).effects).toEqual([
      { type: 'answer_trust', trusted: true },
    ]);
  });
});
