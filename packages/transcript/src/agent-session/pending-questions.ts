import { setTimeout as wait } from 'node:timers/promises';
import {
  type AgentPermissionAnswer,
  ALLOW_FOR_SESSION,
  ALLOW_ONCE,
  type AskPermission,
  DENY,
  NO_CALLBACK,
  type PermissionQuestion,
  toPermissionAnswer,
} from '../architectures/permission-question.ts';
import type { ConversationBlock } from '../blocks.ts';
import type { Question, QuestionAnswer } from '../question.ts';

/** How a question of an agent was settled. */
export interface QuestionResolution {
  readonly id: string;
  /** `expired`: the turn ended or was interrupted before an answer came. */
  readonly how: 'answered' | 'expired';
}

interface QuestionCallbacks {
  onQuestion(question: Question): void;
  onResolved(resolution: QuestionResolution): void;
  /** The block of a call, once it was emitted. */
  findCall(toolUseId: string): ConversationBlock | undefined;
}

/** The unanswered questions of a session. */
export class PendingQuestions {
  readonly #callbacks: QuestionCallbacks;
  readonly #callback: AskPermission | undefined;
  readonly #waits: boolean;
  readonly #pending = new Map<string, Pending>();
  readonly #waiting = new Set<() => void>();

  /** Without a callback questions are denied, unless `waits` is set. */
  constructor(
    callbacks: QuestionCallbacks,
    {
      callback,
      waits,
    }: { readonly callback: AskPermission | undefined; readonly waits: boolean | undefined },
  ) {
    this.#callbacks = callbacks;
    this.#callback = callback;
    this.#waits = waits ?? false;
  }

  list(): readonly Question[] {
    return [...this.#pending.values()].map(({ question }) => question);
  }

  /** False for a question that is unknown or already settled. */
  answer(id: string, answer: QuestionAnswer): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    pending.settle(toPermissionAnswer(answer, pending.question.input));
    this.#callbacks.onResolved({ id, how: 'answered' });
    return true;
  }

  /** Called after every event, since it may contain the block a question waits for. */
  retryWaiting(): void {
    for (const check of this.#waiting) check();
  }

  readonly ask: AskPermission = async (asked, signal) => {
    if (this.#callback === undefined && !this.#waits) return { deny: NO_CALLBACK };
    await this.#callEmitted(asked.toolUseId);
    if (signal.aborted) return { deny: 'The turn was interrupted.' };
    const question = this.#toQuestion(asked);
    const answered = new Promise<AgentPermissionAnswer>((resolve) => {
      this.#pending.set(question.id, { question, settle: resolve });
    });
    const expire = () => this.#expire(question.id);
    signal.addEventListener('abort', expire, { once: true });
    this.#callbacks.onQuestion(question);
    if (this.#callback !== undefined) this.#askCallback(asked, signal, this.#callback);
    try {
      return await answered;
    } finally {
      signal.removeEventListener('abort', expire);
    }
  };

  #askCallback(asked: PermissionQuestion, signal: AbortSignal, callback: AskPermission): void {
    Promise.resolve()
      .then(() => callback(asked, signal))
      .then(
        (answer) => this.answer(asked.id, answer),
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          this.answer(asked.id, { deny: `The question could not be answered: ${reason}` });
        },
      );
  }

  #expire(id: string): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id);
    pending.settle({ deny: 'The turn was interrupted.' });
    this.#callbacks.onResolved({ id, how: 'expired' });
  }

  /** Some programs ask before they report the call; waits a moment so that its block is emitted first. */
  async #callEmitted(toolUseId: string | undefined): Promise<void> {
    if (toolUseId === undefined || this.#callbacks.findCall(toolUseId) !== undefined) return;
    const finished = new AbortController();
    const emitted = new Promise<void>((resolve) => {
      const check = () => {
        if (this.#callbacks.findCall(toolUseId) !== undefined) resolve();
      };
      this.#waiting.add(check);
      finished.signal.addEventListener('abort', () => this.#waiting.delete(check), { once: true });
    });
    const timeout = wait(MAX_WAIT_MS, undefined, { signal: finished.signal, ref: false });
    // The rejection comes from the abort below.
    await Promise.race([emitted, timeout.catch(() => undefined)]);
    finished.abort();
  }

  #toQuestion(asked: PermissionQuestion): Question {
    const { id, toolUseId, conversationId, toolName, description, kind, fields } = asked;
    const call = toolUseId === undefined ? undefined : this.#callbacks.findCall(toolUseId);
    const known = call?.type === 'tool_use' ? call.input : {};
    return {
      id,
      kind: kind ?? 'permission',
      conversationId,
      toolName,
      // A plan, for example, is only in the call.
      input: { ...known, ...asked.input },
      choices: asked.choices ?? [ALLOW_ONCE, ALLOW_FOR_SESSION, DENY],
      ...(toolUseId !== undefined && { toolCallId: toolUseId }),
      ...(fields !== undefined && { fields }),
      ...(description !== undefined && { explanation: description }),
    };
  }
}

interface Pending {
  readonly question: Question;
  readonly settle: (answer: AgentPermissionAnswer) => void;
}

const MAX_WAIT_MS = 50;
