import { addUsage, readUsage, type TokenUsage } from '../context/usage.ts';
import type { Message } from '../messages/message.ts';
import type { Entry } from './entry.ts';
import type { SessionState, UsageCause } from './session-state.ts';

/** Counts each answered model request once, by model and by cause. */
export function countRequests(state: SessionState, entry: Entry): void {
  switch (entry.event) {
    case 'provider_request':
      state.asked = { round: roundOf(entry), cause: (entry.cause ?? 'main') as UsageCause };
      break;
    case 'provider_retry':
      if (state.asked?.cause !== 'compaction') {
        state.asked = { round: roundOf(entry), cause: 'retry' };
      }
      break;
    case 'provider_response_normalized':
      countReply(state, entry);
      break;
    // Requests made outside this session's rounds: a subagent's, or a compaction of version 0.1.
    case 'subagent_usage':
      if (entry.usage) add(state, 'subagent', entry as Request);
      break;
    case 'compaction_request':
      if (entry.usage) add(state, 'compaction', entry as Request);
      break;
    default:
  }
}

function countReply(state: SessionState, entry: Entry): void {
  const usage = readUsage((entry.response ?? {}) as Message);
  const { asked } = state;
  // Assigned, not deleted: deleting a field makes the object slow from then on.
  state.asked = undefined;
  const cause = asked?.round === roundOf(entry) ? asked.cause : 'main';
  if (usage) add(state, cause, { model: entry.model, usage });
}

interface Request {
  readonly model?: unknown;
  readonly usage?: unknown;
}

function add({ usage: tallies, turn }: SessionState, cause: UsageCause, request: Request): void {
  const model = String(request.model ?? '');
  const usage = request.usage as TokenUsage;
  const tally = tallies[model];
  tallies[model] = {
    model,
    requests: (tally?.requests ?? 0) + 1,
    usage: addUsage(tally?.usage, usage),
    causes: { ...tally?.causes, [cause]: (tally?.causes[cause] ?? 0) + 1 },
  };
  if (turn) turn.usage = addUsage(turn.usage, usage);
}

function roundOf(entry: Entry): string {
  return `${String(entry.executionId)}:${String(entry.round)}`;
}
