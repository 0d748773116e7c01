import type { HistoryEntry, Message } from '@robota-sdk/agent-core';
import { emptySessionState, type SessionState } from '@robota-sdk/agent-core/log';
import { reviveDates } from '../revive-dates.ts';
import type { SessionRecord } from './session-record.ts';

/** Fields of the state that the record stores under the names of spec 000. */
const SPEC_FIELDS = [
  'messages',
  'timeline',
  'name',
  'cwd',
  'createdAt',
  'updatedAt',
  'sessionId',
  'systemPrompt',
  'toolSchemas',
  'model',
  'backgroundTaskEvents',
  'backgroundJobGroupEvents',
  'memoryEvents',
] as const;

/** Builds the record of a session: spec 000's fields, plus the rest of the fold's state. */
export function recordOf(state: Readonly<SessionState>): SessionRecord {
  const rest: Record<string, unknown> = { ...state };
  for (const field of SPEC_FIELDS) delete rest[field];
  const { sessionId, cwd, name, systemPrompt, toolSchemas, model, grants } = state;
  return {
    id: sessionId,
    cwd,
    ...(name !== undefined && { name }),
    createdAt: new Date(state.createdAt).toISOString(),
    updatedAt: new Date(state.updatedAt).toISOString(),
    messages: state.messages as unknown[],
    history: state.timeline,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(toolSchemas && { toolSchemas: toolSchemas as unknown[] }),
    ...(model !== undefined && { model }),
    ...(grants.length > 0 && { sessionAllowedTools: grants }),
    ...(state.backgroundTaskEvents.length > 0 && {
      backgroundTaskEvents: state.backgroundTaskEvents,
    }),
    ...(state.backgroundJobGroupEvents.length > 0 && {
      backgroundJobGroupEvents: state.backgroundJobGroupEvents,
    }),
    ...(state.memoryEvents.length > 0 && { memoryEvents: state.memoryEvents }),
    state: rest,
  };
}

/** Restores the state from a record; fields missing in foreign records get defaults. */
export function checkpointState(record: SessionRecord): SessionState {
  const { id, cwd, name, systemPrompt, toolSchemas, model } = record;
  const messages = reviveDates(record.messages) as Message[];
  return {
    ...emptySessionState(),
    ...usageOf(record),
    hasSystem: messages[0]?.role === 'system',
    ...(record.state as Partial<SessionState> | undefined),
    sessionId: id,
    cwd,
    createdAt: millisecondsOf(record.createdAt),
    updatedAt: millisecondsOf(record.updatedAt),
    ...(name !== undefined && { name }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(toolSchemas && { toolSchemas }),
    ...(typeof model === 'string' && { model }),
    messages,
    timeline: reviveDates(record.history ?? []) as HistoryEntry[],
    backgroundTaskEvents: [...(record.backgroundTaskEvents ?? [])],
    backgroundJobGroupEvents: [...(record.backgroundJobGroupEvents ?? [])],
    memoryEvents: [...(record.memoryEvents ?? [])],
  };
}

/** Version 0.1 stored usage and grants in separate fields. */
function usageOf({ modelUsage, sessionAllowedTools }: SessionRecord): Partial<SessionState> {
  const tallies = (Array.isArray(modelUsage) ? modelUsage : []) as SessionState['usage'][string][];
  return {
    usage: Object.fromEntries(tallies.map((tally) => [tally.model, tally])),
    grants: Array.isArray(sessionAllowedTools) ? (sessionAllowedTools as string[]) : [],
  };
}

function millisecondsOf(time: unknown): number {
  const parsed = Date.parse(String(time));
  return Number.isNaN(parsed) ? 0 : parsed;
}

/** Shorter texts are written out. */
const SHORT_TEXT = 64;

/**
 * JSON of a record in which each message text appears once: elsewhere `{ "$message": index }` refers to the message.
 * Chat entries of the timeline omit the id and time of their data, and most are stored as `"$said": index` alone.
 */
export function packRecord(record: SessionRecord): string {
  if (record.state === undefined) return JSON.stringify(record);
  const owners = new Map<string, number>();
  record.messages.forEach((message, index) => {
    const { content } = (message ?? {}) as { readonly content?: unknown };
    if (typeof content === 'string' && content.length >= SHORT_TEXT && !owners.has(content)) {
      owners.set(content, index);
    }
  });
  const { history, folds, state, ...rest } = record;
  const refer = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value.length < SHORT_TEXT) return value;
    const index = owners.get(value);
    return index === undefined ? value : { $message: index };
  };
  const base = JSON.stringify(rest);
  const timeline = history?.map((entry) => withoutRepetition(entry, owners));
  const shared = JSON.stringify({ history: timeline, state, ...(folds && { folds }) }, refer);
  return `${base.slice(0, -1)},${shared.slice(1)}`;
}

/** Restores, in place, what `packRecord` left out. */
export function unpackRecord(record: SessionRecord): SessionRecord {
  if (record.state === undefined) return record;
  const { history, state, folds, messages } = record;
  for (const part of [history, state, folds]) restoreTexts(part, messages);
  if (!Array.isArray(history)) return record;
  const entries = history as unknown[];
  for (let index = 0; index < entries.length; index++) {
    const entry = (entries[index] ?? {}) as PackedEntry;
    if (typeof entry.$said === 'number') entries[index] = chatEntryOf(entry, messages);
    else restoreRepetition(entry);
  }
  return record;
}

/** A timeline entry that contains nothing but the text of a message. */
type PackedEntry = Partial<HistoryEntry> & { readonly $said?: unknown };

function withoutRepetition(entry: unknown, owners: ReadonlyMap<string, number>): unknown {
  const { id, timestamp, category, type, data } = (entry ?? {}) as Partial<HistoryEntry>;
  if (category !== 'chat' || typeof data !== 'object' || data === null) return entry;
  const { id: saidId, timestamp: saidAt, ...said } = data as Partial<Message>;
  const isSame = saidId === id && Number(saidAt) === Number(timestamp);
  if (!isSame) return entry;
  const owner = isPlain(entry as object, said, type) ? owners.get(String(said.content)) : undefined;
  if (owner !== undefined) return { id, timestamp, type, $said: owner };
  return { ...(entry as object), data: said };
}

/** Whether an entry has nothing but a role and a text. */
function isPlain(entry: object, said: Partial<Message>, type: string | undefined): boolean {
  const { role, state, content } = said;
  return (
    role === type &&
    state === 'complete' &&
    typeof content === 'string' &&
    Object.keys(said).length === 3 &&
    Object.keys(entry).length === 5
  );
}

function chatEntryOf({ id, timestamp, type, $said }: PackedEntry, messages: readonly unknown[]) {
  const content = contentOf(messages, Number($said));
  const data = { id, timestamp, state: 'complete', role: type, content };
  return { id, timestamp, category: 'chat', type, data };
}

function restoreRepetition(entry: PackedEntry): void {
  const { id, timestamp, category, data } = entry;
  if (category !== 'chat' || typeof data !== 'object' || data === null || 'id' in data) return;
  (entry as { data: unknown }).data = { id, timestamp, ...data };
}

function contentOf(messages: readonly unknown[], index: number): unknown {
  return (messages[index] as { readonly content?: unknown } | undefined)?.content ?? '';
}

/** Changes objects and lists in place and returns the value, or the text that replaces it. */
function restoreTexts(value: unknown, messages: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (typeof value[index] === 'object') value[index] = restoreTexts(value[index], messages);
    }
    return value;
  }
  const fields = value as Record<string, unknown>;
  const { $message } = fields;
  if (typeof $message === 'number') return contentOf(messages, $message);
  for (const key in fields) {
    const field = fields[key];
    if (typeof field !== 'object' || field === null) continue;
    const restored = restoreTexts(field, messages);
    if (restored !== field) fields[key] = restored;
  }
  return value;
}
