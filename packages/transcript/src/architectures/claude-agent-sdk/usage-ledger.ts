import { asNumber, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { TokenUsage } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';

/** Adds up what the model's messages cost, each message once however many records it is spread over. */
export class UsageLedger {
  readonly #byMessage = new Map<string, TokenUsage>();

  /** A later record of the same message knows more; what a fork copied from its parent is not counted. */
  record(line: JsonRecord, message: JsonRecord): void {
    const id = asString(message.id);
    if (id === undefined || message.model === '<synthetic>' || line.forkedFrom !== undefined)
      return;
    const given = asRecord(message.usage);
    const known = this.#byMessage.get(id);
    if (known !== undefined && (asNumber(given.output_tokens) ?? 0) <= known.outputTokens) return;
    this.#byMessage.set(id, toUsage(given));
  }

  total(): TokenUsage | undefined {
    if (this.#byMessage.size === 0) return undefined;
    return sumUsage(this.#byMessage.values());
  }

  /** By message id, so that sessions which share history can be added up without counting it twice. */
  byMessage(): Readonly<Record<string, TokenUsage>> {
    return Object.fromEntries(this.#byMessage);
  }
}

/** Also reads the totals by model that the program reports at the end of a turn. */
export function toUsage(usage: JsonRecord): TokenUsage {
  const inputTokens = asNumber(usage.input_tokens ?? usage.inputTokens) ?? 0;
  const outputTokens = asNumber(usage.output_tokens ?? usage.outputTokens) ?? 0;
  const cacheReadTokens =
    asNumber(usage.cache_read_input_tokens ?? usage.cacheReadInputTokens) ?? 0;
  const cacheWriteTokens =
    asNumber(usage.cache_creation_input_tokens ?? usage.cacheCreationInputTokens) ?? 0;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    totalTokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
  };
}
