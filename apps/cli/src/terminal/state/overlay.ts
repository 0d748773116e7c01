import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';
import type { PagerPosition } from '../views/transcript-pager.ts';
import type { RewindOverlay } from './rewind-overlay.ts';

/** What a person opened themselves; it takes the keys until it is closed. */
export type Overlay =
  | PickerOverlay
  | RecallOverlay
  | RewindOverlay
  | ShortcutsOverlay
  | TranscriptOverlay
  | ChoicesOverlay;

/** A list below the prompt: choosing carries out what stands behind an entry. */
export interface ChoicesOverlay {
  readonly kind: 'choices';
  readonly title: string;
  readonly items: readonly ChoiceItem[];
  readonly selected: number;
  /** False until the list has been seen: an Enter sent before that chooses nothing. */
  readonly isDrawn: boolean;
  /** What stood in the prompt before; Escape brings it back. */
  readonly draft: EditorState;
}

export interface ChoiceItem {
  readonly label: string;
  readonly detail: string;
  /** Undefined for an entry that is only to be read. */
  readonly choose: ChoiceStep | undefined;
  readonly remove?: ChoiceStep | undefined;
}

/** What follows a choice: a command, a prompt, or words to go on writing. */
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
  /** Only sessions of this directory. */
  readonly isHereOnly: boolean;
  /** Only sessions of this agent; all when undefined. */
  readonly agent: string | undefined;
  /** Where the words typed were said, by session, for the words that were looked for last. */
  readonly hits: PickerHits;
  /** Whether arrows were the last keys: then a space shows the chosen session and writes nothing. */
  readonly isChoosing: boolean;
  /** Present while the end of a session is shown below the list. */
  readonly preview: PickerPreview | undefined;
  /** Present while the chosen session gets another name. */
  readonly rename: EditorState | undefined;
  /** False until the list has been seen: an Enter sent before that opens nothing. */
  readonly isDrawn: boolean;
}

/** Lines in which words were said, by agent and id of the session. */
export interface PickerHits {
  readonly text: string;
  readonly lines: ReadonlyMap<string, string>;
}

interface PickerPreview {
  /** Agent and id of the session. */
  readonly key: string;
  /** Undefined until it has been read. */
  readonly said: SessionPreview | undefined;
}

/** What was said last in a session. */
export interface SessionPreview {
  readonly prompt: string | undefined;
  readonly answer: string | undefined;
  /** Why it cannot be read. */
  readonly problem?: string | undefined;
}

/** Words that are shorter say too little to look for. */
const SHORTEST_SEARCH = 3;

/** What is looked for in the sessions themselves; undefined where too little was typed. */
export function searchedFor({ query }: PickerOverlay): string | undefined {
  const text = query.text.trim();
  return text.length >= SHORTEST_SEARCH ? text : undefined;
}

/** The line in which the words typed were said in this session. */
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

/** The whole conversation, unfolded, on a screen of its own. */
export interface TranscriptOverlay {
  readonly kind: 'transcript';
  /** Undefined at the end, where it follows what is being said. */
  readonly position: PagerPosition | undefined;
}

/** A line of the session picker. */
export interface PickableSession {
  readonly id: string;
  readonly agent: string;
  /** As people call it: `Claude Code`. */
  readonly agentName: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  /** `4 min`, `3 h`, or the date. */
  readonly when: string;
  readonly directory: string | undefined;
  readonly isHere: boolean;
  readonly blockCount: number | undefined;
  /** What is known of a session that runs now. */
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

/** Sessions that carry every word typed, or in which they were said. */
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

/** The next agent of those in the list, then all of them again. */
export function nextAgent({ sessions, agent }: PickerOverlay): string | undefined {
  const agents = [...new Set(sessions.map((session) => session.agent))].sort();
  return agents[agent === undefined ? 0 : agents.indexOf(agent) + 1];
}
