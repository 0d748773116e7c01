import type { LiveQuestion } from '@robota-sdk/agent-sdk';
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

const question: LiveQuestion = {
  id: 'q1',
  kind: 'permission',
  conversationId: 'main',
  toolName: 'Bash',
  input: { command: 'npm test' },
  choices: [
    { answer: 'allow', label: 'Yes' },
    { answer: 'allow-session', label: 'Yes, in this session' },
    { answer: 'allow-project', label: 'Yes, in this project' },
    { answer: 'deny', label: 'No' },
  ],
  explanation: 'No rule allows it.',
  pattern: 'Bash(npm test:*)',
};

/** Long after the last key. */
const LATER = NOW + 10_000;

const asks = (id = 'q1', at = LATER): ScreenAction => ({
  type: 'question_asked',
  question: { ...question, id },
  diff: undefined,
  at,
});
const settles = (id = 'q1'): ScreenAction => ({ type: 'question_settled', id });
const answers = (effects: readonly ScreenEffect[]) =>
  effects.filter(({ type }) => type === 'answer' || type === 'answer_trust');

const focused = after(emptyScreen, asks(), settles()).state;
const beside = after(emptyScreen, types('draft'), asks(), settles()).state;

describe('a question', () => {
  it('hides nothing of what is to be approved', () => {
    const input = { command: 'ls \u001b]0; rm -rf build \u0007\u202e#\u001b[2K\u001b[1Gdate' };
    const asked = after(emptyScreen, {
      type: 'question_asked',
      question: { ...question, input, pattern: 'Bash(ls\n\u001b[8m:*)' },
      diff: undefined,
      at: LATER,
    });

    const text = live(asked.state);
    expect(text).toContain('ls ␛]0; rm -rf build ␇\\u{202e}#␛[2K␛[1Gdate');
    expect(text).toContain('Bash(ls ␛[8m:*)');
    expect(text).not.toMatch(/[^\n\P{Cc}]/u);
  });

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

  it.each([5, 6, 8, 10])('is seen with a choice in a window of 20 columns and %i rows', (rows) => {
    const low = after(busyScreen, { type: 'resized', columns: 20, rows }, asks(), settles()).state;
    const shown = live(low).split('\n');

    expect(shown.length).toBeLessThan(rows);
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(20);
    expect(shown.join('\n')).toMatch(/Run this/);
    expect(shown.join('\n')).toMatch(/npm test|more lines/);
    expect(shown.join('\n')).toContain('❯ 1  Yes, once');
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
      { type: 'answer', questionId: 'q1', answer },
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
    const { pattern: _, ...bare } = question;
    const state = after(
      emptyScreen,
      { type: 'question_asked', question: bare, diff: undefined, at: LATER },
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

    expect(effects).toEqual([{ type: 'answer', questionId: 'q1', answer: { deny: 'use pnpm' } }]);
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

    expect(effects).toEqual([{ type: 'answer', questionId: 'q1', answer: false }]);
    expect(next.editor).toBe(state.editor);
  });

  it('gives way to the next one when it was answered elsewhere', () => {
    const { state, effects } = after(focused, asks('q2'), {
      type: 'question_resolved',
      id: 'q1',
      at: LATER,
    });

    expect(effects).toEqual([{ type: 'await_drawn', id: 'q2' }]);
    expect(state.questions.map(({ id, phase }) => [id, phase])).toEqual([['q2', 'opening']]);
  });
});

describe('a question that wants words', () => {
  const wanted: LiveQuestion = {
    ...question,
    kind: 'choice',
    toolName: 'AskUserQuestion',
    input: {},
    fields: [
      {
        name: 'Which colour?',
        label: 'Colour',
        options: [{ label: 'Blue' }, { label: 'Red', description: 'as fire' }],
        isMultiple: false,
      },
      {
        name: 'Which sizes?',
        label: 'Sizes',
        options: [{ label: 'S' }, { label: 'M' }, { label: 'L' }],
        isMultiple: true,
      },
    ],
  };
  const asking = after(
    emptyScreen,
    { type: 'question_asked', question: wanted, diff: undefined, at: LATER },
    settles(),
  ).state;
  const enter = presses('return', LATER);

  it('asks field after field, takes several where several may be, and answers with all of them', () => {
    const second = after(asking, types('2', LATER), enter);
    const picked = after(second.state, enter, types('3', LATER), enter, types('4', LATER), enter);

    expect(live(asking)).toMatch(/Which colour\?[\s\S]*Blue[\s\S]*Red\s[\s\S]*as fire/);
    expect(second.effects).toEqual([]);
    expect(live(second.state)).toMatch(/Which colour\? Red[\s\S]*Which sizes\?/);
    expect(picked.effects).toEqual([
      {
        type: 'answer',
        questionId: 'q1',
        answer: { answers: { 'Which colour?': 'Red', 'Which sizes?': 'S, L' } },
      },
    ]);
  });

  it('marks boxes with the space bar, under numbers that stay, and takes no empty answer', () => {
    const second = after(asking, types('2', LATER), enter).state;
    const none = after(second, types('4', LATER), enter);
    const marked = after(second, types(' ', LATER), types('2', LATER), types(' ', LATER)).state;

    expect(live(second)).toMatch(/1 {2}☐ S[\s\S]*4 {2}That is all[\s\S]*5 {2}Something else/);
    expect(none.effects).toEqual([]);
    expect(live(marked)).toMatch(/1 {2}☑ S[\s\S]*2 {2}☑ M[\s\S]*3 {2}☐ L[\s\S]*4 {2}That is all/);
    expect(marked.editor.text).toBe('');
    expect(after(marked, types(' ', LATER), types('4', LATER), enter).effects).toMatchObject([
      { answer: { answers: { 'Which sizes?': 'S' } } },
    ]);
  });

  it('takes words of the person in place of an option', () => {
    const only = { ...wanted, fields: wanted.fields?.slice(0, 1) };
    const { effects } = after(
      emptyScreen,
      { type: 'question_asked', question: only, diff: undefined, at: LATER },
      settles(),
      types('3', LATER),
      enter,
      types('Green', LATER),
      enter,
    );

    expect(effects.at(-1)).toEqual({
      type: 'answer',
      questionId: 'q1',
      answer: { answers: { 'Which colour?': 'Green' } },
    });
  });

  it('is left without an answer by Escape', () => {
    expect(after(asking, presses('escape', LATER)).effects).toEqual([
      { type: 'answer', questionId: 'q1', answer: false },
    ]);
  });
});

it('shows the plan that is to be gone ahead with', () => {
  const plan = { ...question, kind: 'plan', toolName: 'ExitPlanMode', input: { plan: 'First A.' } };
  const { state } = after(emptyScreen, {
    type: 'question_asked',
    question: plan as LiveQuestion,
    diff: undefined,
    at: LATER,
  });

  expect(live(state)).toMatch(/Go ahead with this plan\?[\s\S]*First A\.[\s\S]*Yes, go ahead/);
});

describe('a plan', () => {
  const choices = [
    { answer: 'allow', label: 'Yes, and ask before each change' },
    { answer: 'allow-session', label: 'Yes, and accept edits' },
    { answer: 'deny', label: 'No' },
  ];
  const plan = {
    ...question,
    kind: 'plan',
    toolName: 'ExitPlanMode',
    input: { plan: '1. A' },
    choices,
  };
  const asking: ScreenAction = {
    type: 'question_asked',
    question: plan as LiveQuestion,
    diff: undefined,
    at: LATER,
  };
  const planning = after(emptyScreen, asking, settles()).state;

  it.each([
    ['1', 'allow'],
    ['2', 'allow-session'],
  ])('is approved with %s, which allows no rule', (digit, answer) => {
    const { state, effects } = after(planning, types(digit, LATER), presses('return', LATER));

    expect(answers(effects)).toEqual([{ type: 'answer', questionId: 'q1', answer }]);
    expect(printed(state)).not.toContain('Allowed');
  });

  it('is changed first, over several lines, and approved as it stands', () => {
    const changing = after(
      planning,
      types('3', LATER),
      presses('return', LATER),
      presses('enter', LATER),
      types('2. B', LATER),
    );

    expect(live(changing.state)).toMatch(/Change the plan[\s\S]*1\. A[\s\S]*2\. B/);
    const { effects } = after(changing.state, presses('return', LATER));
    expect(answers(effects)).toEqual([
      { type: 'answer', questionId: 'q1', answer: { allow: true, input: { plan: '1. A\n2. B' } } },
    ]);
  });

  it('is refused with words, and Escape goes back from writing', () => {
    const writing = after(
      planning,
      types('4', LATER),
      presses('return', LATER),
      types('no', LATER),
    );
    const back = after(writing.state, presses('escape', LATER)).state;

    expect(live(back)).toContain('Change the plan first');
    const { effects } = after(writing.state, presses('return', LATER));
    expect(answers(effects)).toEqual([
      { type: 'answer', questionId: 'q1', answer: { deny: 'no' } },
    ]);
  });
});

it('is gone when somebody else answered, and says who', () => {
  const { state } = after(focused, {
    type: 'question_resolved',
    id: 'q1',
    by: 'grace',
    at: LATER,
  });

  expect(state.questions).toEqual([]);
  expect(printed(state)).toContain('Answered by grace.');
});

describe('words written to a question that somebody else answered', () => {
  const elsewhere = { type: 'question_resolved', id: 'q1', by: 'grace', at: LATER } as const;
  const writing = [types('4', LATER), presses('return', LATER), types('use pnpm', LATER)];

  it('go back to the draft', () => {
    const { state, effects } = after(focused, ...writing, elsewhere);

    expect(state.editor.text).toBe('use pnpm');
    expect(answers(effects)).toEqual([]);
    expect(printed(state)).toContain('Answered by grace. What you wrote is in the draft.');
  });

  it('stand below what the draft said', () => {
    const { state } = after(
      { ...focused, editor: { text: 'next: tests', cursor: 11, pastes: [] } },
      ...writing,
      elsewhere,
    );

    expect(state.editor.text).toBe('next: tests\nuse pnpm');
  });

  it('go back also where the answer was sent and came too late', () => {
    const sent = after(focused, ...writing, presses('return', LATER)).state;

    const { state } = after(sent, { type: 'answered_too_late', words: 'use pnpm' });

    expect(state.editor.text).toBe('use pnpm');
    expect(printed(state)).toContain('Someone else answered first.');
  });

  it('leave the draft alone where nothing was written', () => {
    const { state } = after(focused, types('4', LATER), presses('return', LATER), elsewhere);

    expect(state.editor.text).toBe('');
    expect(printed(state)).not.toContain('in the draft');
  });
});

describe('who has the keys', () => {
  it('is the draft when there is one', () => {
    const { state, effects } = after(beside, types(' 1', LATER), presses('return', LATER));

    expect(answers(effects)).toEqual([]);
    expect(effects).toContainEqual({
      type: 'submit',
      messageId: 'terminal-1',
      text: 'draft 1',
      display: 'draft 1',
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
    expect(effects).toContainEqual(expect.objectContaining({ type: 'submit' }));
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
      directory: '/code/relay',
      pendingSettings: ['start MCP servers: demo'],
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
