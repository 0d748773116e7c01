import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';
import type { PagerPosition } from '../views/transcript-pager.ts';
import type { RewindOverlay } from './rewind-overlay.ts';

/** A view opened by the user; it receives all keys until it is closed. */
export type Overlay =
  | PickerOverlay
  | RecallOverlay
  | RewindOverlay
  | ShortcutsOverlay
  | TranscriptOverlay
  | ChoicesOverlay;

/** A list below the prompt; choosing an entry performs its step. */
export interface ChoicesOverlay {
  readonly kind: 'choices';
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  readonly selected: number;
  /** False until the terminal has drawn the list: an Enter sent before that chooses nothing. */
  readonly isDrawn: boolean;
  /** The prompt before the list opened; Escape restores it. */
  readonly draft: EditorState;
}

export interface ChoiceItem {
  readonly label: string;
  readonly detail: string;
  /** Undefined for an entry that cannot be chosen. */
  readonly choose: ChoiceStep | undefined;
  readonly remove?: ChoiceStep | undefined;
}

/** What a choice does: runs a command, sends a prompt, or fills the editor. */
export type ChoiceStep =
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'draft'; readonly text: string };

export function openChoices(
  title: string,
  items: readonly ChoiceItem[],
  draft: EditorState = EMPTY_EDITOR,
): ChoicesOverlay {
  return { kind: 'choices', title, items, selected: 0, isDrawn: false, draft };
}

export interface PickerOverlay {
  readonly kind: 'picker';
  readonly sessions: readonly PickableSession[];
  readonly query: EditorState;
  readonly selected: number;
  readonly isLoading: boolean;
  /** Show only sessions of this directory. */
  readonly isHereOnly: boolean;
  /** Show only sessions of this agent; all when undefined. */
  readonly agent: string | undefined;
  /** Full-text hits of the latest search. */
  readonly hits: PickerHits;
  /** The last key was an arrow or the query is empty: a space then toggles the preview instead of typing. */
  readonly isChoosing: boolean;
  /** Present while the preview below the list is open. */
  readonly preview: PickerPreview | undefined;
  /** Present while the selected session is being renamed. */
  readonly rename: EditorState | undefined;
  /** False until the terminal has drawn the list: an Enter sent before that opens nothing. */
  readonly isDrawn: boolean;
}

/** The matching lines for a query, keyed by agent and session id. */
export interface PickerHits {
  readonly text: string;
  readonly lines: ReadonlyMap<string, string>;
}

interface PickerPreview {
  /** Agent and id of the session. */
  readonly key: string;
  /** Undefined until it has been read. */
  readonly content: SessionPreview | undefined;
}

/** The last prompt of a session and its answer. */
export interface SessionPreview {
  readonly prompt: string | undefined;
  readonly answer: string | undefined;
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

/** Shorter queries are not searched. */
const MIN_SEARCH_LENGTH = 3;

/** The full-text query; undefined when it is too short. */
export function searchedFor({ query }: PickerOverlay): string | undefined {
  const text = query.text.trim();
  return text.length >= MIN_SEARCH_LENGTH ? text : undefined;
}

/** The line of this session that matches the current query. */
export function hitIn(overlay: PickerOverlay, session: PickableSession): string | undefined {
  const { hits } = overlay;
  return hits.text === searchedFor(overlay) ? hits.lines.get(keyOf(session)) : undefined;
}

export function keyOf({ agent, id }: Pick<PickableSession, 'agent' | 'id'>): string {
  return `${agent}:${id}`;
}

export interface RecallOverlay {
  readonly kind: 'recall';
  readonly query: EditorState;
  readonly selected: number;
}

interface ShortcutsOverlay {
  readonly kind: 'shortcuts';
}

/** The complete conversation, unfolded, on the alternate screen. */
export interface TranscriptOverlay {
  readonly kind: 'transcript';
  /** Undefined at the end, where it follows new output. */
  readonly position: PagerPosition | undefined;
}

/** A session as listed in the picker. */
export interface PickableSession {
  readonly id: string;
  readonly agent: string;
  /** Display name: `Claude Code`. */
  readonly agentName: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** `4 min`, `3 h`, or the date. */
  readonly when: string;
  readonly directory: string | undefined;
  readonly isHere: boolean;
  readonly blockCount: number | undefined;
  /** State of a running session. */
  readonly live?: 'needs_you' | 'works' | undefined;
}

export function openPicker(): PickerOverlay {
  return {
    kind: 'picker',
    sessions: [],
    query: EMPTY_EDITOR,
    selected: 0,
    isLoading: true,
    isHereOnly: false,
    agent: undefined,
    hits: { text: '', lines: new Map() },
    isChoosing: true,
    preview: undefined,
    rename: undefined,
    isDrawn: false,
  };
}

/** Sessions whose details contain every word of the query, or whose conversation matches it. */
export function pickable(overlay: PickerOverlay): PickableSession[] {
  const { sessions, query, isHereOnly, agent } = overlay;
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    if (isHereOnly && !session.isHere) return false;
    if (agent !== undefined && session.agent !== agent) return false;
    const { title, agentName, id, directory = '' } = session;
    const text = `${title} ${agentName} ${id} ${directory}`.toLowerCase();
    return words.every((word) => text.includes(word)) || hitIn(overlay, session) !== undefined;
  });
}

type Arrival =
  | {
      readonly type: 'sessions_listed';
      readonly sessions: readonly PickableSession[];
      readonly isLast: boolean;
    }
  | { readonly type: 'hits_found'; readonly hits: PickerHits };

/**
 * The picker after sessions or hits have arrived, newest session first. A choice that the user has made stays on its session;
 * otherwise the first one is chosen. `isSameChoice` is false when another session is chosen than before.
 */
export function withArrived(
  overlay: PickerOverlay,
  arrival: Arrival,
): { readonly next: PickerOverlay; readonly isSameChoice: boolean } {
  const arrived = afterArrival(overlay, arrival);
  const chosen = chosenKey(overlay);
  const found = pickable(arrived);
  const isMade = overlay.selected > 0 || overlay.preview || overlay.rename;
  const place = isMade ? found.findIndex((session) => keyOf(session) === chosen) : 0;
  const selected = place === -1 ? Math.max(0, Math.min(overlay.selected, found.length - 1)) : place;
  const next = { ...arrived, selected };
  const isSameChoice = chosenKey(next) === chosen;
  return {
    next: isSameChoice ? next : { ...next, preview: undefined, rename: undefined },
    isSameChoice,
  };
}

function afterArrival(overlay: PickerOverlay, arrival: Arrival): PickerOverlay {
  if (arrival.type === 'hits_found') return { ...overlay, hits: arrival.hits };
  const sessions = [...overlay.sessions, ...arrival.sessions].sort(
    (left, right) => right.updatedAt - left.updatedAt,
  );
  return { ...overlay, sessions, isLoading: !arrival.isLast };
}

function chosenKey(overlay: PickerOverlay): string | undefined {
  const session = pickable(overlay)[overlay.selected];
  return session && keyOf(session);
}

/** Cycles through the agents in the list; undefined after the last shows all. */
export function nextAgent({ sessions, agent }: PickerOverlay): string | undefined {
  const agents = [...new Set(sessions.map((session) => session.agent))].sort();
  return agents[agent === undefined ? 0 : agents.indexOf(agent) + 1];
}
