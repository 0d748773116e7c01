import { addUsage, type EndedBy, type TokenUsage } from '@robota-sdk/agent-core';
import type { ToolSummary } from '@robota-sdk/agent-core/log';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { InteractiveSession } from '../interactive/interactive-session.ts';
import type { ModelCost } from '../interactive/model-cost.ts';

/** An answer with everything that is known about it. */
export interface QueryResult {
  /** What the model said last; where the question was called off, as much as had arrived. */
  readonly text: string;
  readonly sessionId: string;
  /** `answer` is a whole answer; `max_tokens`, `refusal` and `abort` say why it may not be. */
  readonly endedBy: EndedBy;
  /** The vendor's own word for why the model stopped, where it gave one. */
  readonly stopReason: string | undefined;
  /** Everything that was said and done, in order. */
  readonly blocks: readonly ConversationBlock[];
  readonly toolCalls: readonly ToolSummary[];
  /** Of all model requests, subagents and summaries included. */
  readonly usage: TokenUsage;
  /** By list price; null where a model that was asked has no known one, which is not the same as free. */
  readonly costUsd: number | null;
  /** The same, for each model. */
  readonly models: readonly ModelCost[];
  /** How often a model was asked. */
  readonly requests: number;
  readonly durationMs: number;
}

/** What a session has come to after `outcome`; throws what made it fail. */
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
    usage: models.reduce<TokenUsage>((sum, { usage }) => addUsage(sum, usage), NOTHING),
    // A provider that never says what it used leaves the cost unknown.
    costUsd: counted === 0 && replies.length > 0 ? null : models.reduce<number | null>(addCost, 0),
    requests: Math.max(counted, replies.length),
    durationMs: Math.round(performance.now() - startedAt),
  };
}

const NOTHING: TokenUsage = { inputTokens: 0, outputTokens: 0 };

function addCost(sum: number | null, { costUsd }: ModelCost): number | null {
  return sum === null || costUsd === null ? null : sum + costUsd;
}

function answerOf(outcome: SubmitOutcome) {
  if ('result' in outcome) return outcome.result;
  if (outcome.status === 'failed') throw outcome.error;
  const reason = outcome.status === 'refused' ? outcome.reason : 'Another prompt took its place.';
  throw Object.assign(new Error(reason), { code: outcome.status });
}
