import { describe, expect, it } from 'vitest';
import { layoutScreen } from '../../../src/terminal/layout/layout-screen.ts';
import { plainHighlighter } from '../../../src/terminal/markdown/render-markdown.ts';
import { plainText } from '../../../src/terminal/markdown/styled-text.ts';
import type { PickableSession } from '../../../src/terminal/state/overlay.ts';
import type { ScreenAction } from '../../../src/terminal/state/screen-action.ts';
import { transcriptLines } from '../../../src/terminal/views/transcript-pager.ts';
import {
  after,
  begins,
  busyScreen,
  completes,
  emptyScreen,
  ends,
  live,
  NOW,
  pastes,
  presses,
  printed,
  starts,
  stream,
  streams,
  submits,
  timestamp,
  types,
} from './screen-fixture.ts';

describe('writing a prompt', () => {
  it('submits what was typed, remembers it and empties the prompt', () => {
    const { state, effects } = after(emptyScreen, types('hello'), presses('return'));

    expect(state.editor.text).toBe('');
    expect(effects).toEqual([
      { type: 'remember_prompt', prompt: 'hello' },
      { type: 'submit', messageId: 'terminal-1', text: 'hello', display: 'hello' },
    ]);
  });

  it('submits nothing when nothing was typed', () => {
    expect(after(emptyScreen, types('  '), presses('return')).effects).toEqual([]);
  });

  it('makes a new line with ctrl+j and with a backslash before Enter', () => {
    const { state, effects } = after(
      emptyScreen,
      types('a'),
      presses('enter'),
      types('b\\'),
      presses('return'),
    );

    expect(state.editor.text).toBe('a\nb\n');
    expect(effects).toEqual([]);
  });

  it('submits a paste whole and shows its placeholder', () => {
    const { effects } = after(emptyScreen, pastes('one\ntwo'), presses('return'));

    expect(effects.at(-1)).toEqual({
      type: 'submit',
      messageId: 'terminal-1',
      text: 'one\ntwo',
      display: '[Pasted text #1 +2 lines]',
    });
  });

  it('runs a slash command', () => {
    const { effects } = after(emptyScreen, types('/rename my session'), presses('return'));

    expect(effects.at(-1)).toEqual({
      type: 'command',
      name: 'rename',
      args: 'my session',
      display: '/rename my session',
    });
  });

  it('runs shell lines and commands with what was pasted into them, and notes it too', () => {
    const shell = after(emptyScreen, types('!'), pastes('echo one\necho two'), presses('return'));
    const command = after(emptyScreen, types('/compact '), pastes('a\nb'), presses('return'));
    const note = after(emptyScreen, types('# '), pastes('x'.repeat(900)), presses('return'));

    expect(shell.effects.at(-1)).toMatchObject({
      type: 'run_task',
      task: { name: 'shell', args: 'echo one\necho two' },
    });
    expect(command.effects.at(-1)).toMatchObject({ task: { name: 'compact', args: 'a\nb' } });
    expect(after(note.state, { type: 'choices_drawn' }, presses('return')).effects).toMatchObject([
      { type: 'command', name: 'memory', args: `add project ${'x'.repeat(900)}` },
    ]);
  });

  it.each(['!rm -rf build\nmore', '/clear\nmore', '# note\n'.repeat(3)])(
    'sends a paste as a prompt that begins like a command: %j',
    (text) => {
      const { effects } = after(emptyScreen, pastes(text), presses('return'));

      expect(effects.at(-1)).toMatchObject({ type: 'submit', text: text.trim() });
    },
  );

  it('walks through earlier prompts and back to what was being written', () => {
    const up = after(emptyScreen, types('draft'), presses('up'), presses('up'));
    const down = after(up.state, presses('down'), presses('down'));

    expect([up.state.editor.text, down.state.editor.text]).toEqual(['first prompt', 'draft']);
  });

  it('comes back from earlier prompts to a draft with what was pasted into it', () => {
    const { effects } = after(
      emptyScreen,
      types('see '),
      pastes('one\ntwo'),
      presses('up'),
      presses('down'),
      presses('return'),
    );

    expect(effects.at(-1)).toMatchObject({ type: 'submit', text: 'see one\ntwo' });
  });

  it('brings a very long prompt back as a paste', () => {
    const long = 'a line of it\n'.repeat(2_000).trimEnd();
    const state = { ...emptyScreen, recall: { ...emptyScreen.recall, prompts: [long] } };
    const recalled = after(state, presses('up'));
    const found = after(state, presses('ctrl+r'), presses('return'));

    for (const { state: shown } of [recalled, found]) {
      expect(shown.editor.text).toBe('[Pasted text #1 +2000 lines]');
      expect(after(shown, presses('return')).effects.at(-1)).toMatchObject({ text: long });
    }
  });

  it('finds an earlier prompt by its words', () => {
    const { state } = after(emptyScreen, presses('ctrl+r'), types('sec'), presses('return'));

    expect(state.editor.text).toBe('second prompt');
  });
});

describe('completing', () => {
  const withCommands = after(emptyScreen, {
    type: 'commands_listed',
    commands: [
      {
        name: 'mode',
        description: 'Change the mode',
        argumentHint: '[mode]',
        subcommands: [{ name: 'plan', description: 'Read only' }],
      },
      { name: 'model', description: 'Change the model', argumentHint: undefined, subcommands: [] },
    ],
  }).state;

  it('offers commands with their description and completes the chosen one', () => {
    const offered = after(withCommands, types('/mo'));
    const { state } = after(offered.state, presses('down'), presses('tab'));

    expect(live(offered.state)).toContain('/mode [mode]  Change the mode');
    expect(state.editor.text).toBe('/model ');
  });

  it('offers the arguments of a command', () => {
    const { state } = after(withCommands, types('/mode p'), presses('tab'));

    expect(state.editor.text).toBe('/mode plan');
  });

  it('lists files when somebody types an at sign and completes a path', () => {
    const asked = after(emptyScreen, types('see @ma'));
    const { state } = after(
      asked.state,
      { type: 'files_listed', files: ['src/other.ts', 'src/main.ts'] },
      presses('tab'),
    );

    expect(asked.effects).toEqual([{ type: 'list_files' }]);
    expect(state.editor.text).toBe('see @src/main.ts ');
  });

  it('lists files once for an at sign, and anew for the next one', () => {
    const typing = after(emptyScreen, types('@'), types('m'), types('a'));
    const next = after(
      typing.state,
      { type: 'files_listed', files: [] },
      types('i'),
      types('n and @'),
      types('b'),
    );

    expect(typing.effects).toEqual([{ type: 'list_files' }]);
    expect(next.effects).toEqual([{ type: 'list_files' }]);
  });

  it('leaves the choice where it is, and a closed menu closed, when files arrive late', () => {
    const files = ['a1.ts', 'a2.ts'];
    const known = after(
      emptyScreen,
      types('@'),
      { type: 'files_listed', files },
      presses('ctrl+u'),
    );
    const more: ScreenAction = { type: 'files_listed', files: ['a0.ts', ...files] };
    const chosen = after(known.state, types('@a'), presses('down'), more, presses('tab'));
    const closed = after(known.state, types('@a'), presses('escape'), more);

    expect(chosen.state.editor.text).toBe('@a2.ts ');
    expect(closed.state.completion).toBeUndefined();
  });

  it('goes on from the prompt that is shown when earlier ones arrive late', () => {
    const { state } = after(
      emptyScreen,
      presses('up'),
      { type: 'prompts_loaded', prompts: ['long ago'] },
      presses('up'),
    );

    expect(state.editor.text).toBe('first prompt');
  });

  it('offers commands to a draft that was typed before they were known', () => {
    const mcp = { name: 'mcp', description: 'Servers', argumentHint: undefined, subcommands: [] };

    const { state } = after(
      { ...emptyScreen, commands: [] },
      types('/mc'),
      { type: 'commands_listed', commands: [mcp] },
      presses('tab'),
    );

    expect(state.editor.text).toBe('/mcp ');
  });
});

describe('interrupting and leaving', () => {
  it('aborts with Escape while something runs', () => {
    expect(after(busyScreen, presses('escape')).effects).toEqual([{ type: 'abort' }]);
  });

  it('leaves only after a second ctrl+c', () => {
    const first = after(emptyScreen, presses('ctrl+c'));

    expect(first.effects).toEqual([]);
    expect(live(first.state)).toContain('ctrl+c again leaves');
    expect(after(first.state, presses('ctrl+c')).effects).toEqual([{ type: 'leave' }]);
    expect(after(first.state, types('a'), presses('ctrl+c')).effects).toEqual([]);
  });

  it('never reaches bypassing permissions by key', () => {
    const modes = after(
      emptyScreen,
      ...Array.from({ length: 6 }, () => presses('shift+tab')),
    ).effects;

    expect(modes.map((effect) => effect.type === 'set_mode' && effect.mode)).toEqual([
      'acceptEdits',
      'plan',
      'default',
      'acceptEdits',
      'plan',
      'default',
    ]);
  });
});

describe('prompts given while another is answered', () => {
  const given = after(busyScreen, ...submits('second'), ...submits('third'));
  const waiting = after(given.state, begins('terminal-1'), {
    type: 'queue_changed',
    prompts: [
      { input: 'second', displayInput: 'second', messageId: 'terminal-2' },
      { input: 'third', displayInput: 'third', messageId: 'terminal-3' },
    ],
    at: NOW,
  });

  it('go to the session at once, which lets them wait, and are shown', () => {
    const submitted = given.effects.flatMap((effect) =>
      effect.type === 'submit' ? effect.text : [],
    );

    expect(submitted).toEqual(['second', 'third']);
    expect(live(given.state)).toMatch(/next second[\s\S]*next third/);
    expect(live(waiting.state)).toMatch(/next second[\s\S]*next third/);
  });

  it('are shown whoever sent them, and no longer when they have begun', () => {
    const both = after(waiting.state, {
      type: 'queue_changed',
      prompts: [{ input: 'x', displayInput: 'from the page', user: 'grace' }],
      at: NOW,
    });
    const begun = after(waiting.state, ends(), begins('terminal-2'));

    expect(live(both.state)).toContain('next grace: from the page');
    expect(live(begun.state)).not.toContain('next second');
    expect(live(begun.state)).toContain('next third');
  });

  it('are taken back one by one with Up, the last first', () => {
    const { state, effects } = after(waiting.state, presses('up'));

    expect(state.editor.text).toBe('third');
    expect(effects).toEqual([{ type: 'take_back', messageId: 'terminal-3' }]);
  });

  it('are dropped with ctrl+u on an empty draft', () => {
    const { state, effects } = after(waiting.state, presses('ctrl+u'));

    expect(state.editor.text).toBe('');
    expect(effects).toEqual([{ type: 'take_back', messageId: 'terminal-3' }]);
  });

  it.each(['escape', 'ctrl+c'])('come back to the editor when %s stops the work', (key) => {
    const { state, effects } = after(waiting.state, types('draft'), presses(key));
    const told = after(
      state,
      { type: 'prompt_returned', messageId: 'terminal-2', notice: undefined, at: NOW },
      { type: 'prompt_returned', messageId: 'terminal-3', notice: undefined, at: NOW },
    );

    expect(effects).toEqual([{ type: 'abort' }]);
    expect(told.state.editor.text).toBe('second\nthird\ndraft');
  });

  it('come back when the session gives them back unbegun', () => {
    const { state } = after(waiting.state, {
      type: 'prompt_returned',
      messageId: 'terminal-3',
      notice: 'The prompt queue is full.',
      at: NOW,
    });

    expect(state.editor.text).toBe('third');
    expect(printed(state)).toContain('The prompt queue is full.');
  });

  it('keep what was pasted into them', () => {
    const { state } = after(
      busyScreen,
      pastes('a\nb'),
      presses('return'),
      pastes('c\nd'),
      presses('return'),
      presses('escape'),
    );
    const { effects } = after(state, ends(), presses('return'));

    expect(effects.at(-1)).toMatchObject({ type: 'submit', text: 'a\nb\nc\nd' });
  });

  it('wait for a compaction too, which says that it runs and waits for what was before it', () => {
    const compacting = after(emptyScreen, ...submits('/compact'), ...submits('next'));
    const behind = after(busyScreen, begins('terminal-1'), ...submits('/compact'));
    const done = { type: 'task_ended', end: {}, at: NOW } as const;

    expect(live(compacting.state)).toMatch(/✻ Compacting[\s\S]*next next/);
    expect(after(compacting.state, done).effects.at(-1)).toMatchObject({ type: 'submit' });
    expect(behind.effects.map(({ type }) => type)).toEqual(['remember_prompt']);
    expect(after(behind.state, ends()).effects.at(-1)).toMatchObject({ type: 'run_task' });
  });

  it('come back when no session could be opened for them', () => {
    const { state } = after(busyScreen, {
      type: 'prompt_returned',
      messageId: 'terminal-1',
      notice: undefined,
      at: NOW,
    });

    expect([state.editor.text, state.work]).toEqual(['go', undefined]);
  });

  it('wait in the session while it does something by itself', () => {
    const { state, effects } = after(emptyScreen, begins(), ...submits('mine'));

    expect(effects.at(-1)).toMatchObject({ type: 'submit', text: 'mine' });
    expect(live(state)).toContain('next mine');
    expect(after(state, ends()).state.work).toBeUndefined();
  });

  it('are not mistaken for a command that asks something of the model', () => {
    const skill = after(emptyScreen, ...submits('/review'), begins(), ends()).state;

    expect(skill.work?.kind).toBe('command');
  });

  it('do not hold up commands that only tell something', () => {
    expect(after(busyScreen, ...submits('/cost')).effects.at(-1)).toEqual({
      type: 'command',
      name: 'cost',
      args: '',
      display: '/cost',
    });
  });
});

describe('printing', () => {
  const text = { id: 't', timestamp, type: 'assistant_text', content: '' } as const;

  it('prints paragraphs for good as soon as they cannot change, and draws only the rest', () => {
    const { state } = after(busyScreen, starts(text), streams('t', 'First.\n\nSecond'));

    expect(printed(state)).toBe('\n  First.');
    expect(live(state)).toContain('  Second');
    expect(live(state)).not.toContain('First.');
  });

  it('never cuts inside a code fence', () => {
    const { state } = after(emptyScreen, starts(text), streams('t', '```\na\n\nb'));

    expect(state.print.lines).toEqual([]);
  });

  it('never cuts inside a fence that shows another, or between a list and what belongs to it', () => {
    const inFence = '````md\n```ts\n\nb';
    const inList = '- item\n\n    that goes on';
    for (const content of [inFence, inList]) {
      const pieces = [...content].map((character) => streams('t', character));
      expect(printed(after(busyScreen, starts(text), ...pieces).state)).toBe('');
    }
  });

  it('draws the end of a long code block that streams, with the colours of its language', () => {
    const code = Array.from({ length: 400 }, (_, line) => `const line${line} = 1;`).join('\n');
    const asked: string[] = [];
    const highlight = (lines: string, language: string) => {
      asked.push(language, String(lines.split('\n').length));
      return plainHighlighter(lines, language);
    };
    const { state } = after(
      { ...busyScreen, highlight },
      starts(text),
      streams('t', `\`\`\`ts\n${code}`),
    );

    expect(live(state)).toContain('const line399 = 1;');
    expect(asked).toEqual(['ts', String(state.rows)]);
  });

  it('prints every character once when the block completes', () => {
    const content = 'First.\n\nSecond.\n\n- a\n- b';
    const { state } = after(
      emptyScreen,
      starts(text),
      ...[...content].map((character) => streams('t', character)),
      completes({ ...text, content }),
    );

    expect(printed(state).match(/First|Second|• a|• b/g)).toEqual([
      'First',
      'Second',
      '• a',
      '• b',
    ]);
  });

  it('draws a tool with its result and prints both together', () => {
    const call = {
      id: 'c',
      timestamp,
      type: 'tool_use',
      toolName: 'Bash',
      toolUseId: 'c',
      input: { command: 'ls' },
      status: 'running',
    } as const;
    const running = after(busyScreen, starts(call)).state;
    const done = after(
      running,
      completes({ ...call, status: 'success' }),
      completes({
        id: 'r',
        timestamp,
        type: 'tool_result',
        toolUseId: 'c',
        output: 'a.ts\nb.ts',
        isError: false,
      }),
    ).state;

    expect(live(running)).toContain('◐ Bash ls');
    expect(printed(done)).toBe('\n● Bash ls\n  │ a.ts\n  │ b.ts');
  });

  it('does not call a call failed whose outcome nobody knows', () => {
    const call = {
      id: 'c',
      timestamp,
      type: 'tool_use',
      toolName: 'Bash',
      toolUseId: 'c',
      input: { command: 'ls' },
      status: 'error',
    } as const;
    const result = {
      id: 'r',
      timestamp,
      type: 'tool_result',
      toolUseId: 'c',
      output: 'The outcome is unknown.',
      isError: true,
      metadata: { errorCode: 'outcome_unknown' },
    } as const;

    expect(printed(after(busyScreen, completes(call), completes(result)).state)).toMatch(
      /● Bash ls +unknown\n/,
    );
  });

  it('folds long output and shows it whole in the transcript', () => {
    const output = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    const result = {
      id: 'r',
      timestamp,
      type: 'tool_result',
      toolUseId: 'x',
      isError: false,
    } as const;
    const folded = after(emptyScreen, completes({ ...result, output })).state;
    const { state, effects } = after(folded, presses('ctrl+o'));

    const wide = completes({ ...result, output: `${'x'.repeat(9_000)}\nshort` });
    const foldedWide = after(emptyScreen, wide).state;

    expect(
      printed(foldedWide)
        .split('\n')
        .filter((row) => row.includes('│')),
    ).toHaveLength(7);
    expect(printed(foldedWide)).toContain('2 more lines · ctrl+o');
    expect(printed(folded)).toContain('27 more lines · ctrl+o');
    expect(plainText(transcriptLines(state, undefined))).toContain('line 29');
    expect(effects).toEqual([]);
  });
});

describe('taking back', () => {
  const said = (id: string, content: string) =>
    completes({ id, timestamp, type: 'assistant_text', content });
  const takesBack = (blockId: string) =>
    stream({
      type: 'block_update',
      conversationId: 'main',
      blockId,
      updates: { superseded: 'reset' },
    });

  it('prints everything that follows a block that was tried again', () => {
    const { state } = after(
      emptyScreen,
      said('a', 'One.'),
      said('b', 'Wrong.'),
      takesBack('b'),
      said('c', 'Right.'),
    );

    expect(printed(state)).toContain('Right.');
  });
});

describe('choosing a session', () => {
  const sessions = [
    session({ id: 'old', agent: 'codex', agentName: 'Codex', title: 'Old one', updatedAt: 1 }),
    session({ id: 'new', title: 'New one', updatedAt: 2, isHere: true }),
  ];
  const picking = after(
    emptyScreen,
    { type: 'picker_opened' },
    { type: 'sessions_listed', sessions, isLast: true },
    { type: 'picker_drawn' },
  );

  it('asks for the sessions and opens the newest first', () => {
    expect(picking.effects).toEqual([
      { type: 'list_sessions' },
      { type: 'await_drawn', id: 'picker' },
      { type: 'await_drawn', id: 'picker' },
    ]);
    expect(after(picking.state, presses('return')).effects).toEqual([
      { type: 'open_session', session: sessions[1], fork: false },
    ]);
  });

  it('opens nothing with an Enter that came before the list was drawn', () => {
    const { effects } = after(
      emptyScreen,
      { type: 'picker_opened' },
      { type: 'sessions_listed', sessions, isLast: true },
      presses('return'),
    );

    expect(effects.map(({ type }) => type)).not.toContain('open_session');
  });

  it('keeps to this directory, or to one agent', () => {
    const chosen = (...keys: string[]) =>
      after(picking.state, ...keys.map((key) => presses(key)), presses('return')).effects.map(
        (effect) => effect.type === 'open_session' && effect.session.id,
      );

    expect([chosen('ctrl+a'), chosen('ctrl+g'), chosen('ctrl+g', 'ctrl+g')]).toEqual([
      ['new'],
      ['old'],
      ['new'],
    ]);
  });

  it('gives a session of any agent another name', () => {
    const renamed = after(
      picking.state,
      presses('ctrl+r'),
      presses('ctrl+u'),
      ...submits('Better'),
    );
    const foreign = after(
      picking.state,
      presses('down'),
      presses('ctrl+r'),
      presses('ctrl+u'),
      ...submits('Other'),
    );

    expect(renamed.effects).toMatchObject([
      { type: 'rename_session', session: { id: 'new' }, name: 'Better' },
    ]);
    expect(live(renamed.state)).toContain('Better');
    expect(foreign.effects).toMatchObject([
      { type: 'rename_session', session: { id: 'old' }, name: 'Other' },
    ]);
  });

  it('finds by any word and forks', () => {
    const { effects } = after(picking.state, types('new'), presses('ctrl+f'));

    expect(effects.slice(1)).toEqual([{ type: 'open_session', session: sessions[1], fork: true }]);
  });

  it('looks for the words in what was said, and shows the line below the chosen session', () => {
    const typed = after(picking.state, types('need'), types('le'));
    const found = after(typed.state, {
      type: 'hits_found',
      hits: { text: 'needle', lines: new Map([['codex:old', '…the needle was in the hay…']]) },
    });
    const late = after(found.state, types('s'));

    expect(typed.effects).toEqual([
      { type: 'search_sessions', text: 'need' },
      { type: 'search_sessions', text: 'needle' },
    ]);
    expect(live(found.state)).toMatch(/❯ +Old one[\s\S]*\n {6}…the needle was in the hay…/);
    expect(live(late.state)).not.toContain('the needle was');
  });

  it('shows the end of the chosen session with a space, goes along with the choice, and hides it', () => {
    const said = { prompt: 'Why is it red?', answer: 'A test\nfails.' };
    const told = (key: string): ScreenAction => ({ type: 'session_previewed', key, preview: said });
    const asked = after(picking.state, types(' '));
    const late = after(asked.state, told('codex:old'));
    const shown = after(late.state, told('robota:new'));
    const next = after(shown.state, presses('down'));
    const hidden = [types(' '), presses('escape')].map((key) => after(shown.state, key).state);

    expect(asked.effects).toEqual([{ type: 'preview_session', session: sessions[1] }]);
    expect(live(late.state)).toContain('Reading…');
    expect(live(shown.state)).toMatch(/ {2}❯ Why is it red\?\n {4}A test\n {4}fails\./);
    expect(next.effects).toEqual([{ type: 'preview_session', session: sessions[0] }]);
    for (const state of hidden) {
      expect(state.overlay?.kind).toBe('picker');
      expect(live(state)).not.toContain('Why is it red?');
    }
  });

  it('writes a space between words, and shows with one after an arrow', () => {
    const typed = after(picking.state, types('new'), types(' '), types('one'));
    const shown = after(typed.state, presses('down'), types(' '));

    expect(live(typed.state)).toContain('❯ new one');
    expect(typed.effects.map(({ type }) => type)).not.toContain('preview_session');
    expect(shown.effects).toEqual([{ type: 'preview_session', session: sessions[1] }]);
  });

  it('goes on with a session of another agent in a copy', () => {
    const { effects } = after(picking.state, types('codex'), presses('ctrl+f'));

    expect(effects.at(-1)).toEqual({
      type: 'open_session',
      session: expect.objectContaining({ id: 'old' }),
      fork: true,
    });
  });
});

function session(facts: Partial<PickableSession>): PickableSession {
  return {
    id: 'id',
    agent: 'robota',
    agentName: 'Robota',
    title: 'Title',
    updatedAt: 0,
    when: '4 min',
    directory: '/code/relay',
    isHere: false,
    blockCount: 3,
    ...facts,
  };
}

it('is never as high as the terminal, whatever is on it', () => {
  const long = Array.from({ length: 500 }, (_, line) => `x ${line}`).join('\n');
  const { state } = after(
    emptyScreen,
    starts({ id: 't', timestamp, type: 'assistant_text', content: '' }),
    streams('t', `\`\`\`\n${long}`),
    pastes('short'),
  );

  expect(layoutScreen(state).lines.length).toBeLessThan(state.rows);
});
