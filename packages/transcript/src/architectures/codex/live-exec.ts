import type { ConversationBlock } from '../../blocks.ts';
import { asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { LiveItems } from './live-items.ts';
import { LiveThreads, MAIN } from './live-threads.ts';
import { toUsage } from './session-facts.ts';
import { type TurnItem, toTurnItem } from './turn-item.ts';

/**
 * Translates `codex exec --json`. Its item ids are counters of the process and unrelated to the rollout, so blocks
 * get the ids `live:main:<n>`; `reconcileBlocks` maps them to those of the rollout afterwards.
 */
export class ExecTranslation {
  readonly #threads = new LiveThreads();
  readonly #items = new LiveItems(this.#threads, (itemId) => itemId);
  readonly #ids = new Map<string, string>();
  readonly #now: () => string;
  #count = 0;
  #lastError: string | undefined;

  constructor(now: () => string) {
    this.#now = now;
  }

  translate(event: JsonRecord): StreamEvent[] {
    switch (event.type) {
      case 'thread.started':
        return [this.#threads.metadata(compact({ sessionId: asString(event.thread_id) }))];
      case 'item.started':
      case 'item.updated':
        return this.#item(asRecord(event.item), 'started');
      case 'item.completed':
        return this.#item(asRecord(event.item), 'completed');
      case 'turn.completed':
        return this.#endTurn(event);
      case 'turn.failed':
        return [...this.#threads.closeTurn(MAIN, 'error'), ...this.#failed(asRecord(event.error))];
      case 'error':
        return this.#error(event);
      default:
        return [];
    }
  }

  end(): StreamEvent[] {
    return this.#threads.closeAll();
  }

  /** Covers the whole thread, including earlier processes. */
  #endTurn({ usage }: JsonRecord): StreamEvent[] {
    const closing = this.#threads.closeTurn(MAIN, 'error');
    if (usage === undefined) return closing;
    return [...closing, this.#threads.metadata({ usage: toUsage(asRecord(usage)) })];
  }

  #item(given: JsonRecord, step: 'started' | 'completed'): StreamEvent[] {
    const item = this.#named(toTurnItem(given));
    const place = { thread: MAIN, timestamp: this.#now() };
    if (item.kind === 'error') {
      return step === 'completed' ? [this.#notice('error', item.fields, item.id)] : [];
    }
    return step === 'started'
      ? this.#items.started(item, place)
      : this.#items.completed(item, place);
  }

  #named(item: TurnItem): TurnItem {
    const kind = item.kind === 'collab_tool_call' ? 'collab_agent_tool_call' : item.kind;
    const given = item.id ?? '';
    const id = this.#ids.get(given) ?? this.#nextId();
    this.#ids.set(given, id);
    return { ...item, kind, id, fields: reasoningFields(kind, item.fields) };
  }

  #nextId(): string {
    return `live:${MAIN}:${this.#count++}`;
  }

  /** Retried errors are recognised by their text; others are repeated when the turn fails. */
  #error(event: JsonRecord): StreamEvent[] {
    const message = asString(event.message) ?? '';
    const isRetry = message.startsWith('Reconnecting...');
    return isRetry ? [this.#notice('status', event)] : this.#failed(event);
  }

  #failed(error: JsonRecord): StreamEvent[] {
    const message = asString(error.message) ?? 'The turn failed';
    if (this.#lastError === message) {
      this.#lastError = undefined;
      return [];
    }
    this.#lastError = message;
    return [this.#notice('error', { message })];
  }

  #notice(subtype: 'error' | 'status', about: JsonRecord, id = this.#nextId()): StreamEvent {
    const block: ConversationBlock = {
      type: 'system',
      id,
      timestamp: this.#now(),
      subtype,
      message: asString(about.message) ?? '',
    };
    return this.#threads.complete(MAIN, block);
  }
}

/** `exec` puts the reasoning text into a single field. */
function reasoningFields(kind: string, fields: JsonRecord): JsonRecord {
  return kind === 'reasoning' ? { ...fields, summary: [asString(fields.text) ?? ''] } : fields;
}
