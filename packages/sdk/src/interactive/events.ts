import type { LiveSessionEvents } from '../live/live-session-events.ts';

/** What a client of our own engine can listen to; sessions of every agent emit the same. */
export type InteractiveSessionEvents = LiveSessionEvents;
export type { CompactionNotice, SessionNotice } from '../live/live-session-events.ts';
