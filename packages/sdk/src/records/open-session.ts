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

/** Where a session is looked for. */
export interface SavedSessionPlace {
  readonly store: SessionRecordStore | undefined;
  readonly logDirectory: string | undefined;
}

/** A session as it was left: everything that resume, replay, export and search show of it. */
export interface OpenedSession {
  readonly id: string;
  readonly record: SessionRecord;
  readonly fold: SessionFold;
  readonly blocks: BlocksFold;
  /** What a person should know of how it was found; absent when all is well. */
  readonly problem?: SavedSession['problem'];
}

/**
 * Opens a session by its record and its log, by its log alone where the record is lost. Answers at once when the
 * store does. Costs the record and what the log has beyond it.
 */
export function openSession(
  id: string,
  place: SavedSessionPlace,
): OpenedSession | Promise<OpenedSession> {
  const { store } = place;
  const reading = new BlocksReading(id, place.logDirectory);
  if (store?.open) {
    const saved = store.open(id, [reading.fellow]);
    const isAtHand = !(saved instanceof Promise);
    return isAtHand ? reading.opened(saved) : saved.then((found) => reading.opened(found));
  }
  const loaded = store?.load(id);
  const open = (record: SessionRecord | undefined) =>
    reading.opened(
      openSavedSession({ id, record, logFile: logFileOf(id, place), fellows: [reading.fellow] }),
    );
  return loaded instanceof Promise ? loaded.then(open) : open(loaded);
}

/** The blocks of a session while its log is read; a subagent's log is read where the parent says that it ended. */
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

/** A record from elsewhere has messages alone. */
function blocksOf({ messages }: SessionRecord): BlocksFold {
  const blocks = new BlocksFold();
  for (const message of messages) blocks.apply(appended(message));
  return blocks;
}

/** The entry with which a message joins a conversation. */
function appended(message: unknown): Entry {
  return { n: 0, time: 0, event: 'history_mutation', mutation: 'append_message', message };
}

export function logFileOf(id: string, { logDirectory }: SavedSessionPlace): string | undefined {
  if (logDirectory === undefined) return undefined;
  const file = join(logDirectory, `${id}.jsonl`);
  return existsSync(file) ? file : undefined;
}
