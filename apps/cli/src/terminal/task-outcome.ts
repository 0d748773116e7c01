import type { SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { TaskEnd } from './state/screen-action.ts';

/** Notices for turns that did not end with a normal answer, by stop reason or error code. */
const ENDINGS: Readonly<Record<string, string>> = {
  max_tokens: 'The answer was cut off at the model’s limit. Say “go on” to have the rest.',
  length: 'The answer was cut off at the model’s limit. Say “go on” to have the rest.',
  refusal: 'The model declined to answer. Ask differently, or choose another one with /model.',
  content_filter: 'The provider withheld the answer. Ask differently.',
  round_cap: 'Stopped at the limit of rounds for one prompt. Say “go on” to continue.',
  unknown_tools: 'Stopped: the model kept asking for tools that do not exist.',
  empty_reply: 'The model ended without an answer. Ask again, or choose another one with /model.',
  budget: 'Stopped at the limit of what this session may cost.',
  context_full: 'The context is full. /compact makes room, then send it again.',
};

/** Advice for the user, by kind of failure. */
const HINTS: Readonly<Record<string, string>> = {
  authentication: 'robota config shows which one is used',
  rate_limit: 'wait a moment, then send it again',
  overloaded: 'wait a moment, then send it again',
  server: 'send it again',
  network: 'then send it again',
  idle_timeout: 'send it again',
  malformed_reply: 'send it again, or choose another model with /model',
  context_overflow: '/compact makes room, then send it again',
  invalid_request: '/model chooses another model; robota --debug shows more',
};

/** Waiting does not help when the account is out of credit. */
const SPENT_HINT = 'add credit, or choose another model with /model';

/** How a turn ended, as far as its blocks do not show it. */
export function turnEndOf(outcome: SubmitOutcome): TaskEnd {
  switch (outcome.status) {
    case 'completed':
      return { notice: ENDINGS[outcome.result.endedBy] };
    case 'failed':
      return failedEnd(outcome.error);
    case 'refused':
      return { notice: outcome.reason };
    case 'interrupted':
    case 'superseded':
      return {};
  }
}

/** Properties of a provider error besides its message. */
interface FailureFacts {
  readonly code?: unknown;
  readonly kind?: unknown;
  readonly isRetryable?: unknown;
}

function failedEnd(error: Error & FailureFacts): TaskEnd {
  const notice = typeof error.code === 'string' ? ENDINGS[error.code] : undefined;
  const isSpent = error.kind === 'rate_limit' && error.isRetryable === false;
  if (isSpent) return { notice, hint: SPENT_HINT };
  return { notice, hint: typeof error.kind === 'string' ? HINTS[error.kind] : undefined };
}
