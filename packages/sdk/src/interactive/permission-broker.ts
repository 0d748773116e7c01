import type { PermissionExplanation, ToolParameters } from '@robota-sdk/agent-core';

/** `true` once, `false` not now, `'allow-session'` the whole tool; or a pattern, or a reason the model reads. */
export type PermissionAnswer =
  | boolean
  | 'allow-session'
  | { readonly allow: 'session' | 'project'; readonly pattern: string }
  | { readonly deny: string };

/** Decides in code; surfaces may still answer first. */
export type InteractivePermissionHandler = (
  toolName: string,
  toolArgs: ToolParameters,
) => Promise<PermissionAnswer> | PermissionAnswer;

export interface PermissionRequest {
  readonly requestId: string;
  readonly toolName: string;
  readonly toolArgs: ToolParameters;
  readonly toolCallId?: string;
  /** Why somebody is asked, and a rule that would allow the call in future. */
  readonly explanation?: PermissionExplanation;
}

export interface PermissionResolution {
  readonly requestId: string;
  readonly answer: PermissionAnswer;
  /** Who or what gave it, where that is known. */
  readonly by?: string;
}

export interface PermissionBrokerParts {
  readonly handler?: InteractivePermissionHandler | undefined;
  /** Whether anybody is there who could answer. */
  readonly hasAudience: () => boolean;
  readonly onHandlerError: (error: Error) => void;
}

/** A question with what settles it. */
export interface BrokeredQuestion extends PermissionRequest {
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
  readonly answeredBy?: ((who: string) => void) | undefined;
}

interface OpenRequest {
  readonly request: PermissionRequest;
  readonly settle: (answer: PermissionAnswer, by: string | undefined) => void;
}

/** Holds each question until somebody answers it; the first answer counts and later ones are told so. */
export class PermissionBroker {
  readonly #parts: PermissionBrokerParts;
  readonly #open = new Map<string, OpenRequest>();

  constructor(parts: PermissionBrokerParts) {
    this.#parts = parts;
  }

  /** Denied at once where nobody can answer, and as soon as `signal` says that nobody waits any more. */
  ask({ signal, answeredBy, ...request }: BrokeredQuestion): Promise<PermissionAnswer> {
    const { handler, hasAudience } = this.#parts;
    if (!handler && !hasAudience()) {
      answeredBy?.('nobody');
      return Promise.resolve(false);
    }
    const { requestId } = request;
    return new Promise((resolve) => {
      const settle = (answer: PermissionAnswer, by: string | undefined) => {
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

  /** False when the request is unknown or was answered before. */
  answer(requestId: string, answer: PermissionAnswer, by?: string): boolean {
    const open = this.#open.get(requestId);
    if (!open) return false;
    this.#open.delete(requestId);
    open.settle(answer, by);
    return true;
  }

  pending(): PermissionRequest[] {
    return [...this.#open.values()].map((open) => open.request);
  }

  /** Nobody is going to answer any more: what is open is denied. */
  denyAll(): void {
    for (const requestId of [...this.#open.keys()]) this.answer(requestId, false, 'abort');
  }

  async #consult(handler: InteractivePermissionHandler, request: PermissionRequest): Promise<void> {
    const { requestId, toolName, toolArgs } = request;
    try {
      this.answer(requestId, await handler(toolName, toolArgs), 'handler');
    } catch (error) {
      this.#parts.onHandlerError(
        new Error(`The permission handler failed for ${toolName}; the call was denied.`, {
          cause: error,
        }),
      );
      this.answer(requestId, false, 'error');
    }
  }
}
