import { randomUUID } from 'node:crypto';
import type {
  LiveQuestion,
  LiveSession,
  SubmitOptions,
  SubmitOutcome,
} from '@robota-sdk/agent-sdk';

export interface AskOptions {
  /** Logged with the prompt. */
  readonly user?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** Forwards a question to the client; absent when the client cannot be asked. */
  readonly onQuestion?: ((question: LiveQuestion) => void) | undefined;
  /** Whether a question the client cannot be asked waits for another surface; otherwise it is denied. */
  readonly waitsForOthers?: boolean | undefined;
  /** Images attached to the prompt. */
  readonly parts?: SubmitOptions['parts'];
}

/** Runs a prompt, reports progress, and aborts when the caller cancels. */
export async function askSession(
  session: LiveSession,
  prompt: string,
  options: AskOptions,
): Promise<SubmitOutcome> {
  const { user, parts, signal, onProgress, onQuestion, waitsForOthers } = options;
  signal.throwIfAborted();
  // Another caller may ask the same, so the turn is recognised by its id.
  const messageId = randomUUID();
  const turn = { isOurs: false, isWanted: true };
  const stops = [
    listen(session, 'text_delta', (delta) => turn.isOurs && onProgress(delta)),
    listen(session, 'tool_start', (tool) => {
      if (turn.isOurs) onProgress(`${tool.toolName}(${tool.firstArg})`);
    }),
    listen(session, 'turn_start', (started) => {
      turn.isOurs = started.messageId === messageId;
      if (turn.isOurs && !turn.isWanted) void session.abort();
    }),
    listen(session, 'question', (question) => {
      if (!turn.isOurs) return;
      if (onQuestion) onQuestion(question);
      else if (!waitsForOthers) void session.answer(question.id, 'deny', { user: 'nobody' });
    }),
  ];
  const cancel = () => {
    turn.isWanted = false;
    // A queued prompt is aborted when its turn starts; other queued prompts are not ours to cancel.
    if (turn.isOurs) void session.abort();
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await session.submit(prompt, undefined, undefined, { user, parts, messageId });
  } finally {
    signal.removeEventListener('abort', cancel);
    for (const stop of stops) stop();
  }
}

type Events = Parameters<LiveSession['on']>[0];

function listen<Name extends Events>(
  session: LiveSession,
  name: Name,
  listener: Parameters<typeof session.on<Name>>[1],
): () => void {
  session.on(name, listener);
  return () => session.off(name, listener);
}
