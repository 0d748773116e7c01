import { randomUUID } from 'node:crypto';
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
}

export interface PermissionBrokerParts {
  readonly handler?: InteractivePermissionHandler | undefined;
  /** Whether anybody is there who could answer. */
  readonly hasAudience: () => boolean;
  readonly onRequest: (request: PermissionRequest) => void;
  readonly onResolved: (resolution: PermissionResolution) => void;
  readonly onHandlerError: (error: Error) => void;
}

interface OpenRequest {
  readonly request: PermissionRequest;
  readonly settle: (answer: PermissionAnswer) => void;
}

/** Puts each question to everybody at once; the first answer counts and later ones are told so. */
export class PermissionBroker {
  readonly #parts: PermissionBrokerParts;
  readonly #open = new Map<string, OpenRequest>();

  constructor(parts: PermissionBrokerParts) {
    this.#parts = parts;
  }

  /** Denied at once where nobody can answer, and as soon as `signal` says that nobody waits any more. */
  ask(
    question: Omit<PermissionRequest, 'requestId'>,
    signal?: AbortSignal,
  ): Promise<PermissionAnswer> {
    const { handler, hasAudience } = this.#parts;
    if (!handler && !hasAudience()) return Promise.resolve(false);
    const request: PermissionRequest = { requestId: randomUUID(), ...question };
    return new Promise((resolve) => {
      this.#open.set(request.requestId, { request, settle: resolve });
      signal?.addEventListener('abort', () => this.answer(request.requestId, false), {
        once: true,
      });
      this.#parts.onRequest(request);
      if (handler) void this.#consult(handler, request);
    });
  }

  /** False when the request is unknown or was answered before. */
  answer(requestId: string, answer: PermissionAnswer): boolean {
    const open = this.#open.get(requestId);
    if (!open) return false;
    this.#open.delete(requestId);
    open.settle(answer);
    this.#parts.onResolved({ requestId, answer });
    return true;
  }

  pending(): PermissionRequest[] {
    return [...this.#open.values()].map((open) => open.request);
  }

  /** Nobody is going to answer any more: what is open is denied. */
  denyAll(): void {
    for (const requestId of [...this.#open.keys()]) this.answer(requestId, false);
  }

  async #consult(handler: InteractivePermissionHandler, request: PermissionRequest): Promise<void> {
    try {
      this.answer(request.requestId, await handler(request.toolName, request.toolArgs));
    } catch (error) {
      this.#parts.onHandlerError(
        new Error(`The permission handler failed for ${request.toolName}; the call was denied.`, {
          cause: error,
        }),
      );
      this.answer(request.requestId, false);
    }
  }
}
