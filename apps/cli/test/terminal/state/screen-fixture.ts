import type { ConversationBlock, StreamEvent } from '@robota-sdk/agent-transcript';
import type { ScreenAction, ScreenEffect } from '../../../src/terminal/state/screen-action.ts';
import { initialScreen, type ScreenState } from '../../../src/terminal/state/screen-state.ts';
import { updateScreen } from '../../../src/terminal/state/update-screen.ts';

export const timestamp = '2026-01-02T03:04:05.000Z';

export const emptyScreen: ScreenState = initialScreen({
  columns: 60,
  rows: 24,
  prompts: ['first prompt', 'second prompt'],
  status: {
    sessionName: undefined,
    model: 'demo',
    provider: 'demo',
    contextPercentage: 1,
    costUsd: undefined,
    mode: 'default',
    branch: undefined,
    isSaved: true,
  },
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

export const types = (text: string): ScreenAction => ({
  type: 'press',
  press: { kind: 'text', text },
});
export const pastes = (text: string): ScreenAction => ({
  type: 'press',
  press: { kind: 'paste', text },
});
export const presses = (name: string): ScreenAction => ({
  type: 'press',
  press: { kind: 'key', name },
});

export const starts = (block: ConversationBlock): ScreenAction =>
  stream({ type: 'block_start', conversationId: 'main', block });
export const completes = (block: ConversationBlock): ScreenAction =>
  stream({ type: 'block_complete', conversationId: 'main', blockId: block.id, block });
export const streams = (blockId: string, delta: string): ScreenAction =>
  stream({ type: 'text_delta', conversationId: 'main', blockId, delta });

export function stream(event: StreamEvent): ScreenAction {
  return { type: 'stream', event };
}
