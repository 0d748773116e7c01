import { randomUUID } from 'node:crypto';
import type { PermissionExplanation, ToolParameters } from '@robota-sdk/agent-core';
import type { QuestionField, QuestionKind } from '@robota-sdk/agent-transcript';
import { permissionAnswerOf } from '../live/engine-question.ts';
import type { LiveAnswer } from '../live/live-question.ts';

/**
 * `true` allows the call once, `false` denies it, `'allow-session'` allows the tool for the session; or a pattern to
 * allow, changed parameters for this call, or a reason for the denial, which the model reads.
 */
export type PermissionAnswer =
  | boolean
  | 'allow-session'
  | { readonly allow: 'session' | 'project'; readonly pattern: string }
  | { readonly allow: true; readonly input: ToolParameters }
  | { readonly deny: string };

/** Decides in code; a surface may still answer first. It may change the parameters of the call. */
export type InteractivePermissionHandler = (
  toolName: string,
  toolArgs: ToolParameters,
  request: PermissionRequest,
) => Promise<PermissionAnswer> | PermissionAnswer;

/** A tool call that needs a decision. */
export interface PermissionRequest {
  readonly requestId: string;
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly toolCallId?: string;
  /** Why permission is needed, and a rule that would allow the call in future. */
  readonly explanation?: PermissionExplanation;
}

/** A question of any kind; without `kind` it asks for permission. */
export interface EngineQuestion extends PermissionRequest {
  readonly kind?: QuestionKind;
  readonly fields?: readonly QuestionField[];
}

/** The answer to a request, and who gave it. */
export interface PermissionResolution {
  readonly requestId: string;
  readonly answer: PermissionAnswer;
  /** Who or what answered, if known. */
  readonly by?: string;
}

export interface PermissionBrokerParts {
  readonly handler?: InteractivePermissionHandler | undefined;
  /** Whether a surface is listening that could answer such a question. */
  readonly hasAudience: (kind: QuestionKind) => boolean;
  readonly onHandlerError: (error: Error) => void;
}

/** A question with its cancellation and the callback for who answered. */
export interface BrokeredQuestion extends EngineQuestion {
  /** Aborts when the answer is no longer needed. */
  readonly signal?: AbortSignal | undefined;
  readonly answeredBy?: ((who: string) => void) | undefined;
}

interface OpenRequest {
  readonly request: EngineQuestion;
  readonly settle: (answer: LiveAnswer, by: string | undefined) => void;
}

/** Holds each question until it is answered; the first answer wins, and `answer` returns false for later ones. */
export class PermissionBroker {
  readonly #parts: PermissionBrokerParts;
  readonly #open = new Map<string, OpenRequest>();

  constructor(parts: PermissionBrokerParts) {
    this.#parts = parts;
  }

  /** Denied immediately when nobody can answer, and when `signal` aborts. */
  ask({ signal, answeredBy, ...request }: BrokeredQuestion): Promise<LiveAnswer> {
    const { kind = 'permission', requestId } = request;
    // Handlers decide on tool calls; other questions need a user.
    const handler = kind === 'permission' ? this.#parts.handler : undefined;
    if (!handler && !this.#parts.hasAudience(kind)) {
      answeredBy?.('nobody');
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const settle = (answer: LiveAnswer, by: string | undefined) => {
        if (by !== undefined) answeredBy?.(by);
        resolve(answer);
      };
      this.#open.set(requestId, { request, settle });
      signal?.addEventListener('abort', () => this.answer(requestId, false, 'abort'), {
        once: true,
      });
      if (handler) void this.#consult(handler, request);
    });
  }

  async askPermission(question: BrokeredQuestion): Promise<PermissionAnswer> {
    return permissionAnswerOf(await this.ask(question));
  }

  /** Asks a question from outside the permission gate, logging it and its answer as the gate does. */
  async askLogged(
    question: Omit<EngineQuestion, 'requestId'> & { readonly signal: AbortSignal },
    log: { logEvent(event: string, fields: Record<string, unknown>): void } | undefined,
  ): Promise<{ readonly answer: LiveAnswer; readonly by: string | undefined }> {
    const requestId = randomUUID();
    let by: string | undefined;
    const answering = this.ask({
      ...question,
      requestId,
      answeredBy: (who) => {
        by = who;
      },
    });
    const { signal: _signal, ...asked } = question;
    log?.logEvent('permission_request', { requestId, ...asked });
    const answer = await answering;
    log?.logEvent('permission_resolved', { requestId, answer, by });
    return { answer, by };
  }

  /** False when the request is unknown or already answered. */
  answer(requestId: string, answer: LiveAnswer, by?: string): boolean {
    const open = this.#open.get(requestId);
    if (!open) return false;
    this.#open.delete(requestId);
    open.settle(answer, by);
    return true;
  }

  pending(): EngineQuestion[] {
    return [...this.#open.values()].map((open) => open.request);
  }

  /** Denies all open questions, because nobody will answer them any more. */
  denyAll(): void {
    for (const requestId of [...this.#open.keys()]) this.answer(requestId, false, 'abort');
  }

  async #consult(handler: InteractivePermissionHandler, request: PermissionRequest): Promise<void> {
    const { requestId, toolName, toolArgs } = request;
    try {
      const answer = await handler(toolName, toolArgs, request);
      if (!isAnswer(answer)) throw new TypeError(NO_ANSWER);
      this.answer(requestId, answer, 'handler');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#parts.onHandlerError(
        new Error(
          `The permission handler failed for ${toolName}; the call was denied. ${reason}`.trim(),
          { cause: error },
        ),
      );
      this.answer(requestId, false, 'error');
    }
  }
}

const NO_ANSWER =
  "It has to answer true, false, 'allow-session', { allow: true, input }, { allow: 'session', pattern } or { deny: reason }.";

/** JavaScript callers may return anything; an invalid value is reported instead of passing as a deliberate denial. */
function isAnswer(answer: unknown): answer is PermissionAnswer {
  if (typeof answer === 'boolean' || answer === 'allow-session') return true;
  return typeof answer === 'object' && answer !== null && ('allow' in answer || 'deny' in answer);
}
