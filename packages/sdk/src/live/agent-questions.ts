import type { ToolParameters } from '@robota-sdk/agent-core';
import type { Question } from '@robota-sdk/agent-transcript';
import type { QuestionResolution } from '@robota-sdk/agent-transcript/architectures';
import type { EventHub } from '../interactive/event-hub.ts';
import type { PermissionAnswer } from '../interactive/permission-broker.ts';
import type { AgentJournal } from './agent-journal.ts';
import type { LiveAnswer } from './live-question.ts';

/** Emits and journals another agent's questions and their answers. */
export class AgentQuestions {
  readonly #events: EventHub;
  readonly #journal: AgentJournal;
  readonly #answers = new Map<string, { answer: LiveAnswer; by: string | undefined }>();

  constructor(parts: { readonly events: EventHub; readonly journal: AgentJournal }) {
    this.#events = parts.events;
    this.#journal = parts.journal;
  }

  asked(question: Question): void {
    const { id, kind, toolName, toolCallId, input } = question;
    const fields = { requestId: id, kind, toolName, toolCallId, toolArgs: input };
    this.#journal.append('permission_request', fields, { question });
    if (kind === 'permission') {
      this.#events.emit('permission_request', {
        requestId: id,
        toolName,
        toolArgs: input as ToolParameters,
        ...(toolCallId !== undefined && { toolCallId }),
      });
    }
    this.#events.emit('question', question);
  }

  /** Whether anyone listens who could answer. */
  hasListener(): boolean {
    return this.#events.hasListener('question') || this.#events.hasListener('permission_request');
  }

  /** Remembers the answer until the agent's session confirms it. */
  answering(id: string, answer: LiveAnswer, by: string | undefined): void {
    this.#answers.set(id, { answer, by });
  }

  resolved({ id, how }: QuestionResolution): void {
    const given = this.#answers.get(id) ?? { answer: false, by: undefined };
    this.#answers.delete(id);
    const by = how === 'expired' ? 'abort' : given.by;
    const answer = how === 'expired' ? false : given.answer;
    const who = by === undefined ? {} : { by };
    this.#journal.append('permission_resolved', { requestId: id, answer, ...who }, { how });
    const permission = answer as PermissionAnswer;
    this.#events.emit('permission_resolved', { requestId: id, answer: permission, ...who });
    this.#events.emit('question_resolved', { id, how, answer, ...who });
  }
}
