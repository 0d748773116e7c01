import type { RunEnd, RunResult } from '../agent/agent-config.ts';
import { addUsage, readUsage, type TokenUsage } from '../context/usage.ts';
import type { AssistantMessage } from '../messages/message.ts';
import type { ToolOutcome } from '../tool.ts';
import { askProvider } from './ask-provider.ts';
import { fitIntoWindow } from './context-room.ts';
import type { Run } from './run.ts';
import { runToolBatch } from './run-tool-batch.ts';
import { INTERRUPTED } from './run-tool-call.ts';

/** Asks the model, does what it asks, and repeats until it asks for nothing more. */
export async function runRounds(run: Run): Promise<RunResult> {
  const tally = new Tally();
  const { maxRounds } = run.limits;
  for (let round = 1; ; round++) {
    await run.atBoundary(round);
    if (run.signal.aborted) return tally.result('abort');
    const messages = fitIntoWindow(run, run.view.messages());
    if (messages === null) return tally.result('context_full');

    const reply = await askProvider(run, { round, messages });
    tally.count(reply, round);
    if (run.signal.aborted) return await endAborted(run, tally, { reply, round });
    if (reply === null || !reply.toolCalls?.length) return tally.result(endOf(reply));

    const outcomes = await runToolBatch(run, { round, calls: reply.toolCalls });
    if (run.signal.aborted) return tally.result('abort');
    const end = tally.endAfterTools(outcomes, round === maxRounds);
    if (end !== null) return await forceAnswer(run, tally, { end, round: round + 1 });
  }
}

type ForcedEnd = 'round_cap' | 'unknown_tools';

const INSTRUCTIONS: Readonly<Record<ForcedEnd, string>> = {
  round_cap:
    'The limit of tool rounds for this request is reached. Do not call further tools. Answer now from what you have found out, and say what is left undone.',
  unknown_tools:
    'You asked for tools that do not exist, twice in a row. Do not call further tools. Answer now without them, and say what you could not do.',
};

const REASONS: Readonly<Record<RunEnd, string>> = {
  answer: '',
  abort: 'The run was aborted before the model said anything.',
  round_cap: 'Maximum rounds reached. Partial results available in conversation history.',
  unknown_tools: 'The model kept asking for tools that do not exist and gave no answer.',
  context_full: 'Context window is near capacity. Run /compact and retry.',
  empty_reply: 'The model ended its reply without saying anything.',
};

const NOT_ALLOWED_ANY_MORE: ToolOutcome = {
  success: false,
  error: 'No further tool calls are allowed in this run, so the tool call was not executed.',
  errorCode: 'round_cap',
};

/** What a run has come to so far. */
class Tally {
  #rounds = 0;
  #text = '';
  #isBrokenOff = false;
  #usage: TokenUsage | undefined;
  #unknownToolRounds = 0;

  count(reply: AssistantMessage | null, round: number): void {
    this.#rounds = round;
    this.countForced(reply);
  }

  countForced(reply: AssistantMessage | null): void {
    this.#isBrokenOff = reply?.state === 'interrupted';
    if (reply?.content) this.#text = reply.content;
    const usage = reply && readUsage(reply);
    if (usage) this.#usage = addUsage(this.#usage, usage);
  }

  endAfterTools(outcomes: readonly ToolOutcome[], isLastRound: boolean): ForcedEnd | null {
    const hasUnknown = outcomes.some((outcome) => outcome.errorCode === 'unknown_tool');
    this.#unknownToolRounds = hasUnknown ? this.#unknownToolRounds + 1 : 0;
    if (this.#unknownToolRounds >= 2) return 'unknown_tools';
    return isLastRound ? 'round_cap' : null;
  }

  result(endedBy: RunEnd): RunResult {
    return {
      response: this.#text || REASONS[endedBy],
      interrupted: endedBy === 'abort' || this.#isBrokenOff,
      rounds: this.#rounds,
      endedBy,
      ...(this.#usage && { usage: this.#usage }),
    };
  }
}

function endOf(reply: AssistantMessage | null): RunEnd {
  return reply?.content ? 'answer' : 'empty_reply';
}

/** Calls of a reply that arrived with the abort are answered too, so that the history stays sound. */
async function endAborted(
  run: Run,
  tally: Tally,
  { reply, round }: { readonly reply: AssistantMessage | null; readonly round: number },
): Promise<RunResult> {
  const calls = reply?.toolCalls ?? [];
  if (calls.length > 0) await runToolBatch(run, { round, calls, refusal: INTERRUPTED });
  return tally.result('abort');
}

/** One more reply without tools, so that the work done so far ends in words. */
async function forceAnswer(
  run: Run,
  tally: Tally,
  { end, round }: { readonly end: ForcedEnd; readonly round: number },
): Promise<RunResult> {
  const messages = fitIntoWindow(run, run.view.messages());
  if (messages === null) return tally.result('context_full');
  const reply = await askProvider(run, { round, messages, instruction: INSTRUCTIONS[end] });
  tally.countForced(reply);
  if (run.signal.aborted) return await endAborted(run, tally, { reply, round });
  const calls = reply?.toolCalls ?? [];
  if (calls.length > 0) await runToolBatch(run, { round, calls, refusal: NOT_ALLOWED_ANY_MORE });
  return tally.result(end);
}
