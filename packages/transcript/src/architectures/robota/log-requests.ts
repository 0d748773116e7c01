import type { Entry } from '@robota-sdk/agent-core/log';
import { asNumber, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { ModelRequest, RequestCause } from '../../model-request.ts';
import { parseLine } from '../../parse-line.ts';

/** The model requests of one log; those a fork inherits are not counted. */
export class LogRequests {
  readonly requests: ModelRequest[] = [];
  /** The session this one was forked from. */
  origin: string | undefined;
  #sessionId = '';
  #model: string | undefined;
  #request: { readonly round: string; readonly cause: RequestCause } | undefined;

  apply(entry: Entry): void {
    // Requests of subagents have their own entries in the parent's log.
    if (entry.thread !== undefined) return;
    const fields: JsonRecord = entry;
    switch (entry.event) {
      case 'session_init':
        this.#sessionId ||= asString(fields.sessionId) ?? '';
        this.#model = asString(fields.model) ?? this.#model;
        break;
      case 'session_restored':
        this.origin ??= asString(fields.origin);
        break;
      case 'model_changed':
        this.#model = asString(fields.model) ?? this.#model;
        break;
      case 'provider_request':
        this.#request = {
          round: roundOf(fields),
          cause: fields.cause === 'compaction' ? 'compaction' : 'turn',
        };
        break;
      case 'provider_retry':
        if (this.#request?.cause !== 'compaction')
          this.#request = { round: roundOf(fields), cause: 'retry' };
        break;
      case 'provider_response_normalized':
        this.#answered(entry, asRecord(fields.response));
        break;
      case 'compaction_request':
        this.#add(entry, 'compaction', usageIn(fields.usage));
        break;
      case 'subagent_usage':
        this.#add(entry, 'subagent', usageIn(fields.usage));
        break;
      default:
    }
  }

  #answered(entry: Entry, response: JsonRecord): void {
    const { metadata } = response;
    const cause = this.#request?.round === roundOf(entry) ? this.#request.cause : 'turn';
    const kept = asRecord(metadata);
    this.#add(entry, cause, usageIn(kept) ?? usageIn(kept.usage) ?? usageIn(response.usage));
  }

  #add(entry: Entry, cause: RequestCause, counted: Counted | undefined): void {
    if (counted === undefined) return;
    const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, thinkingTokens } =
      counted;
    const fields: JsonRecord = entry;
    this.requests.push({
      id: `${this.#sessionId}:${entry.n}`,
      at: new Date(entry.time).toISOString(),
      model: asString(fields.model) ?? this.#model,
      cause,
      thread: asString(fields.agentId) ?? 'main',
      usage: {
        inputTokens,
        outputTokens,
        ...(cacheReadTokens !== undefined && { cacheReadTokens }),
        ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
        ...(thinkingTokens !== undefined && { thinkingTokens }),
        totalTokens: inputTokens + outputTokens,
      },
      promptTokens: inputTokens,
    });
  }
}

interface Counted {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  readonly thinkingTokens: number | undefined;
}

/** Input includes cached tokens, output includes reasoning. */
function usageIn(value: unknown): Counted | undefined {
  const usage = asRecord(typeof value === 'string' ? parseLine(value) : value);
  const inputTokens = asNumber(usage.inputTokens) ?? asNumber(usage.promptTokens);
  const outputTokens = asNumber(usage.outputTokens) ?? asNumber(usage.completionTokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: asNumber(usage.cacheReadTokens),
    cacheWriteTokens: asNumber(usage.cacheWriteTokens),
    thinkingTokens: asNumber(usage.reasoningTokens),
  };
}

function roundOf(entry: JsonRecord): string {
  return `${String(entry.executionId)}:${String(entry.round)}`;
}
