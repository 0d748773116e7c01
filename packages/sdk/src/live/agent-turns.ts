import type { MessagePart } from '@robota-sdk/agent-core';
import type { ImageContent } from '@robota-sdk/agent-transcript';
import type { AgentSession, TurnOutcome } from '@robota-sdk/agent-transcript/architectures';
import { AttachmentError, withAttachments } from '../interactive/attachments.ts';
import type { ExecutionResult, SubmitOutcome } from '../interactive/execution-result.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type { AgentJournal } from './agent-journal.ts';
import type { BlocksView } from './blocks-view.ts';

export interface AgentTurnsParts {
  readonly view: BlocksView;
  readonly journal: AgentJournal;
  readonly cwd: string | undefined;
  /** Starts the agent's program, or returns the one that runs. */
  readonly open: () => Promise<AgentSession>;
}

/** Turns of another agent's program: each prompt is recorded, sent, and ends with what is told to listeners. */
export class AgentTurns {
  readonly #parts: AgentTurnsParts;

  constructor(parts: AgentTurnsParts) {
    this.#parts = parts;
  }

  async run(prompt: QueuedPrompt, isAborted: () => boolean): Promise<SubmitOutcome> {
    const { view, journal } = this.#parts;
    const { events } = view;
    const { displayInput: content, user, messageId } = prompt;
    view.beginTurn();
    journal.append('prompt', { display: content, user, messageId });
    events.emit('user_message', content);
    events.emit('turn_start', { content, user, messageId });
    events.emit('thinking', true);
    const outcome = await this.#attempt(prompt, isAborted);
    view.endTurn();
    const { status } = outcome;
    const message = outcome.status === 'failed' ? outcome.error.message : undefined;
    journal.append('turn_end', { status, message }, endOf(outcome));
    // Listeners can read the end once it is emitted; if the claim is lost, the node that has it records the end.
    await journal.written().catch(() => undefined);
    if (outcome.status === 'failed') events.emit('error', outcome.error);
    if (outcome.status === 'completed') events.emit('complete', outcome.result);
    if (outcome.status === 'interrupted') events.emit('interrupted', outcome.result);
    events.emit('thinking', false);
    events.emit('turn_end', outcome);
    return outcome;
  }

  async #attempt(prompt: QueuedPrompt, isAborted: () => boolean): Promise<SubmitOutcome> {
    const { journal, cwd, open } = this.#parts;
    try {
      const session = await open();
      const { input, parts = [] } = await withAttachments(prompt, cwd);
      // Rejects if another node has taken the session over, so that the program is not prompted.
      await journal.written();
      if (isAborted()) return { status: 'interrupted', result: this.#result('abort') };
      for await (const _event of session.sendMessage(input, parts.map(imageOf))) {
        // Already handled through the bus.
      }
      const lastTurn = session.getState().metadata?.lastTurn as TurnOutcome | undefined;
      const { status, reason }: TurnOutcome = lastTurn ?? { status: 'interrupted' };
      if (status === 'failed') throw agentFailed(reason);
      return { status, result: this.#result(status === 'completed' ? 'answer' : 'abort') };
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
      return { status: 'failed', error, endedBy: 'error' };
    }
  }

  #result(endedBy: ExecutionResult['endedBy']): ExecutionResult {
    const { view } = this.#parts;
    return {
      response: view.text,
      history: [],
      toolSummaries: [],
      contextState: view.context,
      endedBy,
    };
  }
}

function endOf(outcome: SubmitOutcome) {
  if ('result' in outcome) {
    const { response, endedBy } = outcome.result;
    return { response, endedBy };
  }
  const { code } = (outcome.status === 'failed' ? outcome.error : {}) as {
    readonly code?: unknown;
  };
  return { endedBy: 'error', code };
}

/** An image in the agents' format; any other file fails the turn with a message. */
function imageOf(part: MessagePart): ImageContent {
  if (part.type !== 'image_inline') {
    throw new AttachmentError(
      'Only images with their bytes, and texts, can be sent to this agent.',
    );
  }
  const { data, mimeType: mediaType } = part;
  return { type: 'image', source: { type: 'base64', data, mediaType } };
}

function agentFailed(reason = 'The turn failed.'): Error {
  return Object.assign(new Error(reason), { code: 'agent_failed' });
}
