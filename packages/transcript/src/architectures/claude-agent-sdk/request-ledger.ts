import { asId, asNumber, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { ModelRequest, RequestCause } from '../../model-request.ts';
import type { TokenUsage } from '../../session-metadata.ts';

/** A request of one thread, before it is known which thread that is. */
export interface FoundRequest {
  readonly id: string;
  readonly at: string;
  readonly model: string | undefined;
  /** Where its first line stands in its file. */
  readonly offset: number;
  readonly isCopy: boolean;
  readonly usage: TokenUsage;
}

/** The model's messages of one thread, each once however many lines it is spread over. */
export class RequestLedger {
  readonly #byMessage = new Map<string, FoundRequest>();

  /** A later record of the same message knows more. */
  record(line: JsonRecord, message: JsonRecord, offset: number): void {
    const id = asId(message.id);
    if (id === undefined || message.model === '<synthetic>') return;
    // Of a session that came from another agent: nobody was asked, and an estimate is no usage.
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
      isCopy: line.forkedFrom !== undefined,
    };
    this.#byMessage.set(id, { ...first, usage: toUsage(given) });
  }

  found(): readonly FoundRequest[] {
    return [...this.#byMessage.values()];
  }
}

export function toModelRequest(
  { offset: _offset, isCopy, ...request }: FoundRequest,
  thread: string,
  cause: RequestCause,
): ModelRequest {
  const promptTokens = promptTokensOf(request.usage);
  return { ...request, thread, cause, promptTokens, ...(isCopy && { isCopy }) };
}

/** This vendor counts cached tokens apart from the input. */
export function promptTokensOf(usage: TokenUsage): number {
  return usage.inputTokens + (usage.cacheReadTokens ?? 0) + (usage.cacheWriteTokens ?? 0);
}

/** Also reads the totals by model that the program reports at the end of a turn. */
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
