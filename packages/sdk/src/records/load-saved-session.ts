import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { HistoryEntry, Message } from '@robota-sdk/agent-core';
import {
  loadSessionLogEntries,
  replaySessionLogEntries,
  type SessionRecord,
  type SessionRecordStore,
} from '@robota-sdk/agent-session';
import { SessionNotFoundError } from './session-errors.ts';

/** A session as it was left, ready to go on. */
export interface SavedSession {
  readonly record: SessionRecord;
  readonly messages: readonly Message[];
  readonly history: readonly HistoryEntry[];
  /** What could not be taken from the record and came from the log, in words; absent when nothing did. */
  readonly recovery?: string;
}

export interface SavedSessionPlace {
  readonly store: SessionRecordStore | undefined;
  readonly logDirectory: string | undefined;
}

/** Loads a session from its record, and from its log where that knows more. Answers at once when the store does. */
export function loadSavedSession(
  id: string,
  place: SavedSessionPlace,
): SavedSession | Promise<SavedSession> {
  const loaded = place.store?.load(id);
  return loaded instanceof Promise
    ? loaded.then((record) => withLog(id, record, place))
    : withLog(id, loaded, place);
}

function withLog(
  id: string,
  record: SessionRecord | undefined,
  { logDirectory }: SavedSessionPlace,
): SavedSession {
  const log = logDirectory === undefined ? undefined : join(logDirectory, `${id}.jsonl`);
  const size = log === undefined ? undefined : statSync(log, { throwIfNoEntry: false })?.size;
  if (log === undefined || size === undefined) return fromRecord(id, record);
  if (record && record.logBytes === size) return fromRecord(id, record);
  return fromLog(id, log, record);
}

function fromRecord(id: string, record: SessionRecord | undefined): SavedSession {
  if (!record) throw new SessionNotFoundError(id);
  return {
    record,
    messages: record.messages as Message[],
    history: (record.history ?? []) as HistoryEntry[],
  };
}

/** The log decides which messages there are; where the record has the same message, its unredacted form counts. */
function fromLog(id: string, log: string, record: SessionRecord | undefined): SavedSession {
  const replay = replaySessionLogEntries(loadSessionLogEntries(log));
  const exact = new Map((record?.messages as Message[] | undefined)?.map((m) => [m.id, m]));
  const replayed = replay.messages as Message[];
  const messages = replayed.map((message) => exact.get(message.id) ?? message);
  const added = replayed.filter((message) => !exact.has(message.id)).length;
  if (record && added === 0 && messages.length === record.messages.length) {
    return fromRecord(id, record);
  }
  const history = [
    ...((record?.history ?? []) as HistoryEntry[]),
    ...entriesAfter(record, replay.history as HistoryEntry[]),
  ];
  return {
    record: record ?? {
      id,
      cwd: replay.cwd ?? process.cwd(),
      createdAt: replay.createdAt ?? new Date().toISOString(),
      updatedAt: replay.updatedAt ?? new Date().toISOString(),
      messages: [],
      history: [],
      ...(replay.name !== undefined && { name: replay.name }),
    },
    messages,
    history,
    recovery: record
      ? `The last turn of session ${id} was cut off; ${added} messages were recovered from its log.`
      : `Session ${id} was recovered from its log; secrets in it are replaced by placeholders.`,
  };
}

/** What was said that the record's timeline does not have yet; tool traffic is shown from the messages. */
function entriesAfter(
  record: SessionRecord | undefined,
  replayed: readonly HistoryEntry[],
): HistoryEntry[] {
  const known = new Set((record?.messages as Message[] | undefined)?.map((message) => message.id));
  const fresh = replayed.filter(
    (entry) =>
      !known.has(entry.id) &&
      entry.category === 'chat' &&
      (entry.type === 'user' || entry.type === 'assistant') &&
      (entry.data as Message).content,
  );
  // A record made before the first answer ends with the prompt that the log has too.
  const last = record?.history?.at(-1) as HistoryEntry | undefined;
  const isPromptShown =
    last?.category === 'chat' && last.type === 'user' && fresh[0]?.type === 'user';
  return isPromptShown ? fresh.slice(1) : fresh;
}
