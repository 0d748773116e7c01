import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import type { PickableSession } from '../../../src/terminal/state/overlay.ts';
import type { ScreenAction } from '../../../src/terminal/state/screen-action.ts';
import type { ScreenState } from '../../../src/terminal/state/screen-state.ts';
import {
  after,
  begins,
  emptyScreen,
  ends,
  live,
  NOW,
  OUR_SESSION,
  presses,
  printed,
  submits,
  timestamp,
  types,
} from './screen-fixture.ts';

const opens = (id: string, blocks: readonly ConversationBlock[] = []): ScreenAction => ({
  type: 'opened',
  conversation: { blocks, subagents: [], superseded: [], metadata: {} },
  session: { ...OUR_SESSION, id },
  banner: {},
  isFresh: false,
});
const opened: ScreenAction = { type: 'task_ended', end: {}, at: NOW };

const listed = (id: string, updatedAt: number): PickableSession => ({
  id,
  agent: 'robota',
  agentName: 'Robota',
  title: `Session ${id}`,
  updatedAt,
  when: '4 min',
  directory: '/code/relay',
  isHere: true,
  blockCount: 3,
});
const lists = (...sessions: readonly PickableSession[]): ScreenAction => ({
  type: 'sessions_listed',
  sessions,
  isLast: false,
});
const DRAWN: ScreenAction = { type: 'picker_drawn' };
const picks = [{ type: 'picker_opened' }, lists(listed('other', 1), listed('here', 2))] as const;

const openScreen = after(emptyScreen, opens('here')).state;
const openedSessions = (state: ScreenState) =>
  after(state, presses('return')).effects.flatMap((effect) =>
    effect.type === 'open_session' ? [effect.session.id] : [],
  );

describe('another session', () => {
  const choosing = after(
    openScreen,
    ...submits('go'),
    begins('terminal-1'),
    ...picks,
    DRAWN,
    presses('down'),
    presses('return'),
  );

  it('is opened with a line that says so, and takes what is sent meanwhile', () => {
    const waiting = after(choosing.state, ...submits('for the other one'));
    const sent = after(waiting.state, opens('other'), opened);

    expect(choosing.effects.at(-1)).toMatchObject({
      type: 'open_session',
      session: { id: 'other' },
    });
    expect(live(choosing.state)).toContain('✻ Opening');
    expect(waiting.effects.map(({ type }) => type)).toEqual(['remember_prompt']);
    expect(sent.effects).toMatchObject([{ type: 'submit', text: 'for the other one' }]);
  });

  it('does not go on with the turn and the queue of the one that was left', () => {
    const queued = after(openScreen, ...submits('go'), begins('terminal-1'), ...submits('next'));
    const chosen = after(queued.state, ...picks, DRAWN, presses('down'), presses('return'));
    const { state } = after(chosen.state, opens('other'), opened);

    expect([state.work, state.sent, state.waiting]).toEqual([undefined, [], []]);
    expect(live(state)).not.toMatch(/Working|Opening|next/);
  });

  it('gives commands back that waited behind the turn that was left', () => {
    const queued = after(
      openScreen,
      ...submits('go'),
      begins('terminal-1'),
      ...submits('/compact'),
    );
    const { state, effects } = after(
      queued.state,
      ...picks,
      DRAWN,
      presses('down'),
      presses('return'),
      opens('other'),
      opened,
    );

    expect(state.editor.text).toBe('/compact');
    expect(effects.map(({ type }) => type)).not.toContain('run_task');
  });

  it('is not summed up as if its turns had been asked for now', () => {
    const call = {
      id: 'call',
      timestamp,
      type: 'tool_use',
      toolUseId: 't1',
      toolName: 'Bash',
      input: { command: 'ls' },
      status: 'success',
    } as const;
    const { state } = after(choosing.state, opens('other', [call]), opened);

    expect(printed(state)).not.toContain('1 tool');
  });

  it('is not opened while a command of ours runs', () => {
    const { state, effects } = after(
      openScreen,
      ...submits('/compact'),
      ...picks,
      DRAWN,
      presses('down'),
      presses('return'),
    );

    expect(effects.map(({ type }) => type)).not.toContain('open_session');
    expect(printed(state)).toContain('A command runs here');
  });
});

it('is the open session itself: nothing happens but that it is said', () => {
  const { state, effects } = after(openScreen, ...picks, DRAWN, presses('return'));
  const forked = after(openScreen, ...picks, DRAWN, presses('ctrl+f'));

  expect(effects.map(({ type }) => type)).not.toContain('open_session');
  expect(printed(state)).toContain('This session is open.');
  expect(forked.effects.at(-1)).toMatchObject({ type: 'open_session', fork: true });
});

it('keeps prompts that were sent before the first session was open', () => {
  const { state } = after(emptyScreen, ...submits('early'), opens('first'));

  expect(state.sent).toHaveLength(1);
  expect(live(state)).toContain('✻ Working');
  expect(after(state, begins('terminal-1'), ends()).state.work).toBeUndefined();
});

describe('sessions that arrive while somebody chooses', () => {
  it('leave the choice on its session', () => {
    const { state } = after(openScreen, ...picks, DRAWN, presses('down'), lists(listed('new', 9)));

    expect(live(state)).toMatch(/❯ +Session other/);
    expect(openedSessions(state)).toEqual(['other']);
  });

  it('are not opened by an Enter that was sent before they were drawn', () => {
    const empty = after(openScreen, { type: 'picker_opened' }, DRAWN);
    const full = after(empty.state, lists(listed('old', 1)));
    const newer = after(full.state, DRAWN, lists(listed('new', 9)));

    expect(openedSessions(full.state)).toEqual([]);
    expect(openedSessions(newer.state)).toEqual([]);
    expect(newer.effects).toEqual([{ type: 'await_drawn', id: 'picker' }]);
    expect(openedSessions(after(newer.state, DRAWN).state)).toEqual(['new']);
  });

  it('are not opened by an Enter that was meant for another when they are hits', () => {
    const found = after(openScreen, ...picks, DRAWN, types('other'), {
      type: 'hits_found',
      hits: { text: 'other', lines: new Map([['robota:here', '…hit…']]) },
    });

    expect(openedSessions(found.state)).toEqual([]);
    expect(found.effects.at(-1)).toEqual({ type: 'await_drawn', id: 'picker' });
  });

  it('leave a name that is being written with its session', () => {
    const { effects } = after(
      openScreen,
      ...picks,
      DRAWN,
      presses('ctrl+r'),
      lists(listed('new', 9)),
      presses('ctrl+u'),
      ...submits('Better'),
    );

    expect(effects.at(-1)).toMatchObject({ type: 'rename_session', session: { id: 'here' } });
  });
});
