import { asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { ModelRequest } from '../../model-request.ts';
import type { TokenUsage } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';
import { type FoundRequest, promptTokensOf, toUsage } from './request-ledger.ts';

/** Running totals by model, as the program records them. */
interface CostState {
  readonly id: string;
  readonly at: string;
  readonly offset: number;
  readonly totals: ReadonlyMap<string, TokenUsage>;
  /** Time of the last compaction since the previous totals. */
  readonly compactedAt: string | undefined;
}

/**
 * Finds requests without a line, such as the one that writes a compaction summary: they are part of the totals
 * but not among the messages.
 */
export class CostStates {
  readonly #states: CostState[] = [];
  readonly #ids = new Set<string>();
  #at = '';
  #compactedAt: string | undefined;

  /** A line of the main transcript. */
  read(line: JsonRecord, offset: number): void {
    this.#at = asString(line.timestamp) ?? this.#at;
    if (line.subtype === 'compact_boundary') this.#compactedAt = this.#at;
    if (line.type !== 'cost-state') return;
    const models = Object.entries(asRecord(line.modelUsage));
    // A fork copies the line under another session id, so the id uses only fields both share.
    const id = `${String(line.startTime)}:${String(line.totalAPIDuration)}`;
    if (this.#ids.size === this.#ids.add(id).size) return;
    this.#states.push({
      id,
      at: this.#at,
      offset,
      totals: new Map(models.map(([model, usage]) => [model, toUsage(asRecord(usage))])),
      compactedAt: this.#compactedAt,
    });
    this.#compactedAt = undefined;
  }

  /** `main` are the messages of the main transcript, `others` those of subagents. */
  residuals(main: readonly FoundRequest[], others: readonly FoundRequest[]): ModelRequest[] {
    const requests = this.#requestsByState(main, others);
    return this.#states.flatMap((state, index) => {
      const recordedSince = requests[index] ?? [];
      const before = this.#states[index - 1];
      return [...state.totals].flatMap(([model, total]) => {
        const recorded = sumUsage(recordedSince.filter((one) => one.model === model).map(usageOf));
        const earlier = before?.totals.get(model);
        const usage = residual(total, earlier === undefined ? [recorded] : [recorded, earlier]);
        return usage === undefined ? [] : [toRequest(state, model, usage)];
      });
    });
  }

  /** For each state the requests since the state before it: by position in the main transcript, by time elsewhere. */
  #requestsByState(
    main: readonly FoundRequest[],
    others: readonly FoundRequest[],
  ): readonly FoundRequest[][] {
    const requests = this.#states.map((): FoundRequest[] => []);
    // Files may be damaged, so that neither lines nor times need be in order.
    const offsets = highestSoFar(this.#states.map(({ offset }) => offset));
    const times = highestSoFar(this.#states.map(({ at }) => at));
    for (const one of main) requests[firstIndex(offsets, (to) => to > one.offset)]?.push(one);
    for (const one of others) requests[firstIndex(times, (to) => to >= one.at)]?.push(one);
    return requests;
  }
}

function highestSoFar<Value extends number | string>(values: readonly Value[]): Value[] {
  const highest: Value[] = [];
  for (const value of values) {
    const last = highest.at(-1);
    highest.push(last !== undefined && last > value ? last : value);
  }
  return highest;
}

/** The first index that matches; every later one does too. The length if none matches. */
function firstIndex<Value>(values: readonly Value[], matches: (value: Value) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(values[middle] as Value)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function usageOf({ usage }: FoundRequest): TokenUsage {
  return usage;
}

/** The total minus its parts; `undefined` if the parts exceed it, because then it was counted differently. */
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
