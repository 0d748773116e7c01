import { describe, expect, it } from 'vitest';
import type { SearchHit, SessionRow } from '../../src/api-types.ts';
import { type PaletteSource, paletteEntries } from '../../src/search/palette-entries.ts';

const row = (id: string, title: string): SessionRow => ({
  agent: 'robota',
  id,
  title,
  project: 'relay',
  state: 'idle',
  updated_at: '2026-11-16T11:00:00.000Z',
  access: 'drive',
  is_live: false,
  message_count: 1,
});
const hit: SearchHit = {
  agent: 'codex',
  session_id: 's',
  title: 'Elsewhere',
  updated_at: '2026-11-16T11:00:00.000Z',
  thread: 'main',
  block_id: 'b',
  snippet: [{ text: 'usage', hit: true }],
};
const source: PaletteSource = {
  text: '',
  rows: [row('a', 'Crash repeats the call'), row('b', 'Usage by week')],
  hits: [],
  actions: [{ label: 'Usage and cost', icon: () => null, run: () => undefined }] as never,
  isInside: false,
};
const keys = (change: Partial<PaletteSource>) =>
  paletteEntries({ ...source, ...change }).map(({ kind, key }) => `${kind} ${key}`);

describe('the palette', () => {
  it('offers the newest sessions and all actions for an empty query', () => {
    expect(keys({})).toEqual(['session robota/a', 'session robota/b', 'action Usage and cost']);
  });

  it('finds titles, actions and text', () => {
    expect(keys({ text: 'usage', hits: [hit] })).toEqual([
      'session robota/b',
      'action Usage and cost',
      'hit s/main/b',
    ]);
    expect(keys({ text: 'repeats crash' })).toEqual(['session robota/a']);
  });

  it('shows only hits when searching within one session', () => {
    expect(keys({ text: 'usage', hits: [hit], isInside: true })).toEqual(['hit s/main/b']);
  });
});
