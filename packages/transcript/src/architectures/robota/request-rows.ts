import type { Entry } from '@robota-sdk/agent-core/log';
import { asNumber, asRecord, asString } from '../../json-record.ts';
import type { ModelRequest, RequestCause } from '../../model-request.ts';
import { usageOf } from './message-blocks.ts';

/** The answered model requests of one log, each once; a subagent's stand in its own log. */
export class RequestRows {
  readonly #rows: Omit<ModelRequest, 'thread'>[] = [];
  readonly #causes = new Map<string, RequestCause>();

  hear(entry: Entry): void {
    const id = `${String(entry.executionId)}:${String(entry.round)}`;
    if (entry.event === 'provider_request') {
      this.#causes.set(id, entry.cause === 'compaction' ? 'compaction' : 'turn');
    }
    if (entry.event === 'provider_response_normalized') this.#answered(id, entry);
  }

  list(thread: string): ModelRequest[] {
    return this.#rows.map((row) => ({
      ...row,
      thread,
      cause: thread === 'main' ? row.cause : 'subagent',
    }));
  }

  #answered(id: string, entry: Entry): void {
    const response = asRecord(entry.response);
    const usage = usageOf(response);
    if (usage === undefined) return;
    const metadata = asRecord(response.metadata);
    this.#rows.push({
      id: asString(metadata.requestId) ?? id,
      at: new Date(entry.time).toISOString(),
      model: asString(entry.model) ?? asString(metadata.model),
      cause: this.#causes.get(id) ?? 'turn',
      usage,
      promptTokens: asNumber(metadata.inputTokens) ?? usage.inputTokens,
    });
    this.#causes.delete(id);
  }
}
