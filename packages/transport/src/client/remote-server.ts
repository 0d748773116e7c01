import type { CreateSessionRequest, ListQueryRequest, SessionListPage } from '../protocol.ts';
import { errorOf } from './remote-error.ts';
import { RemoteSession, type RemoteSessionOptions } from './remote-session.ts';
import { apiUrl, authorization } from './server-address.ts';
import type { FetchLike } from './socket.ts';

interface CreatedSession {
  readonly session_id: string;
}

/** Where the server is, and how to come in. */
export type RemoteServerOptions = Omit<RemoteSessionOptions, 'sessionId'>;

/** A server of sessions: which there are, and the way to each of them. */
export class RemoteServer {
  readonly #options: RemoteServerOptions;
  readonly #fetch: FetchLike;

  constructor(options: RemoteServerOptions) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  }

  /** A page of the sessions that the server knows, open ones and saved ones of every agent. */
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

  /** Ends a session and erases what is saved of it. */
  async deleteSession(id: string): Promise<void> {
    await this.#request('DELETE', `/api/sessions/${encodeURIComponent(id)}`);
  }

  openSession(sessionId: string, agent?: string): RemoteSession {
    return new RemoteSession({ ...this.#options, sessionId, agent });
  }

  /** The server has passed the token's check and is believed, as on the WebSocket. */
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
