import type { SessionFold } from '@robota-sdk/agent-core/log';
import type { Session, ShellLine } from '@robota-sdk/agent-session';
import type { EventHub } from './event-hub.ts';
import type { SubmitOutcome } from './execution-result.ts';
import type { QueuedPrompt } from './prompt-queue.ts';

export interface ShellLineRunnerParts {
  readonly events: EventHub;
  readonly fold: () => SessionFold;
  readonly lifecycle: {
    start(): Promise<unknown>;
    /** Undefined for a ready-made session. */
    readonly engine: Session | undefined;
  };
  readonly isAborted: () => boolean;
}

/** Runs one shell line as a turn. No model is asked, so `turn_start` and `turn_end` are emitted without `complete`. */
export async function answerShellLine(
  prompt: QueuedPrompt,
  parts: ShellLineRunnerParts,
): Promise<SubmitOutcome> {
  const { events } = parts;
  const { displayInput: content, user, messageId } = prompt;
  events.emit('turn_start', { content, user, messageId });
  events.emit('thinking', true);
  const outcome = await attempt(prompt.input, parts);
  if (outcome.status === 'failed') events.emit('error', outcome.error);
  events.emit('thinking', false);
  events.emit('turn_end', outcome);
  return outcome;
}

async function attempt(command: string, parts: ShellLineRunnerParts): Promise<SubmitOutcome> {
  try {
    await parts.lifecycle.start();
    const { engine } = parts.lifecycle;
    if (!engine) return { status: 'refused', reason: 'This session cannot run shell commands.' };
    const running = engine.runShellLine(command);
    if (parts.isAborted()) engine.abort();
    const line = await running;
    const isAborted = parts.isAborted();
    return {
      status: isAborted ? 'interrupted' : 'completed',
      result: {
        response: textOf(line),
        endedBy: isAborted ? 'abort' : 'answer',
        history: [...parts.fold().state.timeline],
        toolSummaries: [],
        contextState: engine.getContextState(),
      },
    };
  } catch (cause) {
    const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
    return { status: 'failed', error, endedBy: 'error' };
  }
}

function textOf({ output, exitCode, problem }: ShellLine): string {
  const ending = exitCode ? [`[exit code ${exitCode}]`] : [];
  return [output.trimEnd(), ...(problem === undefined ? [] : [problem]), ...ending]
    .filter((text) => text !== '')
    .join('\n');
}
