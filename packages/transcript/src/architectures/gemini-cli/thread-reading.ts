import { asArray, asId, asRecord, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import { type Assembly, assembleBlocks } from './assemble-blocks.ts';
import { CallRegistry } from './call-registry.ts';
import type { GeminiMessage, OnSkipped } from './gemini-message.ts';
import { MessageLedger, type TranscriptView } from './message-ledger.ts';
import { textOf } from './message-parts.ts';
import { readMessage } from './read-message.ts';
import { SessionFacts } from './session-facts.ts';

/** Reads the records of one chat file: the main one or a subagent's. */
export class ThreadReading {
  readonly facts = new SessionFacts();
  readonly #ledger: MessageLedger;
  readonly #view: TranscriptView;
  readonly #onSkipped: OnSkipped;
  #startedAt: string | undefined;
  #endedAt = new Date(0).toISOString();
  #task: string | undefined;
  #isAfterHeader = false;

  constructor(view: TranscriptView, onSkipped: OnSkipped) {
    this.#view = view;
    this.#onSkipped = onSkipped;
    this.#ledger = new MessageLedger(view);
  }

  /** The time of the first header or message. */
  get startedAt(): string {
    return this.#startedAt ?? this.#endedAt;
  }

  /** The time of the last message. */
  get endedAt(): string {
    return this.#endedAt;
  }

  /** The text of the first user message, which is a subagent's task. */
  get task(): string | undefined {
    return this.#task;
  }

  /** Time of the last record of the call; for a finished call, its end. */
  callRecordedAt(callId: string): string | undefined {
    return this.#ledger.calls.get(callId)?.timestamp;
  }

  /** Detects the record type in the same order as the program itself. */
  add(record: JsonRecord, offset = -1): void {
    this.#ledger.offset = offset;
    const wasHeader = this.#isAfterHeader;
    const id = asId(record.id);
    this.#isAfterHeader = false;
    if (typeof record.$rewindTo === 'string') this.#ledger.rewind(record.$rewindTo);
    else if (id !== undefined) this.#append(record, id);
    else if (isRecord(record.$set)) this.#set(record.$set, wasHeader);
    else if (isHeader(record)) this.#header(record);
    else this.#onSkipped(`record/${Object.keys(record)[0] ?? 'empty'}`);
  }

  assemble(): Assembly {
    const entries = this.#ledger.entries();
    return assembleBlocks({
      entries,
      calls: this.#view === 'full' ? this.#ledger.calls : callsOf(entries),
      view: this.#view,
    });
  }

  #header(record: JsonRecord): void {
    this.#isAfterHeader = true;
    this.#startedAt ??= asString(record.startTime);
    this.facts.readFields(record);
    for (const message of asArray(record.messages)) {
      const id = asId(asRecord(message).id);
      if (id !== undefined) this.#append(asRecord(message), id);
      else this.#onSkipped('message/untyped');
    }
  }

  #append(record: JsonRecord, id: string): void {
    this.#ledger.append(this.#read(record, id));
  }

  #set(fields: JsonRecord, isAfterHeader: boolean): void {
    this.facts.readFields(fields);
    for (const key of Object.keys(fields)) {
      if (!SET_FIELDS.has(key)) this.#onSkipped(`$set/${key}`);
    }
    if (!Array.isArray(fields.messages)) return;
    const messages = fields.messages.flatMap((value) => {
      const record = asRecord(value);
      const id = asId(record.id);
      return id === undefined ? [] : [this.#read(record, id)];
    });
    const isRestart = isAfterHeader && messages.every(isEmpty);
    this.#ledger.checkpoint(messages, isRestart);
  }

  #read(record: JsonRecord, id: string): GeminiMessage {
    const message = readMessage(record, id, this.#onSkipped);
    if (!MESSAGE_TYPES.has(message.type)) this.#onSkipped(`message/${message.type}`);
    this.#startedAt ??= message.timestamp;
    if (message.timestamp > this.#endedAt) this.#endedAt = message.timestamp;
    this.#task ??= message.sent ?? userText(message);
    this.facts.readContext(record);
    this.facts.readMessage(message);
    return message;
  }
}

/** The first record of a chat file, or a whole file from before 0.39. */
export function isHeader(record: JsonRecord): boolean {
  return typeof record.sessionId === 'string' && typeof record.projectHash === 'string';
}

function callsOf(entries: readonly { readonly message: GeminiMessage }[]): CallRegistry {
  const calls = new CallRegistry();
  for (const { message } of entries) calls.register(message);
  return calls;
}

function userText({ userContent }: GeminiMessage): string | undefined {
  return userContent === undefined || typeof userContent === 'string'
    ? userContent
    : textOf(userContent);
}

function isEmpty({ userContent, snapshot, text, calls, responses }: GeminiMessage): boolean {
  const hasNoText = userContent === undefined && snapshot === undefined && text === '';
  return hasNoText && calls.length + responses.length === 0;
}

const MESSAGE_TYPES: ReadonlySet<string> = new Set(['user', 'gemini', 'info', 'warning', 'error']);

const SET_FIELDS: ReadonlySet<string> = new Set([
  'messages',
  'lastUpdated',
  'summary',
  'directories',
  'memoryScratchpad',
  'sessionId',
  'projectHash',
  'startTime',
  'kind',
]);
