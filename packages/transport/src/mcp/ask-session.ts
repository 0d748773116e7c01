import type {
  LiveQuestion,
  LiveSession,
  SubmitOptions,
  SubmitOutcome,
} from '@robota-sdk/agent-sdk';

export interface AskOptions {
  /** Stands in the log beside the prompt. */
  readonly user?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
  /** Puts a question to the client; absent when the client cannot be asked. */
  readonly onQuestion?: ((question: LiveQuestion) => void) | undefined;
  /** Whether a question that the client cannot be asked waits for somebody else; otherwise it is denied. */
  readonly waitsForOthers?: boolean | undefined;
  /** Images that go with the words. */
  readonly parts?: SubmitOptions['parts'];
}

/** Asks a prompt and stays with it: progress while it runs, and an end when the caller gives up on it. */
export async function askSession(
  session: LiveSession,
  prompt: string,
  options: AskOptions,
): Promise<SubmitOutcome> {
  const { user, parts, signal, onProgress, onQuestion, waitsForOthers } = options;
  signal.throwIfAborted();
  const turn = { isOurs: false, isWanted: true };
  const stops = [
    listen(session, 'text_delta', (delta) => turn.isOurs && onProgress(delta)),
    listen(session, 'tool_start', (tool) => {
      if (turn.isOurs) onProgress(`${tool.toolName}(${tool.firstArg})`);
    }),
    listen(session, 'user_message', (content) => {
      turn.isOurs = content === prompt;
      if (turn.isOurs && !turn.isWanted) void session.abort();
    }),
    listen(session, 'question', (question) => {
      if (!turn.isOurs) return;
      if (onQuestion) onQuestion(question);
      else if (!waitsForOthers) void session.answer(question.id, 'deny', { user: 'nobody' });
    }),
  ];
  const giveUp = () => {
    turn.isWanted = false;
    // A prompt that still waits is stopped when its turn comes; others in the queue are not ours to cancel.
    if (turn.isOurs) void session.abort();
  };
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await session.submit(prompt, undefined, undefined, { user, parts });
  } finally {
    signal.removeEventListener('abort', giveUp);
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
