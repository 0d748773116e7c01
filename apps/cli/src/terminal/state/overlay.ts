import type { PermissionRequest } from '@robota-sdk/agent-sdk';
import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';

/** A question that takes the keys until it is answered. */
export type Overlay = PermissionOverlay | TrustOverlay | PickerOverlay | RecallOverlay;

export interface PermissionOverlay {
  readonly kind: 'permission';
  readonly request: PermissionRequest;
  readonly selected: number;
  /** Present while the person writes why not. */
  readonly refusal: EditorState | undefined;
  /** Questions that came while this one stood. */
  readonly waiting: readonly PermissionRequest[];
}

export interface TrustOverlay {
  readonly kind: 'trust';
  readonly directory: string;
  /** What the project's settings want to do. */
  readonly wishes: readonly string[];
  readonly selected: number;
}

export interface PickerOverlay {
  readonly kind: 'picker';
  readonly sessions: readonly PickableSession[];
  readonly query: EditorState;
  readonly selected: number;
  readonly isLoading: boolean;
}

export interface RecallOverlay {
  readonly kind: 'recall';
  readonly query: EditorState;
  readonly selected: number;
}

/** A line of the session picker. */
export interface PickableSession {
  readonly id: string;
  readonly agent: string;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly detail: string;
}

export const PERMISSION_CHOICES = ['once', 'session', 'project', 'deny'] as const;

export type PermissionChoice = (typeof PERMISSION_CHOICES)[number];

export function askPermission(overlay: Overlay | undefined, request: PermissionRequest): Overlay {
  if (overlay?.kind === 'permission') return { ...overlay, waiting: [...overlay.waiting, request] };
  return { kind: 'permission', request, selected: 0, refusal: undefined, waiting: [] };
}

/** Takes an answered question away, wherever it was answered, and puts the next one up. */
export function dropRequest(overlay: Overlay | undefined, requestId: string): Overlay | undefined {
  if (overlay?.kind !== 'permission') return overlay;
  const waiting = overlay.waiting.filter((request) => request.requestId !== requestId);
  if (overlay.request.requestId !== requestId) return { ...overlay, waiting };
  const [next, ...others] = waiting;
  return (
    next && { kind: 'permission', request: next, selected: 0, refusal: undefined, waiting: others }
  );
}

export function openPicker(): PickerOverlay {
  return { kind: 'picker', sessions: [], query: EMPTY_EDITOR, selected: 0, isLoading: true };
}

/** Sessions that contain every word typed. */
export function pickable({ sessions, query }: PickerOverlay): PickableSession[] {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(({ title, agent, id, detail }) => {
    const text = `${title} ${agent} ${id} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
