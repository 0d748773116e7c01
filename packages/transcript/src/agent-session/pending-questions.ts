import { setTimeout as wait } from 'node:timers/promises';
import {
  ALLOW_FOR_SESSION,
  ALLOW_ONCE,
  type AskPermission,
  DENY,
  NOBODY,
  type PermissionAnswer,
  type PermissionQuestion,
  toPermissionAnswer,
} from '../architectures/permission-question.ts';
import type { ConversationBlock } from '../blocks.ts';
import type { Question, QuestionAnswer } from '../question.ts';

/** How a question of an agent was settled. */
export interface QuestionResolution {
  readonly id: string;
  /** `expired`: the turn ended or was interrupted before anybody answered. */
  readonly how: 'answered' | 'expired';
}

interface QuestionCallbacks {
  onQuestion(question: Question): void;
  onResolved(resolution: QuestionResolution): void;
  /** The block of a call, once it has been told. */
  findCall(toolUseId: string): ConversationBlock | undefined;
}

/** The questions of a session that nobody has answered yet. */
export class PendingQuestions {
  readonly #callbacks: QuestionCallbacks;
  readonly #callback: AskPermission | undefined;
  readonly #waits: boolean;
  readonly #pending = new Map<string, Pending>();
  readonly #untold = new Set<() => void>();

  /** Without a callback questions are answered with no, unless they are to wait for somebody. */
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

  /** Whether this was the answer: `false` for a question nobody asks, or asks no more. */
  answer(id: string, answer: QuestionAnswer): boolean {
    const pending = this.#pending.get(id);
    if (pending === undefined) return false;
    this.#pending.delete(id);
    pending.settle(toPermissionAnswer(answer, pending.question.input));
    this.#callbacks.onResolved({ id, how: 'answered' });
    return true;
  }

  /** Some block has been told; a question about it may be asked now. */
  blockTold(): void {
    for (const look of this.#untold) look();
  }

  readonly ask: AskPermission = async (asked, signal) => {
    if (this.#callback === undefined && !this.#waits) return { deny: NOBODY };
    await this.#whenTold(asked.toolUseId);
    if (signal.aborted) return { deny: 'The turn was interrupted.' };
    const question = this.#toQuestion(asked);
    const answered = new Promise<PermissionAnswer>((resolve) => {
      this.#pending.set(question.id, { question, settle: resolve });
    });
    const expire = () => this.#expire(question.id);
    signal.addEventListener('abort', expire, { once: true });
    this.#callbacks.onQuestion(question);
    if (this.#callback !== undefined) this.#put(asked, signal, this.#callback);
    try {
      return await answered;
    } finally {
      signal.removeEventListener('abort', expire);
    }
  };

  #put(asked: PermissionQuestion, signal: AbortSignal, callback: AskPermission): void {
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

  /** Some programs ask before they tell of the call; the call comes first for whoever is asked. */
  async #whenTold(toolUseId: string | undefined): Promise<void> {
    if (toolUseId === undefined || this.#callbacks.findCall(toolUseId) !== undefined) return;
    const given = new AbortController();
    const told = new Promise<void>((resolve) => {
      const look = () => {
        if (this.#callbacks.findCall(toolUseId) !== undefined) resolve();
      };
      this.#untold.add(look);
      given.signal.addEventListener('abort', () => this.#untold.delete(look), { once: true });
    });
    const late = wait(LONGEST_WAIT_MS, undefined, { signal: given.signal, ref: false });
    // Aborted below, once the call was told.
    await Promise.race([told, late.catch(() => undefined)]);
    given.abort();
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
      // A plan, for example, stands only in the call.
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
  readonly settle: (answer: PermissionAnswer) => void;
}

const LONGEST_WAIT_MS = 50;
