import type { EndedBy } from '@robota-sdk/agent-core';
import { type SessionFold, summarizeTool } from '@robota-sdk/agent-core/log';
import { isAbortError, type PromptExtras } from '@robota-sdk/agent-session';
import type { PreparedPrompt } from '../assembly/session-extension.ts';
import type { StartedPrompt } from '../live/live-session-events.ts';
import { withAttachments } from './attachments.ts';
import type { EntryEvents } from './entry-events.ts';
import type { EventHub } from './event-hub.ts';
import type { ExecutionResult, SubmitOutcome } from './execution-result.ts';
import { textSinceLastPrompt } from './injected-session.ts';
import type { QueuedPrompt } from './prompt-queue.ts';
import type { SessionPort } from './session-port.ts';

export interface TurnRunnerParts {
  readonly events: EventHub;
  readonly entryEvents: EntryEvents;
  readonly fold: () => SessionFold;
  /** Assembles the session on first use. */
  readonly session: () => Promise<SessionPort>;
  readonly run: (
    message: string,
    rawInput: string | undefined,
    extras: PromptExtras,
  ) => Promise<string>;
  /** Lets extensions add to what the model is sent. */
  readonly prepare: (prompt: PreparedPrompt) => Promise<PreparedPrompt> | PreparedPrompt;
  /** Base of relative attachment paths. */
  readonly cwd: () => string | undefined;
  /** True when the turn was aborted while the session was still being assembled. */
  readonly isAborted: () => boolean;
}

/** Answers one prompt. A failure is an outcome; the session is saved before the end is emitted. */
export async function answerPrompt(
  prompt: QueuedPrompt,
  parts: TurnRunnerParts,
): Promise<SubmitOutcome> {
  const { events } = parts;
  const { displayInput: content, user, messageId } = prompt;
  announceStart({ content, user, messageId }, events);
  const outcome = await attempt(prompt, parts);
  announceEnd(outcome, events);
  return outcome;
}

async function attempt(prompt: QueuedPrompt, parts: TurnRunnerParts): Promise<SubmitOutcome> {
  let session: SessionPort | undefined;
  try {
    session = await parts.session();
    const answering = ask(prompt, parts);
    if (parts.isAborted()) session.abort();
    const response = await answering;
    const { endedBy = 'answer' } = parts.fold().state.lastTurn ?? {};
    return { status: 'completed', result: resultOf({ session, response, endedBy }, parts) };
  } catch (error) {
    if (session && isAbortError(error)) return interrupted(session, parts);
    return failed(error);
  }
}

/** Hooks match on what was typed, without what extensions and attachments added. */
function ask(prompt: QueuedPrompt, { run, prepare, cwd }: TurnRunnerParts): Promise<string> {
  const { input, displayInput, rawInput, user, messageId } = prompt;
  return run(input, rawInput, {
    display: displayInput,
    user,
    messageId,
    async prepare() {
      const prepared = await prepare(await withAttachments(prompt, cwd()));
      const isSame = prepared.input === input;
      return {
        message: prepared.input,
        rawInput: isSame ? rawInput : (rawInput ?? input),
        parts: prepared.parts,
      };
    },
  });
}

function interrupted(session: SessionPort, parts: TurnRunnerParts): SubmitOutcome {
  const { turn } = parts.entryEvents;
  const response = textSinceLastPrompt(session.getHistory()) || (turn?.text ?? '');
  const result = resultOf({ session, response, endedBy: 'abort' }, parts);
  return { status: 'interrupted', result };
}

const CODES: ReadonlySet<unknown> = new Set([
  'round_cap',
  'unknown_tools',
  'context_full',
  'empty_reply',
  'budget',
  'hook_stopped',
]);

function failed(cause: unknown): SubmitOutcome {
  const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
  const { code } = error as { readonly code?: unknown };
  return { status: 'failed', error, endedBy: CODES.has(code) ? (code as EndedBy) : 'error' };
}

/** Emits the events that start a turn. */
export function announceStart(prompt: StartedPrompt, events: EventHub): void {
  events.emit('user_message', prompt.content);
  events.emit('turn_start', prompt);
  events.emit('thinking', true);
}

export function announceEnd(outcome: SubmitOutcome, events: EventHub): void {
  if (outcome.status === 'failed') events.emit('error', outcome.error);
  if (outcome.status === 'completed' || outcome.status === 'interrupted') {
    events.emit(outcome.status === 'completed' ? 'complete' : 'interrupted', outcome.result);
    events.emit('context_update', outcome.result.contextState);
  }
  events.emit('thinking', false);
  events.emit('turn_end', outcome);
}

function resultOf(
  { session, ...ending }: { session: SessionPort; response: string; endedBy: EndedBy },
  { fold, entryEvents }: TurnRunnerParts,
): ExecutionResult {
  const { turn } = entryEvents;
  const usage = turn && fold().turnUsage(turn);
  return {
    ...ending,
    history: [...fold().state.timeline],
    toolSummaries: (turn?.finished ?? []).map(summarizeTool),
    contextState: session.getContextState(),
    ...(usage && { usage }),
  };
}
