import { describe, expect, it } from 'vitest';
import { layoutScreen } from '../../../src/terminal/layout/layout-screen.ts';
import { plainText } from '../../../src/terminal/markdown/styled-text.ts';
import type { PickableSession } from '../../../src/terminal/state/overlay.ts';
import { transcriptLines } from '../../../src/terminal/views/transcript-pager.ts';
import {
  after,
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
      { type: 'run_task', task: { kind: 'prompt', text: 'hello', display: 'hello' } },
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
      type: 'run_task',
      task: { kind: 'prompt', text: 'one\ntwo', display: '[Pasted text #1 +2 lines]' },
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

  it('walks through earlier prompts and back to what was being written', () => {
    const up = after(emptyScreen, types('draft'), presses('up'), presses('up'));
    const down = after(up.state, presses('down'), presses('down'));

    expect([up.state.editor.text, down.state.editor.text]).toEqual(['first prompt', 'draft']);
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
  const waiting = after(busyScreen, ...submits('second'), ...submits('third'));

  it('wait in order and are shown', () => {
    expect(waiting.effects.filter(({ type }) => type === 'run_task')).toEqual([]);
    expect(live(waiting.state)).toMatch(/next second[\s\S]*next third/);
  });

  it('are sent one after the other', () => {
    const sent = after(waiting.state, ends(), ends(), ends());

    expect(sent.effects).toEqual([
      { type: 'run_task', task: { kind: 'prompt', text: 'second', display: 'second' } },
      { type: 'run_task', task: { kind: 'prompt', text: 'third', display: 'third' } },
    ]);
    expect(sent.state.work).toBeUndefined();
  });

  it('are taken back one by one with Up, the last first', () => {
    const { state } = after(waiting.state, presses('up'));

    expect(state.editor.text).toBe('third');
    expect(state.queue.map(({ task }) => task.display)).toEqual(['second']);
  });

  it('are dropped with ctrl+u on an empty draft', () => {
    const { state } = after(waiting.state, presses('ctrl+u'));

    expect(state.queue.map(({ task }) => task.display)).toEqual(['second']);
  });

  it.each(['escape', 'ctrl+c'])('come back to the editor when %s stops the work', (key) => {
    const { state, effects } = after(waiting.state, types('draft'), presses(key));

    expect(effects).toEqual([{ type: 'abort' }]);
    expect([state.editor.text, state.queue]).toEqual(['second\nthird\ndraft', []]);
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

    expect(effects.at(-1)).toMatchObject({ task: { text: 'a\nb\nc\nd' } });
  });

  it('wait for a compaction too, which says that it runs', () => {
    const compacting = after(emptyScreen, ...submits('/compact'), ...submits('next'));

    expect(live(compacting.state)).toContain('✻ Compacting');
    expect(compacting.state.queue).toHaveLength(1);
  });

  it('come back when no session could be opened for them', () => {
    const { state } = after(busyScreen, ends({ isReturned: true }));

    expect(state.editor.text).toBe('go');
  });

  it('wait while the session does something by itself', () => {
    const begins = { type: 'session_busy', isBusy: true, at: NOW } as const;
    const waiting = after(emptyScreen, begins, ...submits('mine'));
    const { effects } = after(waiting.state, { ...begins, isBusy: false });

    expect(waiting.state.queue).toHaveLength(1);
    expect(effects.map(({ type }) => type)).toEqual(['run_task']);
  });

  it('are not ended by a turn of the session, only by their own end', () => {
    const { state } = after(busyScreen, { type: 'session_busy', isBusy: false, at: NOW });

    expect(state.work).toBeDefined();
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

    expect(state.print.items).toEqual([]);
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

    expect(effects.map(({ type }) => type)).toEqual(['list_sessions', 'await_drawn']);
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

    expect(effects).toEqual([{ type: 'open_session', session: sessions[1], fork: true }]);
  });

  it('never opens the original of a session that only its own program can fork', () => {
    const { effects, state } = after(picking.state, types('codex'), presses('ctrl+f'));

    expect(effects).toEqual([]);
    expect(state.overlay?.kind).toBe('picker');
    expect(state.notes.at(-1)?.text).toContain('forked by Codex itself');
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
    directory: '/work/relay',
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
