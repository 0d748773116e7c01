import type { RunResult } from '../agent/agent-config.ts';
import { addUsage, readUsage, type TokenUsage } from '../context/usage.ts';
import type { EndedBy } from '../log/entry.ts';
import type { AssistantMessage, ToolCall } from '../messages/message.ts';
import type { ToolOutcome } from '../tool.ts';
import { INTERRUPTED } from './abort-grace.ts';
import { askProvider } from './ask-provider.ts';
import { fitIntoWindow } from './context-room.ts';
import type { Run } from './run.ts';
import type { ToolBatch } from './run-tool-batch.ts';

/** Asks the model, runs the tools it calls, and repeats until it calls none. */
export async function runRounds(run: Run): Promise<RunResult> {
  const tally = new Tally();
  for (let round = 1; ; round++) {
    const end = await run.atBoundary(round);
    if (run.signal.aborted) return tally.result('abort');
    if (end !== undefined) return tally.result(end);
    const messages = fitIntoWindow(run, run.view.messages());
    if (messages === null) return tally.result('context_full');

    const reply = await askProvider(run, { round, messages });
    tally.count(reply, round);
    if (run.signal.aborted) return await endAborted(run, tally, { reply, round });
    const calls = reply?.toolCalls ?? [];
    if (calls.length === 0) return tally.result(endOf(reply));

    const reached = await runCalls(run, tally, { round, calls });
    if (reached !== null) return tally.result(reached);
  }
}

/** Runs the tool calls of a reply. Returns how the run ends, or null when the model is asked again. */
async function runCalls(
  run: Run,
  tally: Tally,
  { round, calls }: { readonly round: number; readonly calls: readonly ToolCall[] },
): Promise<EndedBy | null> {
  const { maxRounds } = run.limits;
  const isLast = round === maxRounds;
  const refusal = isLast ? { refusal: notRun(maxRounds) } : {};
  const outcomes = await runBatch(run, { round, calls, ...refusal });
  return run.signal.aborted ? 'abort' : tally.endAfterTools(outcomes, isLast);
}

/** Accumulates the result of a run. */
class Tally {
  #rounds = 0;
  #text = '';
  #isInterrupted = false;
  #usage: TokenUsage | undefined;
  #unknownToolRounds = 0;

  count(reply: AssistantMessage | null, round: number): void {
    this.#rounds = round;
    this.#isInterrupted = reply?.state === 'interrupted';
    if (reply?.content) this.#text = reply.content;
    const usage = reply && readUsage(reply);
    if (usage) this.#usage = addUsage(this.#usage, usage);
  }

  /** Two rounds in a row with unknown tools end a run, too. */
  endAfterTools(outcomes: readonly ToolOutcome[], isLastRound: boolean): EndedBy | null {
    const hasUnknown = outcomes.some((outcome) => outcome.errorCode === 'unknown_tool');
    this.#unknownToolRounds = hasUnknown ? this.#unknownToolRounds + 1 : 0;
    if (this.#unknownToolRounds >= 2) return 'unknown_tools';
    return isLastRound ? 'round_cap' : null;
  }

  result(endedBy: EndedBy): RunResult {
    return {
      response: this.#text,
      interrupted: endedBy === 'abort' || this.#isInterrupted,
      rounds: this.#rounds,
      endedBy,
      ...(this.#usage && { usage: this.#usage }),
    };
  }
}

/** Stop reasons of vendors for a reply that hit its token limit, and for one that was withheld. */
const CUT_SHORT = /^(?:max_tokens|max_output_tokens|length|model_length)$/i;
const REFUSED =
  /^(?:refusal|content_filter|content-filter|safety|recitation|prohibited_content|blocklist|spii)$/i;

function endOf(reply: AssistantMessage | null): EndedBy {
  const stopReason = String(reply?.metadata?.stopReason ?? '');
  if (REFUSED.test(stopReason)) return 'refusal';
  if (CUT_SHORT.test(stopReason)) return 'max_tokens';
  return reply?.content ? 'answer' : 'empty_reply';
}

function notRun(maxRounds: number): ToolOutcome {
  return {
    success: false,
    error: `The limit of ${maxRounds} model calls for one prompt is reached, so the tool call was not executed.`,
    errorCode: 'not_run',
  };
}

/** Calls of a reply that arrived with the abort get results too, so that the history stays valid. */
async function endAborted(
  run: Run,
  tally: Tally,
  { reply, round }: { readonly reply: AssistantMessage | null; readonly round: number },
): Promise<RunResult> {
  const calls = reply?.toolCalls ?? [];
  if (calls.length > 0) await runBatch(run, { round, calls, refusal: INTERRUPTED });
  return tally.result('abort');
}

/** Loaded with the first call, so that a start does without. */
async function runBatch(run: Run, batch: ToolBatch): Promise<readonly ToolOutcome[]> {
  const { runToolBatch } = await import('./run-tool-batch.ts');
  return await runToolBatch(run, batch);
}
