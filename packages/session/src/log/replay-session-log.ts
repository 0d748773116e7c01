import {
  type HistoryEntry,
  type Message,
  messageToHistoryEntry,
  type SessionLogEntry,
} from '@robota-sdk/agent-core';
import { type Entry, SessionFold, type SessionState } from '@robota-sdk/agent-core/log';
import { reviveDates } from '../revive-dates.ts';
import { type ReadSessionLogOptions, readEntryBatches } from './read-session-log.ts';
import { recoverTurn } from './recover-turn.ts';

/** The final state of a session according to its log. */
export interface SessionReplayRecord {
  readonly sessionId: string;
  readonly cwd: string;
  readonly name?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly messages: Message[];
  readonly history: HistoryEntry[];
  readonly systemPrompt?: string;
  readonly toolSchemas?: unknown[];
  readonly backgroundTaskEvents: unknown[];
  readonly backgroundJobGroupEvents: unknown[];
  readonly memoryEvents: unknown[];
  /** Tool results missing after a crash, already included in `messages`; the next writer appends them. */
  readonly recoveredToolMessages: readonly Message[];
  /** True if messages contain `[REDACTED…]`: the model saw more than the log stores. */
  readonly hasPlaceholders: boolean;
}

/** Folds entries into the current conversation, taking clear and compaction into account. */
export function replaySessionLogEntries(entries: Iterable<SessionLogEntry>): SessionReplayRecord {
  const replay = new Replay();
  for (const entry of entries) replay.add(entry);
  return replay.finish();
}

/** Replays a file of any length, keeping only the conversation in memory. */
export async function replaySessionLog(
  file: string,
  options: ReadSessionLogOptions = {},
): Promise<SessionReplayRecord> {
  const replay = new Replay();
  for await (const entries of readEntryBatches(file, { ...options, detail: 'folds' })) {
    for (const entry of entries) replay.add(entry);
  }
  return replay.finish();
}

/** Converts an entry read from a log, or created by other code, for folds. */
export function entryOf(entry: SessionLogEntry, fallback = 0): Entry {
  if (typeof entry.n === 'number' && typeof entry.time === 'number') return entry as Entry;
  const time = Date.parse(entry.timestamp);
  return { ...entry, n: entry.n ?? fallback, time: Number.isNaN(time) ? 0 : time };
}

class Replay {
  readonly #fold = new SessionFold();
  #count = 0;
  #first: SessionLogEntry | undefined;
  #last: SessionLogEntry | undefined;
  #hasMutations = false;
  /** False for logs with only the conversation. */
  #hasTurns = false;
  /** Logs from before history mutations contain the complete history. */
  #oldHistory: readonly unknown[] = [];

  add(entry: SessionLogEntry): void {
    this.#first ??= entry;
    this.#last = entry;
    if (entry.event === 'prompt' || entry.event === 'user') this.#hasTurns = true;
    if (entry.event === 'history_mutation') this.#hasMutations = true;
    else if (!this.#hasMutations && (entry.event === 'pre_run' || entry.event === 'assistant')) {
      if (Array.isArray(entry.history)) this.#oldHistory = entry.history;
    }
    this.#fold.apply(entryOf(entry, ++this.#count));
  }

  finish(): SessionReplayRecord {
    const state = this.#state();
    const { messages, added } = recoverTurn(state);
    const { name, systemPrompt, toolSchemas } = state;
    return {
      sessionId: state.sessionId || (this.#first?.sessionId ?? ''),
      cwd: state.cwd,
      ...(name !== undefined && { name }),
      createdAt: this.#first?.timestamp ?? '',
      updatedAt: this.#last?.timestamp ?? '',
      messages: [...messages],
      history: this.#history(state, messages, added),
      ...(systemPrompt !== undefined && { systemPrompt }),
      ...(toolSchemas && { toolSchemas: [...toolSchemas] }),
      backgroundTaskEvents: state.backgroundTaskEvents,
      backgroundJobGroupEvents: state.backgroundJobGroupEvents,
      memoryEvents: state.memoryEvents,
      recoveredToolMessages: added.filter(({ role }) => role === 'tool'),
      hasPlaceholders: messages.some(holdsPlaceholder),
    };
  }

  #state(): SessionState {
    const { state } = this.#fold;
    if (this.#hasMutations) return state;
    return { ...state, messages: this.#oldHistory.map(toMessage) as Message[] };
  }

  #history(
    { timeline, turn }: SessionState,
    messages: readonly Message[],
    added: readonly Message[],
  ): HistoryEntry[] {
    if (!this.#hasTurns) {
      const events = timeline.filter(({ category }) => category === 'event');
      const chat = messages.filter(({ role }) => role !== 'system').map(messageToHistoryEntry);
      return [...reviveDates(events), ...chat];
    }
    const reply = turn?.reply ? [turn.reply] : [];
    const recovered = added.filter(({ role, content }) => role === 'assistant' && content);
    return reviveDates([...timeline, ...reply, ...recovered.map(messageToHistoryEntry)]);
  }
}

/** Old logs contain timeline entries or messages; both become messages. */
function toMessage(value: unknown): unknown {
  const entry = value as { readonly category?: unknown; readonly data?: unknown };
  return entry.category === 'chat' ? entry.data : value;
}

function holdsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('[REDACTED');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsPlaceholder);
}
