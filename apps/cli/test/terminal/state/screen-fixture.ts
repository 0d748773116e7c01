import type { ConversationBlock, StreamEvent } from '@robota-sdk/agent-transcript';
import { layoutScreen } from '../../../src/terminal/layout/layout-screen.ts';
import { plainText } from '../../../src/terminal/markdown/styled-text.ts';
import type { ScreenAction, ScreenEffect } from '../../../src/terminal/state/screen-action.ts';
import {
  initialScreen,
  type ScreenState,
  type ShownAgent,
} from '../../../src/terminal/state/screen-state.ts';
import { updateScreen } from '../../../src/terminal/state/update-screen.ts';

export const timestamp = '2026-01-02T03:04:05.000Z';

/** A time at which nobody has pressed a key for long. */
export const NOW = 1_000_000;

export const emptyScreen: ScreenState = initialScreen({
  version: '1.2.3',
  directory: '/code/relay',
  columns: 60,
  rows: 24,
  prompts: ['first prompt', 'second prompt'],
  status: { model: 'demo', provider: 'demo', contextPercentage: 1, contextTokens: 200_000 },
});

/** Everything that was asked of the world, and the screen after the last action. */
export function after(
  state: ScreenState,
  ...actions: readonly ScreenAction[]
): { state: ScreenState; effects: ScreenEffect[] } {
  const effects: ScreenEffect[] = [];
  const last = actions.reduce((current, action) => {
    const update = updateScreen(current, action);
    effects.push(...update.effects);
    return update.state;
  }, state);
  return { state: last, effects };
}

export const types = (text: string, at = NOW): ScreenAction => ({
  type: 'press',
  press: { kind: 'text', text },
  at,
});
export const pastes = (text: string): ScreenAction => ({
  type: 'press',
  press: { kind: 'paste', text },
  at: NOW,
});
export const presses = (name: string, at = NOW): ScreenAction => ({
  type: 'press',
  press: { kind: 'key', name },
  at,
});
export const submits = (text: string): ScreenAction[] => [types(text), presses('return')];
export const ends = (end = {}): ScreenAction => ({ type: 'turn_ended', end, at: NOW + 2_000 });
export const begins = (messageId?: string): ScreenAction => ({
  type: 'turn_began',
  messageId,
  at: NOW + 2_000,
});

/** Everything our own engine can do. */
export const OUR_SESSION: ShownAgent = {
  id: 's-open',
  agent: 'robota',
  title: 'Robota',
  capabilities: {
    prompt: true,
    abort: true,
    queue: true,
    compact: true,
    fork: true,
    rename: true,
    setModel: true,
    permissionModes: ['plan', 'default', 'acceptEdits', 'bypassPermissions'],
    images: true,
    questions: true,
    deltas: true,
    steer: false,
    rewind: false,
  },
};

export const starts = (block: ConversationBlock): ScreenAction =>
  stream({ type: 'block_start', conversationId: 'main', block });
export const completes = (block: ConversationBlock): ScreenAction =>
  stream({ type: 'block_complete', conversationId: 'main', blockId: block.id, block });
export const streams = (blockId: string, delta: string): ScreenAction =>
  stream({ type: 'text_delta', conversationId: 'main', blockId, delta });

export function stream(event: StreamEvent): ScreenAction {
  return { type: 'stream', event, at: NOW };
}

/** What stands above the live part. */
export const printed = (state: ScreenState): string => plainText(state.print.lines);

/** What is drawn below it. */
export const live = (state: ScreenState): string => plainText(layoutScreen(state).lines);

/** A screen on which somebody's prompt is being answered. */
export const busyScreen = after(emptyScreen, ...submits('go')).state;
