import { asId, asNumber, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { ModelRequest, RequestCause } from '../../model-request.ts';
import type { TokenUsage } from '../../session-metadata.ts';

/** A request of one thread whose id is not known yet. */
export interface FoundRequest {
  readonly id: string;
  readonly at: string;
  readonly model: string | undefined;
  /** Offset of its first line in its file. */
  readonly offset: number;
  readonly isCopy: boolean;
  readonly usage: TokenUsage;
}

/** The model messages of one thread, each once, however many lines it spans. */
export class RequestLedger {
  readonly #byMessage = new Map<string, FoundRequest>();
  #begunAt: number | undefined;

  /** The time of a line before the conversation: the session began then, so older messages were copied by a fork. */
  begin(timestamp: string): void {
    this.#begunAt = Date.parse(timestamp) || this.#begunAt;
  }

  /** A later record of the same message has newer counts. */
  record(line: JsonRecord, message: JsonRecord, offset: number): void {
    const id = asId(message.id);
    if (id === undefined || message.model === '<synthetic>') return;
    // A line handed over from another agent: no request was made, and the usage is an estimate.
    if (line.usageIsEstimate === true) return;
    const given = asRecord(message.usage);
    const known = this.#byMessage.get(id);
    if (known !== undefined && (asNumber(given.output_tokens) ?? 0) <= known.usage.outputTokens)
      return;
    const first = known ?? {
      id,
      at: asString(line.timestamp) ?? '',
      model: asString(message.model),
      offset,
      isCopy: line.forkedFrom !== undefined || this.#isOlder(line),
    };
    this.#byMessage.set(id, { ...first, usage: toUsage(given) });
  }

  #isOlder({ timestamp }: JsonRecord): boolean {
    if (this.#begunAt === undefined || typeof timestamp !== 'string') return false;
    return Date.parse(timestamp) < this.#begunAt - JITTER_MS;
  }

  found(): readonly FoundRequest[] {
    return [...this.#byMessage.values()];
  }
}

/** Lines written together are not always in the order of their times. */
const JITTER_MS = 1000;

export function toModelRequest(
  { offset: _offset, isCopy, ...request }: FoundRequest,
  thread: string,
  cause: RequestCause,
): ModelRequest {
  const promptTokens = promptTokensOf(request.usage);
  return { ...request, thread, cause, promptTokens, ...(isCopy && { isCopy }) };
}

/** Anthropic counts cached tokens separately from the input. */
export function promptTokensOf(usage: TokenUsage): number {
  return usage.inputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0);
}

/** Also reads the per-model totals from the end of a turn. */
export function toUsage(usage: JsonRecord): TokenUsage {
  const inputTokens = asNumber(usage.input_tokens ?? usage.inputTokens) ?? 0;
  const outputTokens = asNumber(usage.output_tokens ?? usage.outputTokens) ?? 0;
  const cacheReadTokens =
    asNumber(usage.cache_read_input_tokens ?? usage.cacheReadInputTokens) ?? 0;
  const cacheWriteTokens =
    asNumber(usage.cache_creation_input_tokens ?? usage.cacheCreationInputTokens) ?? 0;
  const hourly = asNumber(
    asRecord(usage.cache_creation).ephemeral_1h_input_tokens ??
      usage.cacheCreationEphemeral1hInputTokens,
  );
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(hourly === undefined || hourly === 0 ? undefined : { cacheWrite1hTokens: hourly }),
    totalTokens: inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens,
  };
}
