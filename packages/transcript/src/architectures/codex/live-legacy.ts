import type { ConversationBlock } from '../../blocks.ts';
import { asId, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { TokenUsage } from '../../session-metadata.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { sumUsage } from '../../token-usage.ts';
import { LiveThreads, MAIN } from './live-threads.ts';
import { toUsage } from './session-facts.ts';
import { abortMessage } from './thread-notices.ts';
import { itemToolResult, itemToolUse, toToolItem } from './tool-item.ts';
import { type TurnItem, toolEventItem } from './turn-item.ts';

/**
 * Translates the stream of `codex exec --json` before 0.42, `{"id", "msg"}`: a line with the settings, a line with the
 * prompt, then events. Calls have the ids of the rollout, texts have none.
 */
export class LegacyTranslation {
  readonly #threads = new LiveThreads();
  readonly #now: () => string;
  /** The first versions report usage per request. */
  readonly #requests: TokenUsage[] = [];
  #count = 0;
  /** The text block being streamed. */
  #open: { readonly id: string; readonly type: 'assistant_text' | 'thinking' } | undefined;

  constructor(now: () => string) {
    this.#now = now;
  }

  translate(event: JsonRecord): StreamEvent[] {
    const prompt = asString(event.prompt);
    if (prompt !== undefined) {
      const block = { type: 'user_message', content: prompt } as const;
      return [this.#threads.complete(MAIN, { ...this.#origin(), ...block })];
    }
    if (event.msg !== undefined) return this.#event(asRecord(event.msg));
    return [
      this.#threads.metadata(
        compact({ model: asString(event.model), cwd: asString(event.workdir) }),
      ),
    ];
  }

  end(): StreamEvent[] {
    return this.#threads.closeAll();
  }

  #event(msg: JsonRecord): StreamEvent[] {
    const text = asString(msg.message) ?? asString(msg.text) ?? '';
    const delta = asString(msg.delta) ?? '';
    switch (msg.type) {
      case 'agent_message_delta':
        return this.#appendText('assistant_text', delta);
      case 'agent_reasoning_delta':
        return this.#appendText('thinking', delta);
      case 'agent_message':
        return this.#addText('assistant_text', text);
      case 'agent_reasoning':
        return this.#addText('thinking', text);
      case 'error':
        return [this.#notice('error', text)];
      case 'stream_error':
      case 'background_event':
        return [this.#notice('status', text)];
      case 'turn_aborted':
        return this.#abort(asString(msg.reason));
      case 'token_count':
        return this.#tokens(msg);
      case 'session_configured':
        return [this.#threads.metadata(compact({ sessionId: asString(msg.session_id) }))];
      default:
        return this.#tool(msg);
    }
  }

  #tool(msg: JsonRecord): StreamEvent[] {
    const kind = BEGIN_EVENTS.get(asString(msg.type) ?? '');
    const id = asId(msg.call_id) ?? 'unnamed';
    if (kind !== undefined) {
      const fields = { ...asRecord(msg.invocation), ...msg, status: 'in_progress' };
      return this.#startTool({ kind, id, fields });
    }
    const item = toolEventItem(msg);
    const tool = item === undefined ? undefined : toToolItem(item);
    if (tool === undefined) return [];
    const call = this.#threads.call(id);
    const timestamp = this.#now();
    const result = itemToolResult(tool, id, timestamp);
    const started = call?.type === 'tool_use' ? call : itemToolUse(tool, id, timestamp);
    const use = { ...started, status: tool.status };
    return [this.#threads.complete(MAIN, use), this.#threads.complete(MAIN, result)];
  }

  #startTool(item: TurnItem): StreamEvent[] {
    const tool = toToolItem(item);
    if (tool === undefined || item.id === undefined) return [];
    const block = itemToolUse({ ...tool, status: 'running' }, item.id, this.#now());
    const waiting = { ...block, status: 'pending' } as const;
    const running = this.#threads.update(MAIN, block.id, { status: 'running' });
    return [this.#threads.start(MAIN, waiting), running];
  }

  #appendText(type: 'assistant_text' | 'thinking', delta: string): StreamEvent[] {
    const opened: StreamEvent[] = [];
    if (this.#open?.type !== type) {
      const block = { ...this.#origin(), type, content: '' };
      this.#open = { id: block.id, type };
      opened.push(this.#threads.start(MAIN, block));
    }
    return [...opened, ...this.#threads.delta(MAIN, this.#open.id, delta)];
  }

  #addText(type: 'assistant_text' | 'thinking', content: string): StreamEvent[] {
    const id = this.#open?.type === type ? this.#open.id : undefined;
    this.#open = undefined;
    const origin = id === undefined ? this.#origin() : { id, timestamp: this.#now() };
    return [this.#threads.complete(MAIN, { ...origin, type, content })];
  }

  #abort(reason: string | undefined): StreamEvent[] {
    const closing = this.#threads.closeTurn(MAIN, 'error');
    return [...closing, this.#notice('status', abortMessage(reason))];
  }

  #tokens(msg: JsonRecord): StreamEvent[] {
    const total = asRecord(msg.info).total_token_usage;
    if (total !== undefined) return [this.#threads.metadata({ usage: toUsage(asRecord(total)) })];
    if (msg.input_tokens === undefined) return [];
    this.#requests.push(toUsage(msg));
    return [this.#threads.metadata({ usage: sumUsage(this.#requests) })];
  }

  #notice(subtype: 'error' | 'status', message: string): StreamEvent {
    return this.#threads.complete(MAIN, { ...this.#origin(), type: 'system', subtype, message });
  }

  #origin(): Pick<ConversationBlock, 'id' | 'timestamp'> {
    return { id: `live:${MAIN}:${this.#count++}`, timestamp: this.#now() };
  }
}

const BEGIN_EVENTS: ReadonlyMap<string, string> = new Map([
  ['exec_command_begin', 'command_execution'],
  ['patch_apply_begin', 'file_change'],
  ['mcp_tool_call_begin', 'mcp_tool_call'],
  ['web_search_begin', 'web_search'],
]);
