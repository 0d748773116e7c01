import { asNumber, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';

/** What the lines say about a thread as a whole, and what its model requests cost. */
export class SessionFacts {
  readonly #usageByResponse = new Map<string, TokenUsage>();
  #meta: JsonRecord | undefined;
  #model: string | undefined;
  #turnId: string | undefined;
  #total: TokenUsage | undefined;
  #copied: TokenUsage | undefined;

  /** The first line that says what this thread is; a copy of the parent's may follow. */
  get meta(): JsonRecord {
    return this.#meta ?? {};
  }

  get model(): string | undefined {
    return this.#model;
  }

  get turnId(): string | undefined {
    return this.#turnId;
  }

  readMeta(payload: JsonRecord): void {
    this.#meta ??= payload;
  }

  readContext(payload: JsonRecord): void {
    this.#model = asString(payload.model) ?? this.#model;
  }

  startTurn(turnId: string | undefined): void {
    this.#turnId = turnId;
  }

  /** Since 0.148: one record a model request. */
  readUsageRecord(payload: JsonRecord): void {
    const id = asString(payload.response_id) ?? `request:${this.#usageByResponse.size}`;
    this.#usageByResponse.set(id, toUsage(asRecord(payload.usage)));
  }

  /** The running total of the thread; a fork made before 0.148 begins with a copy of its parent's. */
  readTokenCount(payload: JsonRecord): void {
    const info = asRecord(payload.info);
    if (info.total_token_usage === undefined) return;
    this.#total = toUsage(asRecord(info.total_token_usage));
    const threadId = asString(this.meta.id);
    const isFork = this.meta.forked_from_id !== undefined && threadId !== undefined;
    // Ids of threads and turns begin with the time they were made.
    if (isFork && this.#turnId !== undefined && this.#turnId < threadId) this.#copied = this.#total;
  }

  usage(): TokenUsage | undefined {
    if (this.#usageByResponse.size > 0) return sumUsage(this.#usageByResponse.values());
    if (this.#total === undefined) return undefined;
    return this.#copied === undefined ? this.#total : minus(this.#total, this.#copied);
  }

  metadata(): SessionMetadata {
    const { id, cwd, cli_version, git, source, forked_from_id, timestamp } = this.meta;
    return compact({
      sessionId: asString(id),
      cwd: asString(cwd),
      version: asString(cli_version),
      gitBranch: asString(asRecord(git).branch),
      startedAt: asString(timestamp),
      source: asString(source),
      forkedFrom: asString(forked_from_id),
      model: this.#model,
      usage: this.usage(),
      usageByMessage:
        this.#usageByResponse.size === 0 ? undefined : Object.fromEntries(this.#usageByResponse),
    });
  }
}

/** Cached tokens are part of the input, reasoning is part of the output; the program's own total can be a filler. */
export function toUsage(usage: JsonRecord): TokenUsage {
  const count = (snake: string, camel: string) => asNumber(usage[snake] ?? usage[camel]);
  const inputTokens = count('input_tokens', 'inputTokens') ?? 0;
  const outputTokens = count('output_tokens', 'outputTokens') ?? 0;
  return compact({
    inputTokens,
    outputTokens,
    cacheReadTokens: count('cached_input_tokens', 'cachedInputTokens'),
    cacheWriteTokens: count('cache_write_input_tokens', 'cacheWriteInputTokens'),
    thinkingTokens: count('reasoning_output_tokens', 'reasoningOutputTokens'),
    totalTokens: inputTokens + outputTokens,
  });
}

function minus(total: TokenUsage, part: TokenUsage): TokenUsage {
  const less = (key: keyof TokenUsage) => Math.max(0, (total[key] ?? 0) - (part[key] ?? 0));
  return compact({
    inputTokens: less('inputTokens'),
    outputTokens: less('outputTokens'),
    cacheReadTokens: total.cacheReadTokens === undefined ? undefined : less('cacheReadTokens'),
    cacheWriteTokens: total.cacheWriteTokens === undefined ? undefined : less('cacheWriteTokens'),
    thinkingTokens: total.thinkingTokens === undefined ? undefined : less('thinkingTokens'),
    totalTokens: less('totalTokens'),
  });
}
