import type { HostedSession } from '@robota-sdk/agent-sdk';
import { z } from 'zod';
import { type CreateSessionRequest, sessionListSchema } from '../protocol.ts';
import { errorOf } from './remote-error.ts';
import { RemoteSession, type RemoteSessionOptions } from './remote-session.ts';
import { apiUrl, authorization } from './server-address.ts';
import type { FetchLike } from './socket.ts';

const createdSchema = z.object({ session_id: z.string() });

export type RemoteServerOptions = Omit<RemoteSessionOptions, 'sessionId'>;

/** A server of sessions: which there are, and the way to each of them. */
export class RemoteServer {
  readonly #options: RemoteServerOptions;
  readonly #fetch: FetchLike;

  constructor(options: RemoteServerOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  async listSessions(): Promise<readonly HostedSession[]> {
    return sessionListSchema.parse(await this.#request('GET', '/api/sessions')).sessions;
  }

  /** Creates a session and returns its id. */
  async createSession(request: CreateSessionRequest = {}): Promise<string> {
    return createdSchema.parse(await this.#request('POST', '/api/sessions', request)).session_id;
  }

  /** Copies a saved session and returns the id of the copy. */
  async forkSession(id: string): Promise<string> {
    const path = `/api/sessions/${encodeURIComponent(id)}/fork`;
    return createdSchema.parse(await this.#request('POST', path)).session_id;
  }

  /** Ends a session and erases what is saved of it. */
  async deleteSession(id: string): Promise<void> {
    await this.#request('DELETE', `/api/sessions/${encodeURIComponent(id)}`);
  }

  openSession(sessionId: string, agent?: string): RemoteSession {
    return new RemoteSession({ ...this.#options, sessionId, agent });
  }

  async #request(method: string, path: string, body?: object): Promise<unknown> {
    const response = await this.#fetch(apiUrl(this.#options, path), {
      method,
      headers: { ...authorization(this.#options), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw await errorOf(response);
    return response.json();
  }
}
