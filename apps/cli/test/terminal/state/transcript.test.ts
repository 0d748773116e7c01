import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import {
  type Highlighter,
  plainHighlighter,
} from '../../../src/terminal/markdown/render-markdown.ts';
import { plainText } from '../../../src/terminal/markdown/styled-text.ts';
import type { ScreenState } from '../../../src/terminal/state/screen-state.ts';
import { transcriptLines } from '../../../src/terminal/views/transcript-pager.ts';
import { after, emptyScreen, OUR_SESSION, presses, timestamp } from './screen-fixture.ts';

function shownOf(state: ScreenState): string {
  const position = state.overlay?.kind === 'transcript' ? state.overlay.position : undefined;
  return plainText(transcriptLines(state, position));
}

function opened(blocks: readonly ConversationBlock[], highlight = plainHighlighter): ScreenState {
  return after(
    emptyScreen,
    { type: 'highlighter_loaded', highlight },
    {
      type: 'opened',
      conversation: { blocks, subagents: [], superseded: [], metadata: {} },
      session: OUR_SESSION,
      banner: {},
      isFresh: false,
    },
    presses('ctrl+o'),
  ).state;
}

const text = (content: string): ConversationBlock => ({
  id: 'a',
  timestamp,
  type: 'assistant_text',
  content,
});

describe('the transcript', () => {
  it('lays a long block out once, however far somebody scrolls in it', () => {
    let times = 0;
    const highlight: Highlighter = (code, language) => {
      times += 1;
      return plainHighlighter(code, language);
    };
    const lines = Array.from({ length: 2_000 }, (_, line) => `line ${line}`);
    const start = opened([text(`\`\`\`\n${lines.join('\n')}\n\`\`\``)], highlight);
    times = 0;

    let state = start;
    for (const key of ['pageup', 'pageup', 'up', 'down', 'home', 'pagedown', 'end']) {
      state = after(state, presses(key)).state;
      shownOf(state);
    }

    expect(times).toBe(1);
    expect(shownOf(state)).toContain('line 1999');
  });

  it('lays it out anew when the window, the colours or the block have changed', () => {
    const state = opened([text('one two three four five')]);
    expect(shownOf(state)).toContain('one two three four five');

    const narrow = after(state, { type: 'resized', columns: 16, rows: 24 }).state;
    expect(shownOf(narrow)).toContain('one two three');
    expect(shownOf(narrow)).not.toContain('one two three four');
    const changed = { ...narrow.conversation, blocks: [text('other words')] };
    expect(shownOf({ ...narrow, conversation: changed })).toContain('other words');
  });
});
