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
  /** The first versions count every request for itself. */
  readonly #requests: TokenUsage[] = [];
  #count = 0;
  /** The text being told bit by bit. */
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
    const said = asString(msg.message) ?? asString(msg.text) ?? '';
    const delta = asString(msg.delta) ?? '';
    switch (msg.type) {
      case 'agent_message_delta':
        return this.#grow('assistant_text', delta);
      case 'agent_reasoning_delta':
        return this.#grow('thinking', delta);
      case 'agent_message':
        return this.#say('assistant_text', said);
      case 'agent_reasoning':
        return this.#say('thinking', said);
      case 'error':
        return [this.#notice('error', said)];
      case 'stream_error':
      case 'background_event':
        return [this.#notice('status', said)];
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
    const beginning = BEGINNINGS.get(asString(msg.type) ?? '');
    const id = asId(msg.call_id) ?? 'unnamed';
    if (beginning !== undefined) {
      const fields = { ...asRecord(msg.invocation), ...msg, status: 'in_progress' };
      return this.#startTool({ kind: beginning, id, fields });
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

  #grow(type: 'assistant_text' | 'thinking', delta: string): StreamEvent[] {
    const opening: StreamEvent[] = [];
    if (this.#open?.type !== type) {
      const block = { ...this.#origin(), type, content: '' };
      this.#open = { id: block.id, type };
      opening.push(this.#threads.start(MAIN, block));
    }
    return [...opening, ...this.#threads.delta(MAIN, this.#open.id, delta)];
  }

  #say(type: 'assistant_text' | 'thinking', content: string): StreamEvent[] {
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

const BEGINNINGS: ReadonlyMap<string, string> = new Map([
  ['exec_command_begin', 'command_execution'],
  ['patch_apply_begin', 'file_change'],
  ['mcp_tool_call_begin', 'mcp_tool_call'],
  ['web_search_begin', 'web_search'],
]);
