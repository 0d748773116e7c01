import { addUsage, priceUsage, type TokenUsage } from '@robota-sdk/agent-core';
import type { UsageEntry } from '@robota-sdk/agent-session';

/** Why a model was asked. */
export type UsageCause = 'main' | 'subagent' | 'compaction' | 'retry';

/** One model request. */
export interface ModelRequest {
  readonly model: string;
  readonly cause: UsageCause;
  readonly usage: TokenUsage;
}

/** What one model was asked, and what that cost by list price. */
export interface ModelCost {
  readonly model: string;
  readonly requests: number;
  readonly usage: TokenUsage;
  /** Null where no price is known. */
  readonly costUsd: number | null;
  readonly causes: Readonly<Partial<Record<UsageCause, number>>>;
}

/** Tokens of one turn, for its usage-summary entry. */
export interface TurnUsage {
  readonly kind: 'exact' | 'estimated';
  readonly scope: 'turn';
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly contextUsedTokens: number;
  readonly contextMaxTokens: number;
  readonly contextUsedPercentage: number;
  readonly costStatus: 'unknown';
}

/** What is kept of one model between two lives of a session. */
export interface ModelTally {
  readonly model: string;
  readonly requests: number;
  readonly usage: TokenUsage;
  readonly causes: Readonly<Partial<Record<UsageCause, number>>>;
}

/** Counts every model request once, by model and by cause. */
export class Ledger {
  readonly #models = new Map<string, ModelTally>();
  #absorbed = 0;
  #turn: TokenUsage | undefined;

  add({ model, cause, usage }: ModelRequest): void {
    const tally = this.#models.get(model);
    const causes = tally?.causes ?? {};
    this.#models.set(model, {
      model,
      requests: (tally?.requests ?? 0) + 1,
      usage: addUsage(tally?.usage, usage),
      causes: { ...causes, [cause]: (causes[cause] ?? 0) + 1 },
    });
    this.#turn = addUsage(this.#turn, usage);
  }

  /** Counts what is new in a session's own list; requests without reported usage cost nothing known. */
  absorb(entries: readonly UsageEntry[]): void {
    for (const { model, cause, usage } of entries.slice(this.#absorbed)) {
      if (usage) this.add({ model, cause, usage });
    }
    this.#absorbed = entries.length;
  }

  beginTurn(): void {
    this.#turn = undefined;
  }

  /** What the current turn used so far; undefined when no provider said. */
  turn(): TokenUsage | undefined {
    return this.#turn;
  }

  total(): TokenUsage | undefined {
    let total: TokenUsage | undefined;
    for (const tally of this.#models.values()) total = addUsage(total, tally.usage);
    return total;
  }

  tallies(): ModelTally[] {
    return [...this.#models.values()];
  }

  restore(tallies: readonly ModelTally[]): void {
    for (const tally of tallies) this.#models.set(tally.model, tally);
  }

  async costs(): Promise<ModelCost[]> {
    return Promise.all(
      this.tallies().map(async (tally) => ({
        ...tally,
        costUsd: (await priceUsage(tally.model, tally.usage))?.costUsd ?? null,
      })),
    );
  }
}
