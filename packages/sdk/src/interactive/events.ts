import type { LiveSessionEvents } from '../live/live-session-events.ts';

/** The events of an interactive session; sessions of every agent emit the same ones. */
export type InteractiveSessionEvents = LiveSessionEvents;
export type { CompactionNotice, SessionNotice } from '../live/live-session-events.ts';
