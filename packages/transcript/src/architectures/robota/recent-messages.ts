import { asRecord, asString, type JsonRecord } from '../../json-record.ts';

/** Messages seen in full, by id: the log writes a message once and refers to it soon after. */
export class RecentMessages {
  readonly #messages = new Map<string, JsonRecord>();

  remember(value: unknown): void {
    const message = asRecord(value);
    const id = asString(message.id);
    if (id === undefined || message.role === undefined) return;
    this.#messages.set(id, message);
    const [oldest] = this.#messages.keys();
    if (this.#messages.size > CAPACITY && oldest !== undefined) this.#messages.delete(oldest);
  }

  /** The message a value is or refers to. */
  resolve(value: unknown): JsonRecord {
    const message = asRecord(value);
    if (message.kind !== 'message-reference') return message;
    return this.#messages.get(asString(message.id) ?? '') ?? message;
  }
}

const CAPACITY = 64;
