import type { Entry } from './entry.ts';
import { type FoldedMessage, type HistoryChange, HistoryFold } from './history-fold.ts';
import type { Variants } from './history-reference.ts';

export interface KnownMessage extends FoldedMessage {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Location of a text that a later line may refer to: the number of its line and the field. */
export type TextPlace = readonly [n: number, field: string];

/** Fields that a line omits while they equal those of the line before, with their letters. */
export const SCOPE_FIELDS = [
  ['executionId', 'e'],
  ['conversationId', 'c'],
  ['round', 'r'],
  ['batchId', 'b'],
  ['provider', 'p'],
  ['model', 'm'],
] as const;

type ScopeField = (typeof SCOPE_FIELDS)[number][0];
/** Values of the scope fields after the lines so far. */
type Scope = Record<ScopeField, unknown>;

/** All fields are present from the start, so that every scope has the same object shape. */
function emptyScope(): Scope {
  return {
    executionId: undefined,
    conversationId: undefined,
    round: undefined,
    batchId: undefined,
    provider: undefined,
    model: undefined,
  };
}

export const SCOPE_BY_LETTER: Readonly<Record<string, ScopeField>> = Object.fromEntries(
  SCOPE_FIELDS.map(([field, letter]) => [letter, field]),
);

/** Events that write their whole scope, so that a lost line damages one round at most. */
export const FULL_SCOPE_EVENTS: ReadonlySet<string> = new Set([
  'provider_request',
  'session_init',
  'tool_batch_started',
]);

/**
 * Events that no fold reads. They never change the scope and are never referred to, so a reader may skip them unparsed.
 */
export const SKIPPED_EVENTS: ReadonlySet<string> = new Set([
  'text_delta',
  'pre_run',
  'provider_native_raw_payload',
]);

export const MESSAGE_FIELDS: ReadonlySet<string> = new Set(['message', 'response']);
export const LIST_FIELDS: ReadonlySet<string> = new Set(['messages', 'history']);
export const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['tools', 'toolSchemas']);

/** Fields whose texts later lines repeat, by event. */
const TEXT_SOURCES: Readonly<Record<string, string>> = {
  prompt: 'display',
  user: 'content',
  tool_execution_result: 'result',
};

const TEXT_EVENTS: ReadonlySet<string> = new Set([
  ...Object.keys(TEXT_SOURCES),
  'history_mutation',
]);

/** The field with the parameters of a call, by event. */
export const PARAMETER_FIELDS: Readonly<Record<string, string>> = {
  tool_execution_request: 'parameters',
  tool_call: 'input',
  permission_request: 'toolArgs',
};

/** References reach back at most this many lines; older values are written again. */
const MAX_DISTANCE = 512;
/** Values are dropped in batches, some time after the last line that may refer to them. */
const KEPT = 2 * MAX_DISTANCE;
const FORGET_EVERY = 64;

/**
 * What writer and reader both know after a line; references are resolved against it. Each header line resets it, except
 * for the conversation.
 */
export class LogMemory {
  scope: Scope = emptyScope();
  history: HistoryFold<FoldedMessage>;
  readonly #isWriter: boolean;
  readonly #messages = new Map<string, { readonly n: number; readonly message: KnownMessage }>();
  readonly #messageAt = new Map<number, KnownMessage>();
  /** Texts of tool results and replies; only the lines right after refer to them. */
  readonly #texts = new Map<string, string>();
  /** Texts of the current prompt; every line of its turn may refer to them. */
  readonly #promptTexts = new Map<string, string>();
  readonly #textPlaces = new Map<string, TextPlace>();
  readonly #parameters = new Map<string, { readonly n: number; readonly value: unknown }>();
  readonly #schemas = new Map<number, unknown>();
  readonly #schemaLines = new Map<unknown, number>();
  #lastUser: { readonly text: string; readonly place: TextPlace } | undefined;
  #variants: { readonly epoch: number; readonly wordings: Variants } | undefined;
  /** Streamed text and thinking of the current round. */
  #replyText = '';
  #thinkingText = '';
  #now = 0;
  #forgottenAt = 0;

  /** Only a writer needs the index from texts to places. */
  constructor(side: 'writer' | 'reader', history = new HistoryFold<FoldedMessage>()) {
    this.#isWriter = side === 'writer';
    this.history = history;
  }

  /** Forgets everything lines refer to, except the conversation and tool schemas. */
  beginPart(): void {
    this.scope = emptyScope();
    this.#messages.clear();
    this.#messageAt.clear();
    this.#texts.clear();
    this.#promptTexts.clear();
    this.#textPlaces.clear();
    this.#parameters.clear();
    this.#lastUser = undefined;
    this.#variants = undefined;
    this.#replyText = '';
    this.#thinkingText = '';
  }

  get replyText(): string {
    return this.#replyText;
  }

  get thinkingText(): string {
    return this.#thinkingText;
  }

  /** The last prompt; hooks may have put text in front of it. */
  get lastUser(): { readonly text: string; readonly place: TextPlace } | undefined {
    return this.#lastUser;
  }

  get variants(): Variants {
    const { epoch } = this.history;
    if (this.#variants?.epoch !== epoch) this.#variants = { epoch, wordings: new Map() };
    return this.#variants.wordings;
  }

  knownMessage(id: unknown): { readonly n: number; readonly message: KnownMessage } | undefined {
    const known = this.#messages.get(String(id));
    return known && this.#isInReach(known.n) ? known : undefined;
  }

  messageAt(n: unknown): KnownMessage | undefined {
    return this.#messageAt.get(Number(n));
  }

  placeOf(text: string): TextPlace | undefined {
    const place = this.#textPlaces.get(text);
    if (place === undefined) return undefined;
    return this.#isInReach(place[0]) || this.#promptTexts.has(keyOf(place)) ? place : undefined;
  }

  textAt(place: unknown): string | undefined {
    const key = keyOf(place);
    return this.#promptTexts.get(key) ?? this.#texts.get(key);
  }

  parametersOf(callId: unknown): { readonly n: number; readonly value: unknown } | undefined {
    const known = this.#parameters.get(String(callId));
    return known && this.#isInReach(known.n) ? known : undefined;
  }

  parametersAt(n: unknown): unknown {
    for (const known of this.#parameters.values()) if (known.n === n) return known.value;
    return undefined;
  }

  schemaLine(schemas: unknown): number | undefined {
    return this.#schemaLines.get(schemas);
  }

  schemasAt(n: unknown): unknown {
    return this.#schemas.get(Number(n));
  }

  /** Records an entry after it was written or resolved. */
  remember(entry: Entry): void {
    // Fields are read by name because this runs for every line.
    const { message, response, tools, toolSchemas } = entry;
    if (message !== undefined) this.#rememberMessage(entry.n, message);
    if (response !== undefined) this.#rememberMessage(entry.n, response);
    if (tools !== undefined) this.#rememberSchemas(entry.n, tools);
    if (toolSchemas !== undefined) this.#rememberSchemas(entry.n, toolSchemas);
    if (TEXT_EVENTS.has(entry.event)) this.#rememberText(entry);
    switch (entry.event) {
      case 'provider_request':
      case 'provider_retry':
        this.#replyText = '';
        this.#thinkingText = '';
        break;
      case 'tool_execution_request':
        this.#parameters.set(String(entry.toolCallId), { n: entry.n, value: entry.parameters });
        break;
      case 'history_mutation':
        this.history.apply(entry as HistoryChange<FoldedMessage>);
        break;
      case 'session_restored':
        this.#restore(entry.state);
        break;
      default:
    }
    this.#advance(entry.n);
  }

  /** Like `remember`, for a line of streamed text. */
  rememberStreamed(n: number, event: string, text: string): void {
    if (event === 'provider_stream_raw_delta') this.#replyText += text;
    else this.#thinkingText += text;
    this.#advance(n);
  }

  #advance(n: number): void {
    this.#now = n;
    if (n - this.#forgottenAt < FORGET_EVERY) return;
    this.#forgottenAt = n;
    this.#forgetBefore(n - KEPT);
  }

  #isInReach(n: number): boolean {
    return this.#now - n <= MAX_DISTANCE;
  }

  #restore(state: unknown): void {
    const { messages, hasSystem } = (state ?? {}) as {
      readonly messages?: unknown;
      readonly hasSystem?: unknown;
    };
    if (!Array.isArray(messages)) return;
    const epoch = this.history.epoch + 1;
    this.history = new HistoryFold({ epoch, messages, hasSystem: hasSystem === true });
  }

  #rememberMessage(n: number, value: unknown): void {
    if (!isKnownMessage(value) || this.knownMessage(value.id)) return;
    this.#messages.delete(value.id);
    this.#messages.set(value.id, { n, message: value });
    this.#messageAt.set(n, value);
  }

  #rememberSchemas(n: number, value: unknown): void {
    if (!Array.isArray(value) || typeof value[0] !== 'object' || this.#schemaLines.has(value))
      return;
    this.#schemaLines.set(value, n);
    this.#schemas.set(n, value);
  }

  #rememberText(entry: Entry): void {
    const { n, event } = entry;
    const field = TEXT_SOURCES[event] ?? 'content';
    const text = event === 'history_mutation' ? repliedText(entry) : entry[field];
    if (typeof text !== 'string') return;
    const place: TextPlace = [n, field];
    if (event === 'prompt') this.#forgetPrompt();
    if (this.#isWriter) {
      this.#textPlaces.delete(text);
      this.#textPlaces.set(text, place);
    }
    if (event === 'tool_execution_result' || event === 'history_mutation') {
      this.#texts.set(keyOf(place), text);
      return;
    }
    this.#promptTexts.set(keyOf(place), text);
    this.#lastUser = { text, place };
  }

  #forgetPrompt(): void {
    if (this.#isWriter) {
      for (const text of this.#promptTexts.values()) this.#textPlaces.delete(text);
    }
    this.#promptTexts.clear();
  }

  #forgetBefore(n: number): void {
    for (const [id, known] of this.#messages) {
      if (known.n >= n) break;
      this.#messages.delete(id);
      this.#messageAt.delete(known.n);
    }
    for (const [text, [line]] of this.#textPlaces) {
      if (line >= n) break;
      this.#textPlaces.delete(text);
    }
    for (const place of this.#texts.keys()) {
      if (Number.parseInt(place, 10) >= n) break;
      this.#texts.delete(place);
    }
    for (const [id, known] of this.#parameters) {
      if (known.n >= n) break;
      this.#parameters.delete(id);
    }
  }
}

function keyOf(place: unknown): string {
  return Array.isArray(place) ? `${String(place[0])},${String(place[1])}` : String(place);
}

/** The text of a reply, which the next request repeats. */
function repliedText({ message }: Entry): unknown {
  const { role, content } = (message ?? {}) as {
    readonly role?: unknown;
    readonly content?: unknown;
  };
  return role === 'assistant' ? content : undefined;
}

export function isKnownMessage(value: unknown): value is KnownMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { readonly id?: unknown }).id === 'string'
  );
}
