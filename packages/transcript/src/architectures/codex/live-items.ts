import type { AssistantTextBlock, ConversationBlock, SubagentBlock } from '../../blocks.ts';
import { asArray, asId, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { agentNameOf, isSpawn, startedAgent, toAgentReport, toAgentState } from './agent-status.ts';
import type { LiveThreads } from './live-threads.ts';
import { textOf, toUserContent } from './message-content.ts';
import { reasoningContent } from './model-messages.ts';
import { compactionBlock } from './thread-notices.ts';
import { itemToolResult, itemToolUse, type ToolItem, toToolItem } from './tool-item.ts';
import { stringsOf, type TurnItem } from './turn-item.ts';

/** The thread an item belongs to and the time of the event. */
export interface ItemPlace {
  readonly thread: string;
  readonly timestamp: string;
}

/** Turns item events (started, delta, completed) into stream events; ids match the rollout. */
export class LiveItems {
  readonly #threads: LiveThreads;
  readonly #textId: (itemId: string) => string;
  readonly #lastTexts = new Map<string, string>();
  #unnamed = 0;
  /** The reasoning part that last received text, by block id. */
  readonly #reasoningParts = new Map<string, unknown>();

  /** `textId` maps an item id to its block id; by default as in the rollout. */
  constructor(threads: LiveThreads, textId = (itemId: string) => `${itemId}:0`) {
    this.#threads = threads;
    this.#textId = textId;
  }

  /** The last message of the model in a thread. */
  lastText(thread: string): string | undefined {
    return this.#lastTexts.get(thread);
  }

  started(given: TurnItem, { thread, timestamp }: ItemPlace): StreamEvent[] {
    const item = this.#named(given, thread);
    const { id } = item;
    if (item.kind === 'agent_message' || item.kind === 'plan') {
      const origin = { id: this.#textId(id), timestamp };
      const block = this.#text({ ...origin, content: '' });
      return this.#threads.isOpen(thread, block.id) ? [] : [this.#threads.start(thread, block)];
    }
    const agent = agentCallOf(item, timestamp);
    if (agent !== undefined) return this.#startCall(thread, agent);
    const tool = toolOf(item);
    return tool === undefined ? [] : this.#startCall(thread, itemToolUse(tool, id, timestamp));
  }

  completed(given: TurnItem, place: ItemPlace): StreamEvent[] {
    const item = this.#named(given, place.thread);
    const complete = this.#completers.get(item.kind);
    if (complete !== undefined) return complete(item, place);
    const tool = toolOf(item);
    return tool === undefined ? [] : this.#completeTool(item, tool, place);
  }

  /** A delta of a message or a plan. */
  text(params: JsonRecord, { thread, timestamp }: ItemPlace): StreamEvent[] {
    const id = this.#textId(asId(params.itemId) ?? UNNAMED);
    const started = this.#threads.isOpen(thread, id)
      ? []
      : [this.#threads.start(thread, this.#text({ id, timestamp, content: '' }))];
    return [...started, ...this.#threads.delta(thread, id, asString(params.delta) ?? '')];
  }

  /** A delta of the reasoning; parts are separated by a newline. */
  reasoning(params: JsonRecord, { thread, timestamp }: ItemPlace): StreamEvent[] {
    const id = this.#textId(asId(params.itemId) ?? UNNAMED);
    const part = params.summaryIndex ?? params.contentIndex ?? 0;
    const isFirst = !this.#threads.isOpen(thread, id);
    const isNewPart = !isFirst && this.#reasoningParts.get(id) !== part;
    this.#reasoningParts.set(id, part);
    const block = { type: 'thinking', id, timestamp, content: '' } as const;
    const started = isFirst ? [this.#threads.start(thread, block)] : [];
    const delta = `${isNewPart ? '\n' : ''}${asString(params.delta) ?? ''}`;
    return [...started, ...this.#threads.delta(thread, id, delta)];
  }

  readonly #completers: ReadonlyMap<string, Completer> = new Map<string, Completer>([
    ['user_message', (item, place) => this.#userMessage(item, place)],
    ['agent_message', (item, place) => this.#message(item, place)],
    ['plan', (item, place) => this.#message(item, place)],
    ['reasoning', (item, place) => this.#reasoning(item, place)],
    ['collab_agent_tool_call', (item, place) => this.#agentCall(item, place)],
    ['sub_agent_activity', (item, place) => this.#activity(item, place)],
    ['context_compaction', (item, place) => this.#complete(compactionOf(item, place), place)],
    ['entered_review_mode', (item, place) => this.#complete(reviewOf(item, place), place)],
    ['exited_review_mode', (item, place) => this.#complete(reviewOf(item, place), place)],
    ['hook_prompt', (item, place) => this.#complete(hookOf(item, place), place)],
  ]);

  /** Items without an id get one of ours. */
  #named(item: TurnItem, thread: string): TurnItem & { readonly id: string } {
    return { ...item, id: item.id ?? `live:${thread}:${this.#unnamed++}` };
  }

  #text(fields: Pick<AssistantTextBlock, 'id' | 'timestamp' | 'content'>): AssistantTextBlock {
    const { model } = this.#threads;
    const block = { type: 'assistant_text', ...fields } as const;
    return model === undefined ? block : { ...block, model };
  }

  #startCall(thread: string, block: ConversationBlock): StreamEvent[] {
    if (this.#threads.call(callId(block)) !== undefined) return [];
    const waiting = { ...block, status: 'pending' } as ConversationBlock;
    const started = this.#threads.start(thread, waiting);
    return [started, this.#threads.update(thread, block.id, { status: 'running' })];
  }

  #completeTool(item: TurnItem, tool: ToolItem, { thread, timestamp }: ItemPlace): StreamEvent[] {
    const id = item.id ?? UNNAMED;
    const call = this.#threads.call(id);
    const use = itemToolUse(tool, id, call?.timestamp ?? timestamp);
    const done = this.#threads.complete(thread, use);
    // The result of the plan tool is not shown.
    if (item.kind === 'todo_list') return [done];
    return [done, this.#threads.complete(thread, itemToolResult(tool, id, timestamp))];
  }

  #complete(block: ConversationBlock, { thread }: ItemPlace): StreamEvent[] {
    return [this.#threads.complete(thread, block)];
  }

  #userMessage({ id, fields }: TurnItem, { thread, timestamp }: ItemPlace): StreamEvent[] {
    const content = toUserContent(fields.content);
    const block = { type: 'user_message', id: id ?? UNNAMED, timestamp, content } as const;
    return [this.#threads.complete(thread, block)];
  }

  #message({ kind, id, fields }: TurnItem, { thread, timestamp }: ItemPlace): StreamEvent[] {
    const content = asString(fields.text) ?? textOf(fields.content);
    if (kind === 'agent_message') this.#lastTexts.set(thread, content);
    const phase = asString(fields.phase);
    const about = phase === undefined ? undefined : { phase };
    const metadata = kind === 'plan' ? { plan: true } : about;
    const origin = { id: this.#textId(id ?? UNNAMED), timestamp };
    const text = this.#text({ ...origin, content });
    return [this.#threads.complete(thread, compact({ ...text, metadata }))];
  }

  #reasoning({ id, fields }: TurnItem, { thread, timestamp }: ItemPlace): StreamEvent[] {
    const summary = stringsOf(fields.summary ?? fields.summary_text);
    const content = reasoningContent({
      summary,
      raw: stringsOf(fields.content ?? fields.raw_content),
    });
    const block = { type: 'thinking', id: this.#textId(id ?? UNNAMED), timestamp } as const;
    this.#reasoningParts.delete(block.id);
    return content === undefined ? [] : [this.#threads.complete(thread, { ...block, ...content })];
  }

  #agentCall(item: TurnItem, place: ItemPlace): StreamEvent[] {
    const { thread, timestamp } = place;
    const report = toAgentReport(item);
    const started = this.started(item, place);
    const agent = this.#threads.call(item.id ?? UNNAMED);
    const named =
      report.agentId === undefined
        ? []
        : this.#threads.nameAgent(item.id ?? UNNAMED, report.agentId, report.name);
    const states = report.states.flatMap(([id, state]) =>
      this.#threads.agentState(id, state, timestamp),
    );
    if (agent?.type === 'subagent') {
      const hasFailed = item.fields.status === 'failed';
      const failed = hasFailed
        ? [this.#threads.complete(thread, { ...agent, status: 'error' })]
        : [];
      return [...started, ...named, ...states, ...failed];
    }
    const tool = toolOf(item);
    const done = tool === undefined ? [] : this.#completeTool(item, tool, place);
    return [...started, ...states, ...done];
  }

  /** The second tool set reports only that an agent was started, and later that it is done. */
  #activity(item: TurnItem, place: ItemPlace): StreamEvent[] {
    const agentId = asId(item.fields.agent_thread_id) ?? item.id ?? UNNAMED;
    const name = agentNameOf(asString(item.fields.agent_path));
    const started = this.started(item, place);
    const named = this.#threads.nameAgent(item.id ?? UNNAMED, agentId, name);
    const state = { ...toAgentState(item.fields.kind), ...outputOf(this.lastText(agentId)) };
    return [...started, ...named, ...this.#threads.agentState(agentId, state, place.timestamp)];
  }
}

const UNNAMED = 'unnamed';

type Completer = (item: TurnItem, place: ItemPlace) => StreamEvent[];

function callId(block: ConversationBlock): string {
  return block.type === 'tool_use' || block.type === 'subagent' ? (block.toolUseId ?? '') : '';
}

function outputOf(output: string | undefined): { readonly output?: string } {
  return output === undefined ? {} : { output };
}

/** The subagent block, if the item starts an agent. */
function agentCallOf({ kind, id, fields }: TurnItem, timestamp: string): SubagentBlock | undefined {
  const isCall = kind === 'collab_agent_tool_call' && isSpawn(asString(fields.tool) ?? '');
  const isStart = kind === 'sub_agent_activity' && fields.kind === 'started';
  if (!isCall && !isStart) return undefined;
  return startedAgent({ toolUseId: id ?? UNNAMED, timestamp, input: fields });
}

/** Collaboration calls other than starting an agent are ordinary tools. */
function toolOf(item: TurnItem): ToolItem | undefined {
  if (item.kind !== 'collab_agent_tool_call') return toToolItem(item);
  const { tool, status, agents_states, prompt, receiver_thread_ids } = item.fields;
  const name = asString(tool) ?? '';
  if (isSpawn(name)) return undefined;
  return {
    toolName: AGENT_TOOLS.get(name) ?? name,
    input: compact({ targets: receiver_thread_ids, message: asString(prompt) }),
    status: status === 'failed' ? 'error' : 'success',
    output: { status: agents_states ?? {} },
  };
}

const AGENT_TOOLS: ReadonlyMap<string, string> = new Map([
  ['wait', 'wait_agent'],
  ['sendInput', 'send_input'],
  ['closeAgent', 'close_agent'],
  ['resumeAgent', 'resume_agent'],
]);

function compactionOf({ id }: TurnItem, { timestamp }: ItemPlace): ConversationBlock {
  return compactionBlock(id ?? UNNAMED, timestamp, {});
}

function reviewOf({ kind, id, fields }: TurnItem, { timestamp }: ItemPlace): ConversationBlock {
  const isStart = kind === 'entered_review_mode';
  const title = isStart ? 'Review started' : 'Review finished';
  const text = asString(fields.review);
  const message = text === undefined ? title : `${title}: ${text}`;
  const metadata = { review: isStart ? 'started' : 'finished' };
  return { type: 'system', id: id ?? UNNAMED, timestamp, subtype: 'status', message, metadata };
}

function hookOf({ id, fields }: TurnItem, { timestamp }: ItemPlace): ConversationBlock {
  const parts = asArray(fields.fragments).map((part) => asString(asRecord(part).text) ?? '');
  const message = parts.join('\n');
  return { type: 'system', id: id ?? UNNAMED, timestamp, subtype: 'hook_response', message };
}
