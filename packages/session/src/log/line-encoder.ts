import type { ExternalPayloadReference, PayloadWriter } from './external-payload.ts';
import { type FoldedMessage, type HistoryChange, HistoryFold } from './history-fold.ts';
import { type EpochVariants, type HistoryReference, referTo } from './history-reference.ts';
import { isMessageLike, type MessageLike, referToMessage } from './message-reference.ts';
import { NativeRequestWriter } from './native-requests.ts';
import type { LogTail } from './read-log-tail.ts';
import type { SessionLogData } from './session-logger.ts';

/** Texts shorter than this are repeated rather than referred to. */
const TEXT_REFERENCE_MIN = 128;
/** Tool schemas repeat in every request, so they move out of the line early. */
const SCHEMAS_INLINE_MAX = 1024;
const RECENT_MESSAGES = 16;
/** The fields that may be written as a reference, and `mutation`, which changes what references mean. */
const ENCODED_FIELDS = new Set([
  'historyStructure',
  'messages',
  'history',
  'message',
  'response',
  'tools',
  'toolSchemas',
  'payload',
  'content',
  'input',
  'mutation',
]);

/** Writes what is new in an event and refers to what the log of this session already holds. */
export class LineEncoder {
  readonly #payloads: PayloadWriter;
  readonly #fold = new HistoryFold<FoldedMessage>();
  readonly #requests = new NativeRequestWriter();
  readonly #recent = new Map<string, MessageLike>();
  readonly #schemas = new WeakMap<object, ExternalPayloadReference>();
  #variants: EpochVariants = { epoch: 0, byIndex: new Map() };
  #lastUserText: string | undefined;

  constructor(payloads: PayloadWriter) {
    this.#payloads = payloads;
  }

  /** Goes on after what an earlier process wrote. */
  resume({ epoch, messages, hasSystem }: LogTail): void {
    this.#fold.resume(epoch, messages, hasSystem ? messages[0] : undefined);
  }

  encode(event: string, data: SessionLogData): SessionLogData {
    if (!hasEncodedField(data)) return data;
    const line: SessionLogData = {};
    for (const key of Object.keys(data)) line[key] = this.#encodeField(event, key, data);
    if (event === 'history_mutation') this.#applyMutation(data, line);
    if (event === 'user' && typeof data.content === 'string') this.#lastUserText = data.content;
    return line;
  }

  #encodeField(event: string, key: string, data: SessionLogData): SessionLogData[string] {
    switch (key) {
      case 'historyStructure':
        return this.#structureReference(event, data);
      case 'messages':
      case 'history':
        return this.#listReference(data[key]);
      case 'message':
      case 'response':
        return this.#messageReference(data[key]);
      case 'tools':
      case 'toolSchemas':
        return this.#schemasReference(data[key]);
      case 'payload':
        return data.payloadKind === 'request'
          ? (this.#requests.shorten(data[key]) as object)
          : data[key];
      case 'content':
      case 'input':
        return this.#textReference(event, data[key]);
      default:
        return data[key];
    }
  }

  #applyMutation(data: SessionLogData, line: SessionLogData): void {
    this.#fold.apply(data as HistoryChange<FoldedMessage>);
    line.epoch = this.#fold.epoch;
    if (this.#fold.hasSystem) line.system = true;
    if (data.mutation !== 'truncate') line.length = this.#fold.messages.length;
  }

  #listReference(value: SessionLogData[string]): SessionLogData[string] {
    if (!Array.isArray(value) || value.length === 0) return value;
    return referTo(value, this.#fold.messages, this.#currentVariants()) ?? value;
  }

  #currentVariants(): EpochVariants {
    const { epoch } = this.#fold;
    if (this.#variants.epoch !== epoch) this.#variants = { epoch, byIndex: new Map() };
    return this.#variants;
  }

  /** Derived from the history beside it, so it is never computed just to be written. */
  #structureReference(event: string, data: SessionLogData): SessionLogData[string] {
    const { epoch, messages } = this.#fold;
    if (event !== 'assistant' || messages.length === 0) return data.historyStructure;
    const reference: HistoryReference = {
      kind: 'history-reference',
      epoch,
      length: messages.length,
    };
    return reference;
  }

  #messageReference(value: SessionLogData[string]): SessionLogData[string] {
    if (!isMessageLike(value)) return value;
    const known = this.#recent.get(value.id);
    this.#recent.delete(value.id);
    this.#recent.set(value.id, value);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > RECENT_MESSAGES && oldest !== undefined) this.#recent.delete(oldest);
    return known ? (referToMessage(known, value) ?? value) : value;
  }

  #schemasReference(value: SessionLogData[string]): SessionLogData[string] {
    if (!Array.isArray(value) || value.length === 0) return value;
    const known = this.#schemas.get(value);
    if (known) return known;
    const json = JSON.stringify(value);
    if (json.length <= SCHEMAS_INLINE_MAX) return value;
    const reference = this.#payloads.store(json);
    this.#schemas.set(value, reference);
    return reference;
  }

  #textReference(event: string, value: SessionLogData[string]): SessionLogData[string] {
    if (typeof value !== 'string' || value.length < TEXT_REFERENCE_MIN) return value;
    if (event === 'pre_run' && value === this.#lastUserText) {
      return { kind: 'text-reference', event: 'user' };
    }
    const last = this.#fold.messages.at(-1) as { id?: unknown; content?: unknown } | undefined;
    if (event === 'assistant' && last?.content === value && typeof last.id === 'string') {
      return { kind: 'text-reference', message: last.id };
    }
    return value;
  }
}

function hasEncodedField(data: SessionLogData): boolean {
  for (const key in data) if (ENCODED_FIELDS.has(key)) return true;
  return false;
}
