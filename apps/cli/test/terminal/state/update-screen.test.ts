import { describe, expect, it } from 'vitest';
import { layoutScreen } from '../../../src/terminal/layout/layout-screen.ts';
import { plainText } from '../../../src/terminal/markdown/styled-text.ts';
import type { ScreenState } from '../../../src/terminal/state/screen-state.ts';
import {
  after,
  completes,
  emptyScreen,
  pastes,
  presses,
  starts,
  stream,
  streams,
  timestamp,
  types,
} from './screen-fixture.ts';

const printed = (state: ScreenState) =>
  state.print.items.map(({ lines }) => plainText(lines)).join('\n');
const live = (state: ScreenState) => plainText(layoutScreen(state).lines);

describe('writing a prompt', () => {
  it('submits what was typed, remembers it and empties the prompt', () => {
    const { state, effects } = after(emptyScreen, types('hello'), presses('return'));

    expect(state.editor.text).toBe('');
    expect(effects).toEqual([
      { type: 'remember_prompt', prompt: 'hello' },
      { type: 'submit', text: 'hello', display: 'hello' },
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
      text: 'one\ntwo',
      display: '[Pasted text #1 +2 lines]',
    });
  });

  it('runs a slash command', () => {
    const { effects } = after(emptyScreen, types('/rename my session'), presses('return'));

    expect(effects.at(-1)).toEqual({ type: 'command', name: 'rename', args: 'my session' });
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
    expect(after(emptyScreen, { type: 'busy', isBusy: true }, presses('escape')).effects).toEqual([
      { type: 'abort' },
    ]);
  });

  it('takes back a queued prompt before it aborts', () => {
    const { effects } = after(
      emptyScreen,
      { type: 'busy', isBusy: true },
      { type: 'queued', prompt: 'next' },
      presses('escape'),
    );

    expect(effects).toEqual([{ type: 'cancel_queue' }]);
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

describe('printing', () => {
  const text = { id: 't', timestamp, type: 'assistant_text', content: '' } as const;

  it('prints paragraphs for good as soon as they cannot change, and draws only the rest', () => {
    const { state } = after(
      emptyScreen,
      { type: 'busy', isBusy: true },
      starts(text),
      streams('t', 'First.\n\nSecond'),
    );

    expect(printed(state)).toBe('\n● First.');
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
    const running = after(emptyScreen, { type: 'busy', isBusy: true }, starts(call)).state;
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

    expect(live(running)).toContain('◌ Bash(ls)');
    expect(printed(done)).toBe('\n✓ Bash(ls)\n  ⎿ a.ts\n    b.ts');
  });

  it('folds long output until ctrl+o', () => {
    const output = Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n');
    const folded = after(
      emptyScreen,
      completes({
        id: 'r',
        timestamp,
        type: 'tool_result',
        toolUseId: 'x',
        output,
        isError: false,
      }),
    );
    const unfolded = after(folded.state, presses('ctrl+o'));

    expect(printed(folded.state)).toContain('… +26 lines (ctrl+o)');
    expect(printed(unfolded.state)).toContain('line 29');
    expect(unfolded.effects).toEqual([{ type: 'clear_screen' }]);
  });

  it('shows what an edit changes, with its lines', () => {
    const { state } = after(
      emptyScreen,
      { type: 'busy', isBusy: true },
      completes({
        id: 'e',
        timestamp,
        type: 'tool_use',
        toolName: 'Edit',
        toolUseId: 'e',
        input: {
          filePath: 'a.ts',
          oldString: 'const a = 1;\nkeep',
          newString: 'const a = 2;\nkeep',
        },
        status: 'success',
      }),
      completes({
        id: 'r',
        timestamp,
        type: 'tool_result',
        toolUseId: 'e',
        output: '{"success":true,"output":"Replaced 1 occurrence(s) in a.ts","startLine":7}',
        isError: false,
      }),
    );

    expect(printed(state)).toBe(
      '\n✓ Edit(a.ts)\n  ⎿     7 - const a = 1;\n        7 + const a = 2;\n        8   keep',
    );
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

  it('begins anew after clear and prints what comes then', () => {
    const cleared = after(
      emptyScreen,
      said('a', 'Old.'),
      said('b', 'Older.'),
      takesBack('b'),
      takesBack('a'),
    );
    const { state } = after(cleared.state, said('c', 'New.'));

    expect(cleared.effects).toEqual([{ type: 'clear_screen' }]);
    expect(printed(state)).toBe('\n● New.');
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

describe('asking for permission', () => {
  const request = {
    requestId: 'q1',
    toolName: 'Bash',
    toolArgs: { command: 'npm test' },
    explanation: {
      decision: 'approve',
      reason: 'No rule allows it.',
      suggestedPattern: 'Bash(npm test:*)',
    },
  } as const;
  const asked = after(emptyScreen, { type: 'permission_asked', request }).state;

  it('shows the command, the reason and the pattern', () => {
    for (const text of [
      'npm test',
      'No rule allows it.',
      'always in this project: Bash(npm test:*)',
    ]) {
      expect(live(asked)).toContain(text);
    }
  });

  it.each([
    ['1', true],
    ['2', { allow: 'session', pattern: 'Bash(npm test:*)' }],
    ['3', { allow: 'project', pattern: 'Bash(npm test:*)' }],
  ])('answers %s', (key, answer) => {
    expect(after(asked, types(key)).effects).toEqual([
      { type: 'answer_permission', requestId: 'q1', answer },
    ]);
  });

  it('denies with a message', () => {
    const { effects } = after(asked, types('4'), types('use pnpm'), presses('return'));

    expect(effects).toEqual([
      { type: 'answer_permission', requestId: 'q1', answer: { deny: 'use pnpm' } },
    ]);
  });

  it('puts the next question up when one was answered elsewhere', () => {
    const { state } = after(
      asked,
      {
        type: 'permission_asked',
        request: { ...request, requestId: 'q2', toolArgs: { command: 'rm x' } },
      },
      { type: 'permission_resolved', requestId: 'q1' },
    );

    expect(live(state)).toContain('rm x');
  });

  it('leaves what was being written in the prompt alone', () => {
    const { state } = after(
      emptyScreen,
      types('draft'),
      { type: 'permission_asked', request },
      types('1'),
    );

    expect(state.editor.text).toBe('draft');
  });
});

describe('choosing a session', () => {
  const sessions = [
    { id: 'old', agent: 'codex', title: 'Old one', updatedAt: 1, detail: '1 message' },
    { id: 'new', agent: 'robota', title: 'New one', updatedAt: 2, detail: '2 messages' },
  ];
  const picking = after(
    emptyScreen,
    { type: 'picker_opened' },
    { type: 'sessions_listed', sessions, isLast: true },
  );

  it('asks for the sessions and opens the newest first', () => {
    expect(picking.effects).toEqual([{ type: 'list_sessions' }]);
    expect(after(picking.state, presses('return')).effects).toEqual([
      { type: 'open_session', session: sessions[1], fork: false },
    ]);
  });

  it('finds by any word and forks', () => {
    expect(after(picking.state, types('codex'), presses('ctrl+f')).effects).toEqual([
      { type: 'open_session', session: sessions[0], fork: true },
    ]);
  });
});

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
