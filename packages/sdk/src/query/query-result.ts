import { addUsage, type EndedBy, type TokenUsage } from '@robota-sdk/agent-core';
import type { ToolSummary } from '@robota-sdk/agent-core/log';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { InteractiveSession } from '../interactive/interactive-session.ts';
import type { ModelCost } from '../interactive/model-cost.ts';

/** An answer with its blocks, usage and cost. */
export interface QueryResult {
  /** The model's last text; of a cancelled query, as much as had arrived. */
  readonly text: string;
  readonly sessionId: string;
  /** `answer` means a complete answer; `max_tokens`, `refusal` and `abort` say why it may be incomplete. */
  readonly endedBy: EndedBy;
  /** The vendor's own stop reason, if it gave one. */
  readonly stopReason: string | undefined;
  /** The conversation, in order. */
  readonly blocks: readonly ConversationBlock[];
  readonly toolCalls: readonly ToolSummary[];
  /** Of all model requests, subagents and summaries included. */
  readonly usage: TokenUsage;
  /** By list price; null (unknown, not free) when a model used has no known price. */
  readonly costUsd: number | null;
  /** Usage and cost per model. */
  readonly models: readonly ModelCost[];
  /** Number of model requests. */
  readonly requests: number;
  readonly durationMs: number;
}

/** The result of a session after `outcome`; throws the error of a failed one. */
export async function resultOf(
  session: InteractiveSession,
  outcome: SubmitOutcome,
  startedAt: number,
): Promise<QueryResult> {
  const { response: text, endedBy, toolSummaries: toolCalls } = answerOf(outcome);
  const models = await session.getCosts();
  const replies = session
    .getSession()
    .getHistory()
    .filter(({ role }) => role === 'assistant');
  const reply = replies.at(-1);
  const counted = models.reduce((sum, { requests }) => sum + requests, 0);
  const stopReason = reply?.metadata?.stopReason;
  return {
    text,
    endedBy,
    toolCalls,
    models,
    sessionId: session.sessionId,
    stopReason: typeof stopReason === 'string' ? stopReason : undefined,
    blocks: session.getBlocks(),
    usage: models.reduce<TokenUsage>((sum, { usage }) => addUsage(sum, usage), NO_USAGE),
    // A provider that reports no usage leaves the cost unknown.
    costUsd: counted === 0 && replies.length > 0 ? null : models.reduce<number | null>(addCost, 0),
    requests: Math.max(counted, replies.length),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

const NO_USAGE: TokenUsage = { inputTokens: 0, outputTokens: 0 };

function addCost(sum: number | null, { costUsd }: ModelCost): number | null {
  return sum === null || costUsd === null ? null : sum + costUsd;
}

function answerOf(outcome: SubmitOutcome) {
  if ('result' in outcome) return outcome.result;
  if (outcome.status === 'failed') throw outcome.error;
  const reason = outcome.status === 'refused' ? outcome.reason : 'Another prompt took its place.';
  throw Object.assign(new Error(reason), { code: outcome.status });
}
