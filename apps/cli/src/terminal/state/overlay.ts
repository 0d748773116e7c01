import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';
import type { PagerPosition } from '../views/transcript-pager.ts';

/** What a person opened themselves; it takes the keys until it is closed. */
export type Overlay = PickerOverlay | RecallOverlay | ShortcutsOverlay | TranscriptOverlay;

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
  /** Present while the chosen session gets another name. */
  readonly rename: EditorState | undefined;
  /** False until the list has been seen: an Enter sent before that opens nothing. */
  readonly isDrawn: boolean;
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
    rename: undefined,
    isDrawn: false,
  };
}

/** Sessions that contain every word typed. */
export function pickable({ sessions, query, isHereOnly, agent }: PickerOverlay): PickableSession[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter((session) => {
    if (isHereOnly && !session.isHere) return false;
    if (agent !== undefined && session.agent !== agent) return false;
    const { title, agentName, id, directory = '' } = session;
    const text = `${title} ${agentName} ${id} ${directory}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The next agent of those in the list, then all of them again. */
export function nextAgent({ sessions, agent }: PickerOverlay): string | undefined {
  const agents = [...new Set(sessions.map((session) => session.agent))].sort();
  return agents[agent === undefined ? 0 : agents.indexOf(agent) + 1];
}
