import type { RewindPreview } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import type { ScreenAction } from '../../../src/terminal/state/screen-action.ts';
import {
  after,
  emptyScreen,
  live,
  OUR_SESSION,
  presses,
  timestamp,
  types,
} from './screen-fixture.ts';

const prompt = { id: 'p1', timestamp, type: 'user_message', content: 'Change it' } as const;
const preview: RewindPreview = {
  to: 'p1',
  prompt: 'Change it',
  seen: 'seen',
  files: [],
  notCovered: [],
};
const DRAWN: ScreenAction = { type: 'rewind_drawn' };

const openScreen = after(emptyScreen, {
  type: 'opened',
  conversation: { blocks: [prompt], subagents: [], superseded: [], metadata: {} },
  session: { ...OUR_SESSION, capabilities: { ...OUR_SESSION.capabilities, rewind: true } },
  banner: {},
  isFresh: false,
}).state;
const list = after(openScreen, { type: 'rewind_opened' });
const drawnList = after(list.state, DRAWN).state;
const previewed = after(drawnList, presses('return'), { type: 'rewind_previewed', preview });

describe('going back', () => {
  it('is not begun by keys that were sent before the list was drawn', () => {
    expect(list.effects).toEqual([{ type: 'await_drawn', id: 'rewind' }]);
    for (const key of ['return', 'ctrl+u', 'ctrl+f']) {
      expect(after(list.state, presses(key)).effects).toEqual([]);
    }
    expect(live(list.state)).not.toContain('enter shows what changes');
    expect(live(drawnList)).toContain('enter shows what changes');
  });

  it('changes nothing by keys that were sent before what would change was drawn', () => {
    expect(previewed.effects).toEqual([
      { type: 'preview_rewind', to: 'p1' },
      { type: 'await_drawn', id: 'rewind_preview' },
    ]);
    const keys = [presses('return'), types('b'), types('c'), types('f')];
    for (const key of keys) {
      expect(after(previewed.state, key).effects).toEqual([]);
      expect(after(previewed.state, DRAWN, key).effects).toMatchObject([{ type: 'rewind' }]);
    }
  });

  it('is left with Escape at any time, and the list that is shown again must be drawn anew', () => {
    const back = after(previewed.state, presses('escape'));

    expect(back.effects).toEqual([{ type: 'await_drawn', id: 'rewind' }]);
    expect(after(back.state, presses('ctrl+u')).effects).toEqual([]);
    expect(after(back.state, presses('escape')).state.overlay).toBeUndefined();
  });

  it('forks once, and what is sent meanwhile waits for the copy', () => {
    const forked = after(drawnList, presses('ctrl+f'));
    const sent = after(forked.state, types('go on'), presses('return'));

    expect(forked.effects).toEqual([{ type: 'fork_at', blockId: 'p1' }]);
    expect(sent.effects.map(({ type }) => type)).toEqual(['remember_prompt']);
  });
});
