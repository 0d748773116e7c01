import { RemoteError } from '@robota-sdk/agent-transport/client';
import type {
  BlockPage,
  LinkAnswer,
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
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface PromptPart {
  readonly type: 'text' | 'image';
  readonly text?: string;
  readonly source?: { readonly type: 'base64'; readonly data: string; readonly mediaType: string };
}

export interface SessionChanges {
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly permission_mode?: string | undefined;
  readonly archived?: boolean | undefined;
}

/** Everything the page asks of its server, apart from the line to a live session. */
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

  describe(id: string): Promise<SessionDetails> {
    return this.#ask('GET', sessionPath(id));
  }

  /** At most 500 blocks of a thread, by their place in it. */
  blocks(
    id: string,
    range: { from: number; limit: number; thread?: string | undefined },
  ): Promise<BlockPage> {
    return this.#ask('GET', `${sessionPath(id)}/blocks${search(range)}`);
  }

  search(
    query: { q: string; agent?: string | undefined; project?: string | undefined },
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

  async forkSession(id: string, at?: string): Promise<string> {
    const body = at === undefined ? {} : { at };
    const copy = await this.#ask<{ session_id: string }>('POST', `${sessionPath(id)}/fork`, {
      body,
    });
    return copy.session_id;
  }

  /** A prompt with pictures; plain ones go over the session's own line. */
  async submitParts(id: string, content: readonly PromptPart[]): Promise<void> {
    const body = { content, message_id: crypto.randomUUID() };
    await this.#ask('POST', `${sessionPath(id)}/prompts`, { body });
  }

  async answerQuestion(
    id: string,
    questionId: string,
    answers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const path = `${sessionPath(id)}/questions/${encodeURIComponent(questionId)}`;
    await this.#ask('POST', path, { body: { answers } });
  }

  async changeSession(id: string, changes: SessionChanges): Promise<void> {
    await this.#ask('PATCH', sessionPath(id), { body: changes });
  }

  /** What a session can be asked to do that needs no further words. */
  async act(id: string, action: 'compact' | 'take-over' | 'hand-over' | 'abort'): Promise<void> {
    await this.#ask('POST', `${sessionPath(id)}/${action}`, { body: {} });
  }

  async clearSession(id: string): Promise<void> {
    await this.#ask('POST', `${sessionPath(id)}/commands/clear`, { body: {} });
  }

  async deleteSession(id: string): Promise<void> {
    await this.#ask('DELETE', sessionPath(id));
  }

  async exportSession(id: string, format: 'html' | 'markdown' | 'jsonl'): Promise<Blob> {
    const response = await this.#send('GET', `${sessionPath(id)}/export${search({ format })}`);
    return response.blob();
  }

  async usage(query: {
    from: string;
    to: string;
    group: UsageGroup;
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

  /** A code that opens the page once, on another device, within two minutes. */
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
