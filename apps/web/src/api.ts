import { RemoteError } from '@robota-sdk/agent-transport/client';
import type {
  BlockPage,
  BlockPlace,
  HandOverReport,
  IssuedToken,
  LinkAnswer,
  RewindDone,
  RewindPreview,
  RewindRequest,
  SearchAnswer,
  ServerFacts,
  SessionDetails,
  SessionPage,
  SessionRow,
  TrustedFolder,
  UsageGroup,
  UsageRow,
} from './api-types.ts';
import { readServerEvents } from './server-events.ts';

export interface SessionQuery {
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  readonly state?: 'working' | 'waiting' | undefined;
  readonly archived?: 'without' | 'with' | 'only' | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/** Identifies a session by id and agent. */
export interface SessionName {
  readonly id: string;
  readonly agent: string;
}

export interface SessionChanges {
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly permission_mode?: string | undefined;
  readonly is_pinned?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
}

/** The page's HTTP client; live sessions use their own WebSocket. */
export class PageApi {
  readonly url: string;
  readonly token: string;
  readonly #fetch: typeof fetch;

  constructor(options: { url: string; token: string; fetch?: typeof fetch | undefined }) {
    this.url = options.url;
    this.token = options.token;
    this.#fetch = options.fetch ?? ((...given) => globalThis.fetch(...given));
  }

  facts(): Promise<ServerFacts> {
    return this.#ask('GET', '/api/me');
  }

  listSessions(query: SessionQuery = {}): Promise<SessionPage> {
    return this.#ask('GET', `/api/sessions${search(query)}`);
  }

  /** Without the conversation, which arrives over the WebSocket and in pages. */
  describe({ id, agent }: SessionName): Promise<SessionDetails> {
    return this.#ask('GET', `${sessionPath(id)}${search({ agent, state: 'none' })}`);
  }

  /** At most 500 blocks of a thread, by index. */
  blocks(
    { id, agent }: SessionName,
    range: { from: number; limit: number; thread?: string | undefined },
  ): Promise<BlockPage> {
    return this.#ask('GET', `${sessionPath(id)}/blocks${search({ agent, ...range })}`);
  }

  place({ id, agent }: SessionName, blockId: string): Promise<BlockPlace> {
    const block = encodeURIComponent(blockId);
    return this.#ask('GET', `${sessionPath(id)}/blocks/${block}${search({ agent })}`);
  }

  search(
    query: {
      q: string;
      agent?: string | undefined;
      project?: string | undefined;
      /** Only this session, by the agent's own id. */
      session?: string | undefined;
      /** Maximum hits per session. */
      hits?: number | undefined;
    },
    signal: AbortSignal,
  ): Promise<SearchAnswer> {
    return this.#ask('GET', `/api/search${search(query)}`, { signal });
  }

  files(id: string, q: string, signal: AbortSignal): Promise<{ files: readonly string[] }> {
    return this.#ask('GET', `${sessionPath(id)}/files${search({ q })}`, { signal });
  }

  async createSession(agent?: string): Promise<string> {
    const body = agent === undefined ? {} : { agent };
    return (await this.#ask<{ session_id: string }>('POST', '/api/sessions', { body })).session_id;
  }

  /** Forks a session, optionally at a block; returns the id of the copy. */
  async forkSession(id: string, at?: string): Promise<string> {
    const path = `${sessionPath(id)}/fork`;
    const body = at === undefined ? {} : { at };
    return (await this.#ask<{ session_id: string }>('POST', path, { body })).session_id;
  }

  previewRewind(id: string, to: string): Promise<RewindPreview> {
    return this.#ask('POST', `${sessionPath(id)}/rewind/preview`, { body: { to } });
  }

  rewind(id: string, body: RewindRequest): Promise<RewindDone> {
    return this.#ask('POST', `${sessionPath(id)}/rewind`, { body });
  }

  undoRewind(id: string): Promise<RewindDone> {
    return this.#ask('POST', `${sessionPath(id)}/rewind/undo`, { body: { conflicts: 'keep' } });
  }

  handOver(
    { id, agent }: SessionName,
    body: {
      to: string;
      /** A directory on the server; the session's own by default. */
      cwd?: string | undefined;
      dry_run?: boolean;
      leave_to_target?: boolean;
    },
  ): Promise<HandOverReport> {
    return this.#ask('POST', `${sessionPath(id)}/hand-over${search({ agent })}`, { body });
  }

  /** Undoes a hand-over. */
  async removeHandOver(id: string): Promise<string> {
    const path = `/api/hand-overs/${encodeURIComponent(id)}`;
    return (await this.#ask<{ status: string }>('DELETE', path)).status;
  }

  async changeSession({ id, agent }: SessionName, changes: SessionChanges): Promise<void> {
    await this.#ask('PATCH', `${sessionPath(id)}${search({ agent })}`, { body: changes });
  }

  /** Runs an action without parameters. */
  async act(id: string, action: 'compact' | 'abort'): Promise<void> {
    await this.#ask('POST', `${sessionPath(id)}/${action}`, { body: {} });
  }

  async clearSession(id: string): Promise<void> {
    await this.#ask('POST', `${sessionPath(id)}/commands/clear`, { body: {} });
  }

  async deleteSession(id: string): Promise<void> {
    await this.#ask('DELETE', sessionPath(id));
  }

  async exportSession(
    { id, agent }: SessionName,
    format: 'html' | 'markdown' | 'json',
  ): Promise<Blob> {
    const address = `${sessionPath(id)}/export${search({ agent, format })}`;
    const response = await this.#send('GET', address);
    return response.blob();
  }

  async usage(query: {
    /** ISO 8601. */
    since: string;
    until: string;
    group: UsageGroup;
    time_zone: string;
  }): Promise<readonly UsageRow[]> {
    return (await this.#ask<{ rows: readonly UsageRow[] }>('GET', `/api/usage${search(query)}`))
      .rows;
  }

  async trustedFolders(): Promise<readonly TrustedFolder[]> {
    return (await this.#ask<{ folders: readonly TrustedFolder[] }>('GET', '/api/trust')).folders;
  }

  async trustFolder(path: string): Promise<void> {
    await this.#ask('POST', '/api/trust', { body: { path } });
  }

  async distrustFolder(path: string): Promise<void> {
    await this.#ask('DELETE', `/api/trust${search({ path })}`);
  }

  async tokens(): Promise<readonly IssuedToken[]> {
    return (await this.#ask<{ tokens: readonly IssuedToken[] }>('GET', '/api/tokens')).tokens;
  }

  /** Returns the token, which is shown only once. */
  async createToken(user: string, roles: readonly string[]): Promise<string> {
    const body = { user, roles };
    return (await this.#ask<{ token: string }>('POST', '/api/tokens', { body })).token;
  }

  async revokeToken(id: string): Promise<void> {
    await this.#ask('DELETE', `/api/tokens/${encodeURIComponent(id)}`);
  }

  /** Creates a one-time code, valid for two minutes, that opens the page on another device. */
  createLink(): Promise<LinkAnswer> {
    return this.#ask('POST', '/api/links', { body: {} });
  }

  async redeemLink(code: string): Promise<string> {
    const path = `/api/links/${encodeURIComponent(code)}`;
    return (await this.#ask<{ token: string }>('POST', path, { body: {} })).token;
  }

  /** Calls `onRow` whenever a session of the list changes, until `signal` ends it. */
  async watchSessions(onRow: (row: SessionRow) => void, signal: AbortSignal): Promise<void> {
    const response = await this.#send('GET', '/api/sessions/events', { signal });
    if (!response.body) return;
    for await (const data of readServerEvents(response.body)) onRow(JSON.parse(data) as SessionRow);
  }

  async #ask<Answer>(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const response = await this.#send(method, path, options);
    return (await response.json()) as Answer;
  }

  async #send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const response = await this.#fetch(`${this.url}${path}`, {
      method,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      headers: {
        ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
        ...(options.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
      ...(options.signal && { signal: options.signal }),
    });
    if (response.ok) return response;
    throw await refusal(response);
  }
}

interface RequestOptions {
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

function sessionPath(id: string): string {
  return `/api/sessions/${encodeURIComponent(id)}`;
}

function search(query: Readonly<Record<string, string | number | undefined>> | object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

async function refusal(response: Response): Promise<RemoteError> {
  const body = (await response.json().catch(() => ({}))) as {
    error?: { code?: string; message?: string };
  };
  const { code = 'http_error', message = `The server answered ${response.status}.` } =
    body.error ?? {};
  return new RemoteError(code, message, response.status);
}
