import type { LucideIcon } from 'lucide-react';
import { BarChart3, Keyboard, Plus, Settings, SunMoon } from 'lucide-react';
import type { SearchHit, SessionRow } from '../api-types.ts';
import type { PageParts } from '../page-context.ts';
import { navigate } from '../route.ts';
import { agentName, DRIVEN_AGENTS } from '../sessions/agent-badge.tsx';
import { toggleTheme } from '../settings/theme.ts';

/** An entry of the palette: an action, a session by title, or a search hit. */
export type PaletteEntry =
  | { readonly kind: 'action'; readonly key: string; readonly action: PaletteAction }
  | { readonly kind: 'session'; readonly key: string; readonly row: SessionRow }
  | { readonly kind: 'hit'; readonly key: string; readonly hit: SearchHit };

export interface PaletteAction {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

export function paletteActions({ create, openHelp, may }: PageParts): readonly PaletteAction[] {
  return [
    ...(may('prompt') ? DRIVEN_AGENTS : []).map((agent) => ({
      label: `New session with ${agentName(agent)}`,
      icon: Plus,
      keys: agent === 'robota' ? 'c' : undefined,
      run: () => create(agent),
    })),
    { label: 'Usage and cost', icon: BarChart3, keys: 'g u', run: () => navigate('/usage') },
    { label: 'Settings and trust', icon: Settings, keys: 'g s', run: () => navigate('/settings') },
    { label: 'Light or dark', icon: SunMoon, run: toggleTheme },
    { label: 'Keys', icon: Keyboard, keys: '?', run: openHelp },
  ];
}

/** Maximum sessions matched by title, and shown for an empty query. */
const MOST_TITLES = 4;
const MOST_RECENT = 6;

export interface PaletteSource {
  readonly text: string;
  readonly rows: readonly SessionRow[];
  readonly hits: readonly SearchHit[];
  readonly actions: readonly PaletteAction[];
  /** Searches only the text of one session. */
  readonly isInside: boolean;
}

/** For an empty query, the newest sessions and all actions; otherwise whatever matches, titles first. */
export function paletteEntries(source: PaletteSource): readonly PaletteEntry[] {
  const { text, rows, hits, actions, isInside } = source;
  const found = hits.map((hit): PaletteEntry => {
    const key = `${hit.session_id}/${hit.thread}/${hit.block_id}`;
    return { kind: 'hit', key, hit };
  });
  if (isInside) return found;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (title: string) => words.every((word) => title.toLowerCase().includes(word));
  const titled = rows
    .filter(({ title }) => has(title))
    .slice(0, words.length === 0 ? MOST_RECENT : MOST_TITLES)
    .map((row): PaletteEntry => ({ kind: 'session', key: `${row.agent}/${row.id}`, row }));
  const offered = actions
    .filter(({ label }) => has(label))
    .map((action): PaletteEntry => ({ kind: 'action', key: action.label, action }));
  return [...titled, ...offered, ...found];
}
