import { type EngineEvent, type Message, readUsage, type TokenUsage } from '@robota-sdk/agent-core';

/** Why a model was asked: for the user, to make room, or again after a failed attempt. */
export type UsageCause = 'main' | 'compaction' | 'retry';

/** One answered model request. */
export interface UsageEntry {
  readonly cause: UsageCause;
  readonly provider: string;
  readonly model: string;
  /** Absent where the vendor reported none. */
  readonly usage?: TokenUsage;
  readonly requestId?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** Every answered request of a session, once. */
export class UsageLedger {
  readonly #entries: UsageEntry[] = [];
  #retriedRound: string | undefined;

  hear(event: EngineEvent): void {
    if (event.type === 'provider_retry') this.#retriedRound = roundOf(event);
    if (event.type !== 'provider_response_normalized') return;
    const cause = this.#retriedRound === roundOf(event) ? 'retry' : 'main';
    this.add(cause, event.response, event);
  }

  add(
    cause: UsageCause,
    reply: Message,
    asked: { readonly provider: string; readonly model: string },
  ): UsageEntry {
    const usage = readUsage(reply);
    const requestId = reply.metadata?.requestId;
    const entry: UsageEntry = {
      cause,
      provider: asked.provider,
      model: asked.model,
      ...(usage && { usage }),
      ...(typeof requestId === 'string' && { requestId }),
      at: new Date().toISOString(),
    };
    this.#entries.push(entry);
    return entry;
  }

  list(): readonly UsageEntry[] {
    return [...this.#entries];
  }
}

function roundOf(event: { readonly executionId: string; readonly round: number }): string {
  return `${event.executionId}:${event.round}`;
}
