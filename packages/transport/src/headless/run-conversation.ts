import type { LiveSession } from '@robota-sdk/agent-sdk';
import { answerPermission } from '../live/permission-answer.ts';
import { type PromptContent, promptContent } from '../live/prompt-content.ts';
import type { HeadlessWriter } from './headless-writer.ts';
import { type HeadlessInput, readInput } from './read-input.ts';
import { say } from './run-once.ts';
import { SessionWatch } from './session-watch.ts';

interface Conversation {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly prompt: string | undefined;
}

/** Holds a conversation over lines: prompts are answered one after another, questions go out and answers come in. */
export async function runConversation(
  session: LiveSession,
  writer: HeadlessWriter,
  { input, prompt }: Conversation,
): Promise<number> {
  const watch = new SessionWatch(session, writer);
  session.on('permission_request', (request) =>
    writer.permissionRequest(request, session.sessionId),
  );
  session.on('question', (question) => {
    if (question.kind !== 'permission') writer.question(question, session.sessionId);
  });
  await watch.announce();
  const turns = new TurnChain(({ text, parts }) => say(session, watch, { prompt: text, parts }));
  if (prompt !== undefined && prompt !== '') turns.add({ text: prompt, parts: [] });
  const badLine = (reason: string) => void watch.reportMessage(reason, false);
  for await (const message of readInput(input, badLine)) take(session, turns, message);
  return turns.finished();
}

function take(session: LiveSession, turns: TurnChain, message: HeadlessInput): void {
  switch (message.type) {
    case 'user':
      turns.add(promptContent(message.message.content));
      break;
    case 'abort':
      void session.abort();
      break;
    case 'answer':
      void session.answer(message.question_id, message.answer);
      break;
    case 'permission_response':
      void answerPermission(session, message.request_id, message);
      break;
  }
}

/** Prompts in the order they came; each waits for the one before. */
class TurnChain {
  readonly #run: (prompt: PromptContent) => Promise<number>;
  #last: Promise<number> = Promise.resolve(0);

  constructor(run: (prompt: PromptContent) => Promise<number>) {
    this.#run = run;
  }

  add(prompt: PromptContent): void {
    this.#last = this.#last.then(() => this.#run(prompt));
  }

  /** The code of the last turn. */
  finished(): Promise<number> {
    return this.#last;
  }
}
