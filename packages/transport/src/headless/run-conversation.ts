import type { InteractiveSession, PermissionAnswer } from '@robota-sdk/agent-sdk';
import type { HeadlessWriter } from './headless-writer.ts';
import { type HeadlessInput, promptText, readInput } from './read-input.ts';
import { say } from './run-once.ts';
import { SessionWatch } from './session-watch.ts';

interface Conversation {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly prompt: string | undefined;
}

/** Holds a conversation over lines: prompts are answered one after another, questions go out and answers come in. */
export async function runConversation(
  session: InteractiveSession,
  writer: HeadlessWriter,
  { input, prompt }: Conversation,
): Promise<number> {
  const watch = new SessionWatch(session, writer);
  session.on('permission_request', (request) =>
    writer.permissionRequest(request, session.sessionId),
  );
  await watch.announce();
  const turns = new TurnChain((text) => say(session, watch, text));
  if (prompt !== undefined && prompt !== '') turns.add(prompt);
  const badLine = (reason: string) => void watch.reportMessage(reason, false);
  for await (const message of readInput(input, badLine)) take(session, turns, message);
  return turns.finished();
}

function take(session: InteractiveSession, turns: TurnChain, message: HeadlessInput): void {
  switch (message.type) {
    case 'user':
      turns.add(promptText(message));
      break;
    case 'abort':
      session.abort();
      break;
    case 'permission_response':
      session.answerPermission(message.request_id, answerOf(session, message));
      break;
  }
}

function answerOf(
  session: InteractiveSession,
  message: Extract<HeadlessInput, { type: 'permission_response' }>,
): PermissionAnswer {
  const { decision } = message;
  if (decision === 'deny') return message.message ? { deny: message.message } : false;
  if (decision === 'allow') return true;
  const request = session
    .getPendingPermissions()
    .find(({ requestId }) => requestId === message.request_id);
  const pattern = message.pattern ?? request?.explanation?.suggestedPattern;
  const scope = decision === 'allow-session' ? 'session' : 'project';
  if (pattern !== undefined) return { allow: scope, pattern };
  return scope === 'session' ? 'allow-session' : true;
}

/** Prompts in the order they came; each waits for the one before. */
class TurnChain {
  readonly #run: (prompt: string) => Promise<number>;
  #last: Promise<number> = Promise.resolve(0);

  constructor(run: (prompt: string) => Promise<number>) {
    this.#run = run;
  }

  add(prompt: string): void {
    this.#last = this.#last.then(() => this.#run(prompt));
  }

  /** The code of the last turn. */
  finished(): Promise<number> {
    return this.#last;
  }
}
