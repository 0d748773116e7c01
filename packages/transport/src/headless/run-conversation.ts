import type { LiveQuestion, LiveSession } from '@robota-sdk/agent-sdk';
import { answerPermission } from '../live/permission-answer.ts';
import { type PromptContent, promptContent } from '../live/prompt-content.ts';
import { EventForwarder } from './event-forwarder.ts';
import type { HeadlessWriter } from './headless-writer.ts';
import { type HeadlessInput, readInput } from './read-input.ts';
import { submitInput } from './run-once.ts';

interface Conversation {
  readonly input: AsyncIterable<Uint8Array | string>;
  readonly prompt: string | undefined;
  /** Ends the conversation although its input is still open. */
  readonly signal: AbortSignal;
}

/** Runs a conversation over lines: answers prompts one after another, writes questions and reads answers. */
export async function runConversation(
  session: LiveSession,
  writer: HeadlessWriter,
  { input, prompt, signal }: Conversation,
): Promise<number> {
  const watch = new EventForwarder(session, writer);
  session.on('permission_request', (request) =>
    writer.permissionRequest(request, session.sessionId),
  );
  session.on('question', (question) => {
    if (question.kind !== 'permission') writer.question(question, session.sessionId);
  });
  await watch.announce();
  const turns = new TurnChain(
    ({ text, parts }) => submitInput(session, watch, { prompt: text, parts }),
    signal,
  );
  if (prompt !== undefined && prompt !== '') turns.add({ text: prompt, parts: [] });
  const badLine = (reason: string) => turns.reject(() => watch.reportMessage(reason, false));
  const lines = readInput(untilAborted(input, signal), badLine);
  for await (const message of lines) take(session, turns, message);
  denyUnanswered(session);
  return turns.finished();
}

async function* untilAborted<Chunk>(
  source: AsyncIterable<Chunk>,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  for (;;) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (!next || next.done || signal.aborted) return;
    yield next.value;
  }
}

/** Once the input has ended nobody can answer; a question would keep its turn waiting for ever. */
function denyUnanswered(session: LiveSession): void {
  const deny = ({ id }: Pick<LiveQuestion, 'id'>) =>
    void session.answer(id, { deny: 'Nobody can answer: the input has ended.' });
  session.on('question', deny);
  for (const question of session.getQuestions()) deny(question);
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

const INTERRUPTED = 130;

/** Runs prompts in order of arrival, one at a time, until it is interrupted. */
class TurnChain {
  readonly #run: (prompt: PromptContent) => Promise<number>;
  readonly #signal: AbortSignal;
  #last: Promise<number> = Promise.resolve(0);
  #hasAsked = false;

  constructor(run: (prompt: PromptContent) => Promise<number>, signal: AbortSignal) {
    this.#run = run;
    this.#signal = signal;
  }

  add(prompt: PromptContent): void {
    this.#hasAsked = true;
    this.#last = this.#last.then((code) => (this.#signal.aborted ? code : this.#run(prompt)));
  }

  /** Reports a line that is no message; that decides the exit code only when nothing was asked. */
  reject(report: () => Promise<number>): void {
    const reported = report();
    this.#last = this.#last.then(async (code) => {
      const failed = await reported;
      return this.#hasAsked ? code : failed;
    });
  }

  /** Resolves with the exit code of the last turn, or that of an interruption. */
  async finished(): Promise<number> {
    const code = await this.#last;
    return this.#signal.aborted ? INTERRUPTED : code;
  }
}
