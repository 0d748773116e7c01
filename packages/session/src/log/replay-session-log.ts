import {
  type HistoryEntry,
  type Message,
  messageToHistoryEntry,
  repairToolPairs,
  type SessionLogEntry,
} from '@robota-sdk/agent-core';
import { reviveDates } from '../revive-dates.ts';
import { type FoldedMessage, type HistoryChange, HistoryFold } from './history-fold.ts';
import { type ReadSessionLogOptions, readEntryBatches } from './read-session-log.ts';
import { type LoggedToolResult, uncommittedResults } from './tool-outcomes.ts';

/** What a log says the session was when it ended. */
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
  /** Tool results a crash had left out, already part of `messages`; the next writer appends them. */
  readonly recoveredToolMessages: readonly Message[];
  /** Something in the messages reads `[REDACTED…]`: the model saw more than the log keeps. */
  readonly hasPlaceholders: boolean;
}

/** Folds entries into the conversation that really was current, after clear and compaction too. */
export function replaySessionLogEntries(entries: Iterable<SessionLogEntry>): SessionReplayRecord {
  const replay = new SessionReplay();
  for (const entry of entries) replay.add(entry);
  return replay.finish();
}

/** The same from a file, however long, in memory for the conversation alone. */
export async function replaySessionLog(
  file: string,
  options: ReadSessionLogOptions = {},
): Promise<SessionReplayRecord> {
  const replay = new SessionReplay();
  for await (const entries of readEntryBatches(file, options)) {
    for (const entry of entries) replay.add(entry);
  }
  return replay.finish();
}

type TimelineItem =
  | { readonly kind: 'event'; readonly entry: HistoryEntry }
  | { readonly kind: 'chat'; readonly message: FoldedMessage };

class SessionReplay {
  readonly #fold = new HistoryFold<FoldedMessage>();
  readonly #results = new Map<string, LoggedToolResult>();
  readonly #background: unknown[] = [];
  readonly #groups: unknown[] = [];
  readonly #memory: unknown[] = [];
  #timeline: TimelineItem[] = [];
  #first: SessionLogEntry | undefined;
  #last: SessionLogEntry | undefined;
  #init: SessionLogEntry | undefined;
  #name: string | undefined;
  #hasMutations = false;
  /** Logs without mutations carry their history whole. */
  #oldHistory: SessionLogEntry | undefined;

  add(entry: SessionLogEntry): void {
    this.#first ??= entry;
    this.#last = entry;
    switch (entry.event) {
      case 'history_mutation':
        this.#mutate(entry as SessionLogEntry & HistoryChange<FoldedMessage>);
        break;
      case 'history_entry':
        this.#timeline.push({ kind: 'event', entry: entry.entry as HistoryEntry });
        break;
      case 'tool_execution_request':
        this.#results.delete(String(entry.toolCallId));
        break;
      case 'tool_execution_result':
        this.#results.set(String(entry.toolCallId), entry as unknown as LoggedToolResult);
        break;
      case 'session_init':
        this.#init = entry;
        break;
      case 'session_renamed':
        this.#name = typeof entry.name === 'string' ? entry.name : undefined;
        break;
      case 'pre_run':
      case 'assistant':
        this.#oldHistory = entry;
        break;
      default:
        this.#addExtension(entry);
    }
  }

  finish(): SessionReplayRecord {
    const said = reviveDates(this.#said() as Message[]);
    const known = new Set(said);
    const settled = [...said, ...uncommittedResults(said, this.#results)];
    const messages = [...repairToolPairs(settled)];
    const recovered = messages.filter((message) => message.role === 'tool' && !known.has(message));
    const init = this.#init;
    return {
      sessionId: this.#first?.sessionId ?? '',
      cwd: typeof init?.cwd === 'string' ? init.cwd : '',
      ...(this.#name !== undefined && { name: this.#name }),
      createdAt: this.#first?.timestamp ?? '',
      updatedAt: this.#last?.timestamp ?? '',
      messages,
      history: this.#history(said, recovered),
      ...(typeof init?.systemPrompt === 'string' && { systemPrompt: init.systemPrompt }),
      ...(Array.isArray(init?.toolSchemas) && { toolSchemas: init.toolSchemas }),
      backgroundTaskEvents: this.#background,
      backgroundJobGroupEvents: this.#groups,
      memoryEvents: this.#memory,
      recoveredToolMessages: recovered,
      hasPlaceholders: messages.some(holdsPlaceholder),
    };
  }

  #mutate(entry: SessionLogEntry & HistoryChange<FoldedMessage>): void {
    this.#hasMutations = true;
    this.#fold.apply(entry);
    const { mutation, message } = entry;
    if (mutation === 'append_message' || mutation === 'inject_message') {
      if (message) this.#timeline.push({ kind: 'chat', message });
    } else if (mutation === 'clear') {
      this.#timeline = [];
    }
  }

  #said(): readonly unknown[] {
    if (this.#hasMutations) return this.#fold.messages;
    const history = this.#oldHistory?.history;
    return Array.isArray(history) ? history.map(toMessage) : [];
  }

  #addExtension(entry: SessionLogEntry): void {
    if (entry.event === 'background_task_event')
      this.#background.push(entry.backgroundEvent ?? entry);
    else if (entry.event === 'background_job_group_event') {
      this.#groups.push(entry.backgroundEvent ?? entry);
    } else if (entry.event === 'memory_event') this.#memory.push(entry.memoryEvent ?? entry);
  }

  /** Events where they happened, between the messages that are still part of the conversation. */
  #history(said: readonly Message[], recovered: readonly Message[]): HistoryEntry[] {
    const current = new Map(said.map((message) => [message.id, message]));
    const shown = new Set<string>();
    const timeline = this.#timeline.flatMap((item): HistoryEntry[] => {
      if (item.kind === 'event') return reviveDates([item.entry]);
      const message = current.get(String(item.message.id));
      if (!message || message.role === 'system' || shown.has(message.id)) return [];
      shown.add(message.id);
      return [messageToHistoryEntry(message)];
    });
    const rest = said.filter((message) => message.role !== 'system' && !shown.has(message.id));
    return [...timeline, ...[...rest, ...recovered].map(messageToHistoryEntry)];
  }
}

/** Old logs hold timeline entries or messages; both become messages. */
function toMessage(value: unknown): unknown {
  const entry = value as { category?: unknown; data?: unknown };
  return entry.category === 'chat' ? entry.data : value;
}

function holdsPlaceholder(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('[REDACTED');
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(holdsPlaceholder);
}
