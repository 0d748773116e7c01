import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionLogEntry } from '@robota-sdk/agent-core';
import type { Entry, SessionFold } from '@robota-sdk/agent-core/log';
import {
  entryOf,
  type FellowFold,
  openSavedSession,
  readLog,
  type SavedSession,
  type SessionRecord,
  type SessionRecordStore,
} from '@robota-sdk/agent-session';
import { BlocksFold } from '@robota-sdk/agent-transcript/blocks';
import { SessionNotFoundError } from './session-errors.ts';

/** Where to look for a session. */
export interface SavedSessionPlace {
  readonly store: SessionRecordStore | undefined;
  readonly logDirectory: string | undefined;
}

/** The saved state of a session, for resume, replay, export and search. */
export interface OpenedSession {
  readonly id: string;
  readonly record: SessionRecord;
  readonly fold: SessionFold;
  readonly blocks: BlocksFold;
  /** What the user should know about the saved state; absent when it is intact. */
  readonly problem?: SavedSession['problem'];
}

/**
 * Opens a session from its record and log, or from its log alone when the record is lost. Synchronous when the store
 * is. Reads the record and only the part of the log after it.
 */
export function openSession(
  id: string,
  place: SavedSessionPlace,
): OpenedSession | Promise<OpenedSession> {
  const { store } = place;
  const reading = new BlocksReading(id, place.logDirectory);
  if (store?.open) {
    const saved = store.open(id, [reading.fellow]);
    const isSynchronous = !(saved instanceof Promise);
    return isSynchronous ? reading.opened(saved) : saved.then((found) => reading.opened(found));
  }
  const loaded = store?.load(id);
  const open = (record: SessionRecord | undefined) =>
    reading.opened(
      openSavedSession({ id, record, logFile: logFileOf(id, place), fellows: [reading.fellow] }),
    );
  return loaded instanceof Promise ? loaded.then(open) : open(loaded);
}

/** Builds the blocks while the log is read; a subagent's log is read at the parent's `subagent_ended` entry. */
class BlocksReading {
  readonly #id: string;
  readonly #logDirectory: string | undefined;
  readonly #open = new Set<string>();
  #blocks = new BlocksFold();
  #isEmpty = true;

  constructor(id: string, logDirectory: string | undefined) {
    this.#id = id;
    this.#logDirectory = logDirectory;
  }

  readonly fellow: FellowFold = {
    name: 'blocks',
    restore: (checkpoint) => {
      const blocks = BlocksFold.from(checkpoint);
      if (blocks) this.#blocks = blocks;
      this.#isEmpty = blocks === undefined;
      return blocks !== undefined;
    },
    apply: (entry) => this.#apply(entry),
  };

  opened(saved: SavedSession | undefined): OpenedSession {
    if (!saved) throw new SessionNotFoundError(this.#id);
    for (const agentId of this.#open) this.#readThread(agentId);
    if (this.#isEmpty) this.#blocks = blocksOf(saved.record);
    const { record, fold, problem } = saved;
    return { id: this.#id, record, fold, blocks: this.#blocks, ...(problem && { problem }) };
  }

  #apply(entry: SessionLogEntry): void {
    this.#isEmpty = false;
    const agentId = String(entry.agentId);
    if (entry.event === 'subagent_started') this.#open.add(agentId);
    if (entry.event === 'subagent_ended') this.#readThread(agentId);
    this.#blocks.apply(entryOf(entry));
  }

  #readThread(agentId: string): void {
    this.#open.delete(agentId);
    if (this.#logDirectory === undefined) return;
    const file = join(this.#logDirectory, this.#id, 'subagents', `${agentId}.jsonl`);
    readLog(file, {
      detail: 'folds',
      onEntry: (entry) => this.#blocks.apply({ ...entryOf(entry), thread: agentId }),
    });
  }
}

/** For records that only have messages, such as those written by other programs. */
function blocksOf({ messages }: SessionRecord): BlocksFold {
  const blocks = new BlocksFold();
  for (const message of messages) blocks.apply(appended(message));
  return blocks;
}

/** The log entry that appends a message. */
function appended(message: unknown): Entry {
  return { n: 0, time: 0, event: 'history_mutation', mutation: 'append_message', message };
}

export function logFileOf(id: string, { logDirectory }: SavedSessionPlace): string | undefined {
  if (logDirectory === undefined) return undefined;
  const file = join(logDirectory, `${id}.jsonl`);
  return existsSync(file) ? file : undefined;
}
