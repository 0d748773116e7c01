import { asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { ModelRequest } from '../../model-request.ts';
import type { TokenUsage } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';
import { type FoundRequest, promptTokensOf, toUsage } from './request-ledger.ts';

/** The running totals that the program writes down from time to time, by model. */
interface CostState {
  readonly id: string;
  readonly at: string;
  readonly offset: number;
  readonly totals: ReadonlyMap<string, TokenUsage>;
  /** When the conversation was compacted since the totals before. */
  readonly compactedAt: string | undefined;
}

/**
 * Finds requests that no line tells of, such as the one that writes a compaction's summary: they are in the totals
 * and not among the messages.
 */
export class CostStates {
  readonly #states: CostState[] = [];
  #at = '';
  #compactedAt: string | undefined;

  /** A line of the main transcript. */
  read(line: JsonRecord, offset: number): void {
    this.#at = asString(line.timestamp) ?? this.#at;
    if (line.subtype === 'compact_boundary') this.#compactedAt = this.#at;
    if (line.type !== 'cost-state') return;
    const models = Object.entries(asRecord(line.modelUsage));
    this.#states.push({
      // A fork copies the line under another session id, so the id is made of what both say.
      id: `${String(line.startTime)}:${String(line.totalAPIDuration)}`,
      at: this.#at,
      offset,
      totals: new Map(models.map(([model, usage]) => [model, toUsage(asRecord(usage))])),
      compactedAt: this.#compactedAt,
    });
    this.#compactedAt = undefined;
  }

  /** `main` are the messages of the main transcript, `others` those of subagents. */
  residuals(main: readonly FoundRequest[], others: readonly FoundRequest[]): ModelRequest[] {
    return this.#states.flatMap((state, index) => {
      const before = this.#states[index - 1];
      const between = [
        ...main.filter(({ offset }) => isBetween(offset, before?.offset ?? -1, state.offset)),
        ...others.filter(({ at }) => at <= state.at && (before === undefined || at > before.at)),
      ];
      return [...state.totals].flatMap(([model, total]) => {
        const told = sumUsage(between.filter((one) => one.model === model).map(usageOf));
        const earlier = before?.totals.get(model);
        const usage = residual(total, earlier === undefined ? [told] : [told, earlier]);
        return usage === undefined ? [] : [toRequest(state, model, usage)];
      });
    });
  }
}

function isBetween(offset: number, from: number, to: number): boolean {
  return offset > from && offset < to;
}

function usageOf({ usage }: FoundRequest): TokenUsage {
  return usage;
}

/** What is left of the total; nothing when the parts say more than the whole, which then counted otherwise. */
function residual(total: TokenUsage, parts: readonly TokenUsage[]): TokenUsage | undefined {
  const left = (key: keyof TokenUsage) =>
    parts.reduce((rest, part) => rest - (part[key] ?? 0), total[key] ?? 0);
  const fields = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens'] as const;
  const counts = fields.map(left);
  if (counts.some((count) => count < 0) || left('totalTokens') === 0) return undefined;
  const [inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0] = counts;
  const hourly = left('cacheWrite1hTokens');
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    ...(hourly > 0 && { cacheWrite1hTokens: hourly }),
    totalTokens: left('totalTokens'),
  };
}

function toRequest(state: CostState, model: string, usage: TokenUsage): ModelRequest {
  return {
    id: `cost-state:${state.id}:${model}`,
    at: state.compactedAt ?? state.at,
    model,
    cause: state.compactedAt === undefined ? 'other' : 'compaction',
    thread: 'main',
    usage,
    promptTokens: promptTokensOf(usage),
  };
}
