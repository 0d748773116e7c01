import type { CreateSessionRequest, ListQueryRequest, SessionListPage } from '../protocol.ts';
import { errorOf } from './remote-error.ts';
import { RemoteSession, type RemoteSessionOptions } from './remote-session.ts';
import { apiUrl, authorization } from './server-address.ts';
import type { FetchLike } from './socket.ts';

interface CreatedSession {
  readonly session_id: string;
}

/** The server's address and credentials. */
export type RemoteServerOptions = Omit<RemoteSessionOptions, 'sessionId'>;

/** A server of sessions: lists, creates and opens them. */
export class RemoteServer {
  readonly #options: RemoteServerOptions;
  readonly #fetch: FetchLike;

  constructor(options: RemoteServerOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** One page of the server's sessions, open and saved, of every agent. */
  async listSessions(query: ListQueryRequest = {}): Promise<SessionListPage> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      given.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.#request('GET', `/api/sessions${search.size > 0 ? `?${search}` : ''}`);
  }

  /** Creates a session and returns its id. */
  async createSession(request: CreateSessionRequest = {}): Promise<string> {
    const created = await this.#request<CreatedSession>('POST', '/api/sessions', request);
    return created.session_id;
  }

  /** Copies a saved session and returns the id of the copy. */
  async forkSession(id: string): Promise<string> {
    const path = `/api/sessions/${encodeURIComponent(id)}/fork`;
    const copy = await this.#request<CreatedSession>('POST', path);
    return copy.session_id;
  }

  /** Ends a session and deletes its saved data. */
  async deleteSession(id: string): Promise<void> {
    await this.#request('DELETE', `/api/sessions/${encodeURIComponent(id)}`);
  }

  openSession(sessionId: string, agent?: string): RemoteSession {
    return new RemoteSession({ ...this.#options, sessionId, agent });
  }

  /** The server is trusted, so responses are not validated. */
  async #request<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.#fetch(apiUrl(this.#options, path), {
      method,
      headers: { ...authorization(this.#options), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw await errorOf(response);
    return (await response.json()) as Answer;
  }
}
