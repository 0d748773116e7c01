import { randomUUID } from 'node:crypto';
import type { PermissionExplanation, ToolParameters } from '@robota-sdk/agent-core';
import type { QuestionField, QuestionKind } from '@robota-sdk/agent-transcript';
import { permissionAnswerOf } from '../live/engine-question.ts';
import type { LiveAnswer } from '../live/live-question.ts';

/**
 * `true` once, `false` not now, `'allow-session'` the whole tool; or a pattern, other parameters to run it with once,
 * or a reason the model reads.
 */
export type PermissionAnswer =
  | boolean
  | 'allow-session'
  | { readonly allow: 'session' | 'project'; readonly pattern: string }
  | { readonly allow: true; readonly input: ToolParameters }
  | { readonly deny: string };

/** Decides in code; surfaces may still answer first. It may have the call run with other parameters. */
export type InteractivePermissionHandler = (
  toolName: string,
  toolArgs: ToolParameters,
  request: PermissionRequest,
) => Promise<PermissionAnswer> | PermissionAnswer;

/** A tool call that somebody has to decide on. */
export interface PermissionRequest {
  readonly requestId: string;
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly toolCallId?: string;
  /** Why somebody is asked, and a rule that would allow the call in future. */
  readonly explanation?: PermissionExplanation;
}

/** A question of any kind; without one it asks for permission. */
export interface EngineQuestion extends PermissionRequest {
  readonly kind?: QuestionKind;
  readonly fields?: readonly QuestionField[];
}

/** What was decided, and by whom. */
export interface PermissionResolution {
  readonly requestId: string;
  readonly answer: PermissionAnswer;
  /** Who or what gave it, where that is known. */
  readonly by?: string;
}

export interface PermissionBrokerParts {
  readonly handler?: InteractivePermissionHandler | undefined;
  /** Whether anybody is there who could answer such a question. */
  readonly hasAudience: (kind: QuestionKind) => boolean;
  readonly onHandlerError: (error: Error) => void;
}

/** A question with what settles it. */
export interface BrokeredQuestion extends EngineQuestion {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  readonly answeredBy?: ((who: string) => void) | undefined;
}

interface OpenRequest {
  readonly request: EngineQuestion;
  readonly settle: (answer: LiveAnswer, by: string | undefined) => void;
}

/** Holds each question until somebody answers it; the first answer counts and later ones are told so. */
export class PermissionBroker {
  readonly #parts: PermissionBrokerParts;
  readonly #open = new Map<string, OpenRequest>();

  constructor(parts: PermissionBrokerParts) {
    this.#parts = parts;
  }

  /** Denied at once where nobody can answer, and as soon as `signal` says that nobody waits any more. */
  ask({ signal, answeredBy, ...request }: BrokeredQuestion): Promise<LiveAnswer> {
    const { kind = 'permission', requestId } = request;
    // Code decides on calls, not on what a person thinks.
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

  /** A question that the gate does not ask: told and settled in the log like any other. */
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

  /** False when the request is unknown or was answered before. */
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

  /** Nobody is going to answer any more: what is open is denied. */
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

/** Callers in JavaScript may answer anything; what is no answer is not taken for a no that somebody meant. */
function isAnswer(answer: unknown): answer is PermissionAnswer {
  if (typeof answer === 'boolean' || answer === 'allow-session') return true;
  return typeof answer === 'object' && answer !== null && ('allow' in answer || 'deny' in answer);
}
