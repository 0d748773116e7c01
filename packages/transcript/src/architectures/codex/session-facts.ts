import { asId, asNumber, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { ModelRequest, RequestCause } from '../../model-request.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';
import type { RecordPlace } from './record-place.ts';

/** Metadata of a thread and the usage of its model requests. */
export class SessionFacts {
  readonly #usageByResponse = new Map<string, TokenUsage>();
  readonly #requests = new Map<string, FoundRequest>();
  #meta: JsonRecord | undefined;
  #model: string | undefined;
  #turnId: string | undefined;
  #total: TokenUsage | undefined;
  #copied: TokenUsage | undefined;

  /** The first metadata line; a copy of the parent's may follow. */
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

  /** Since 0.148: one record per model request. */
  readUsageRecord(payload: JsonRecord, at: RecordPlace): void {
    const usage = toUsage(asRecord(payload.usage));
    const id = asId(payload.response_id) ?? `request:${this.#usageByResponse.size}`;
    // Counters restart in every rollout, so the thread id makes them unique.
    const requestId = asId(payload.response_id) ?? `${String(this.meta.id)}:${id}`;
    this.#usageByResponse.set(id, usage);
    this.#addRequest({ id: requestId, at: at.timestamp, usage, isCopy: false });
  }

  /** The last request of the same turn wrote the summary. */
  compacted(): void {
    const last = [...this.#requests.values()].at(-1);
    if (last !== undefined && last.turnId === this.#turnId) {
      this.#requests.set(last.id, { ...last, cause: 'compaction' });
    }
  }

  /** All requests; before 0.148 they are derived from the running totals. */
  requests(thread: string): ModelRequest[] {
    return [...this.#requests.values()].map(({ turnId: _turnId, cause, isCopy, ...request }) => ({
      ...request,
      cause: cause ?? (thread === 'main' ? 'turn' : 'subagent'),
      thread,
      promptTokens: request.usage.inputTokens,
      ...(isCopy && { isCopy }),
    }));
  }

  /** The running total of the thread; a fork made before 0.148 begins with a copy of its parent's. */
  readTokenCount(payload: JsonRecord, at: RecordPlace): void {
    const info = asRecord(payload.info);
    if (info.total_token_usage === undefined) return;
    const before = this.#total?.totalTokens ?? 0;
    this.#total = toUsage(asRecord(info.total_token_usage));
    // Size of a history handed over from another agent; the program continues counting from it.
    if (payload.is_estimate === true) {
      this.#copied = this.#total;
      return;
    }
    const threadId = asString(this.meta.id);
    const isFork = this.meta.forked_from_id !== undefined && threadId !== undefined;
    // Ids of threads and turns begin with their creation time.
    const isCopy = isFork && this.#turnId !== undefined && this.#turnId < threadId;
    if (isCopy) this.#copied = this.#total;
    if (this.#usageByResponse.size > 0 || this.#total.totalTokens === before) return;
    const id = `${this.#turnId ?? String(threadId)}:${this.#total.totalTokens}`;
    const usage = toUsage(asRecord(info.last_token_usage));
    this.#addRequest({ id, at: at.timestamp, usage, isCopy });
  }

  #addRequest(request: Pick<FoundRequest, 'id' | 'at' | 'usage' | 'isCopy'>): void {
    const { id } = request;
    this.#requests.set(id, {
      ...request,
      model: this.#model,
      turnId: this.#turnId,
      cause: undefined,
    });
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

interface FoundRequest extends Pick<ModelRequest, 'id' | 'at' | 'model' | 'usage'> {
  readonly isCopy: boolean;
  readonly turnId: string | undefined;
  readonly cause: RequestCause | undefined;
}

/** Cached tokens are part of the input and reasoning part of the output; the program's own total is not reliable. */
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
