import {
  asArray,
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  type JsonRecord,
} from '../../json-record.ts';
import type { TokenUsage } from '../../session-metadata.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { sumUsage } from '../../token-usage.ts';
import { type ItemPlace, LiveItems } from './live-items.ts';
import { LiveThreads, MAIN } from './live-threads.ts';
import { toUsage } from './session-facts.ts';
import { abortMessage } from './thread-notices.ts';
import { toTurnItem } from './turn-item.ts';

/** Translates the messages of `codex app-server`: notifications, its requests, and responses to its client. */
export class AppServerTranslation {
  readonly #threads = new LiveThreads();
  readonly #items = new LiveItems(this.#threads);
  readonly #usage = new Map<string, TokenUsage>();
  readonly #requests = new Map<unknown, string>();
  readonly #now: () => string;
  #mainId: string | undefined;
  #notices = 0;

  constructor(now: () => string) {
    this.#now = now;
  }

  translate(message: JsonRecord): StreamEvent[] {
    const method = asString(message.method);
    const params = asRecord(message.params);
    if (method === undefined) return this.#response(asRecord(message.result));
    if (message.id !== undefined) return this.#request(message.id, params);
    const handle = this.#handlers.get(method);
    if (handle === undefined) return [];
    const thread = this.#threadOf(asId(params.threadId));
    const timestamp = this.#timeOf(params, asNumber(message.emittedAtMs));
    return handle(params, { thread, timestamp });
  }

  end(): StreamEvent[] {
    return this.#threads.closeAll();
  }

  readonly #handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ['thread/started', ({ thread }) => this.#threadStarted(asRecord(thread))],
    ['thread/name/updated', ({ threadName }) => this.#title(asString(threadName))],
    ['thread/tokenUsage/updated', (params) => this.#tokens(params)],
    ['turn/started', (params, place) => this.#turnStarted(params, place)],
    ['turn/completed', (params, place) => this.#turnCompleted(params, place)],
    ['item/started', ({ item }, place) => this.#items.started(toTurnItem(asRecord(item)), place)],
    ['item/updated', ({ item }, place) => this.#items.started(toTurnItem(asRecord(item)), place)],
    ['item/completed', ({ item }, place) => this.#completed(asRecord(item), place)],
    ['item/agentMessage/delta', (params, place) => this.#items.text(params, place)],
    ['item/plan/delta', (params, place) => this.#items.text(params, place)],
    ['item/reasoning/summaryTextDelta', (params, place) => this.#items.reasoning(params, place)],
    ['item/reasoning/textDelta', (params, place) => this.#items.reasoning(params, place)],
    ['serverRequest/resolved', ({ requestId }) => this.#resolved(requestId)],
    ['error', (params, place) => this.#error(params, place)],
    // The notification does not say which turns were reverted; only the requesting client learns that.
    ['thread/reverted', () => [this.#threads.metadata({ reloadNeeded: true })]],
  ]);

  #completed(item: JsonRecord, place: ItemPlace): StreamEvent[] {
    const opened = this.#threads.openThread(place.thread, place.timestamp);
    return [...opened, ...this.#items.completed(toTurnItem(item), place)];
  }

  /** The first thread without a parent is the main conversation; the others are agents. */
  #threadStarted(thread: JsonRecord): StreamEvent[] {
    const id = asId(thread.id);
    if (id === undefined) return [];
    if (asString(thread.parentThreadId) !== undefined) return this.#agentStarted(id, thread);
    this.#mainId ??= id;
    if (this.#mainId !== id) return [];
    const { cwd, model, cliVersion, name } = thread;
    return [
      this.#threads.metadata(
        compact({
          sessionId: id,
          cwd: asString(cwd),
          model: asString(model),
          version: asString(cliVersion),
          title: asString(name),
        }),
      ),
    ];
  }

  #agentStarted(id: string, thread: JsonRecord): StreamEvent[] {
    const name = asString(thread.agentNickname) ?? asString(thread.agentRole);
    return name === undefined ? [] : this.#threads.setAgentName(id, name);
  }

  /** A response with a thread contains its metadata and its remaining turns. */
  #response({ thread, model }: JsonRecord): StreamEvent[] {
    const about = asRecord(thread);
    const started = this.#threadStarted(model === undefined ? about : { ...about, model });
    if (asString(about.id) !== this.#mainId || this.#mainId === undefined) return started;
    const remaining = asArray(about.turns).map((turn) => asString(asRecord(turn).id) ?? '');
    const known = this.#threads.turnIds;
    const isPrefix = remaining.length > 0 && remaining.every((id, index) => known[index] === id);
    return isPrefix
      ? [...started, ...this.#threads.supersedeTurns(known.slice(remaining.length))]
      : started;
  }

  #turnStarted({ turn }: JsonRecord, { thread, timestamp }: ItemPlace): StreamEvent[] {
    if (thread === MAIN) this.#threads.startTurn(asString(asRecord(turn).id) ?? '');
    return this.#threads.openThread(thread, timestamp);
  }

  #turnCompleted({ turn }: JsonRecord, place: ItemPlace): StreamEvent[] {
    const { id, status, error } = asRecord(turn);
    const { thread, timestamp } = place;
    const turnId = asString(id) ?? '';
    const closing = this.#threads.closeTurn(thread, status === 'completed' ? 'pending' : 'error');
    const ending = status === 'interrupted' ? [this.#aborted(turnId, place)] : [];
    const failing = status === 'failed' ? [this.#failed(turnId, asRecord(error), place)] : [];
    if (thread === MAIN) return [...closing, ...ending, ...failing];
    const output = this.#items.lastText(thread);
    const agent = compact({
      status: status === 'completed' ? ('success' as const) : ('error' as const),
      output,
    });
    return [
      ...closing,
      ...ending,
      ...failing,
      ...this.#threads.agentState(thread, agent, timestamp),
    ];
  }

  #aborted(turnId: string, { thread, timestamp }: ItemPlace): StreamEvent {
    return this.#threads.complete(thread, {
      type: 'system',
      id: `${turnId}:aborted`,
      timestamp,
      subtype: 'status',
      message: abortMessage('interrupted'),
      metadata: { reason: 'interrupted' },
    });
  }

  #failed(turnId: string, error: JsonRecord, { thread, timestamp }: ItemPlace): StreamEvent {
    const code = error.codexErrorInfo ?? error.codex_error_info ?? undefined;
    return this.#threads.complete(
      thread,
      compact({
        type: 'system' as const,
        id: `${turnId}:error`,
        timestamp,
        subtype: 'error' as const,
        message: asString(error.message) ?? 'The turn failed',
        metadata: code === undefined ? undefined : { error: code },
      }),
    );
  }

  /** An error that is retried is a notice; any other is reported again at the end of its turn. */
  #error({ error, willRetry, turnId }: JsonRecord, place: ItemPlace): StreamEvent[] {
    const about = asRecord(error);
    if (willRetry !== true) return [this.#failed(asString(turnId) ?? '', about, place)];
    const { thread, timestamp } = place;
    return [
      this.#threads.complete(thread, {
        type: 'system',
        id: `live:${thread}:notice:${this.#notices++}`,
        timestamp,
        subtype: 'status',
        message: asString(about.message) ?? '',
        metadata: { retry: true },
      }),
    ];
  }

  #tokens({ threadId, tokenUsage }: JsonRecord): StreamEvent[] {
    const total = asRecord(tokenUsage).total;
    if (total === undefined) return [];
    this.#usage.set(asString(threadId) ?? '', toUsage(asRecord(total)));
    return [this.#threads.metadata({ usage: sumUsage(this.#usage.values()) })];
  }

  #title(title: string | undefined): StreamEvent[] {
    return title === undefined ? [] : [this.#threads.metadata({ title })];
  }

  /** The program asks for permission: the call is pending until the question is resolved. */
  #request(id: unknown, params: JsonRecord): StreamEvent[] {
    const itemId = asId(params.itemId) ?? asId(params.callId);
    if (itemId === undefined) return [];
    this.#requests.set(id, itemId);
    const metadata = { permissionRequestId: String(id) };
    return this.#threads.setStatus(itemId, { status: 'pending', metadata });
  }

  #resolved(requestId: unknown): StreamEvent[] {
    const itemId = this.#requests.get(requestId);
    this.#requests.delete(requestId);
    return itemId === undefined ? [] : this.#threads.setStatus(itemId, { status: 'running' });
  }

  #threadOf(threadId: string | undefined): string {
    if (threadId === undefined) return MAIN;
    this.#mainId ??= threadId;
    return threadId === this.#mainId ? MAIN : threadId;
  }

  #timeOf(params: JsonRecord, emittedAtMs: number | undefined): string {
    const ms = asNumber(params.startedAtMs) ?? asNumber(params.completedAtMs) ?? emittedAtMs;
    if (ms === undefined || Math.abs(ms) > LATEST_MS) return this.#now();
    return new Date(ms).toISOString();
  }
}

type Handler = (params: JsonRecord, place: ItemPlace) => StreamEvent[];

/** The latest time a Date can represent. */
const LATEST_MS = 8.64e15;
