import type { ContentBlock, SessionUpdate, ToolCallStatus } from '@agentclientprotocol/sdk';
import type {
  AssistantTextBlock,
  ContentPart,
  ConversationBlock,
  StreamEvent,
  SubagentBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '@robota-sdk/agent-transcript';
import { planEntries } from './plan-entries.ts';
import { showCall } from './tool-content.ts';

export interface UpdateContext {
  readonly cwd: string;
  /** A block of the conversation as it is now. */
  find(blockId: string): ConversationBlock | undefined;
  /** The terminal in the editor in which a call runs. */
  terminalOf?(callId: string): string | undefined;
}

type ChunkKind = typeof MESSAGE | typeof THOUGHT;
type TextBlock = AssistantTextBlock | ThinkingBlock;

/** Says in updates of the protocol what happens to blocks. A call is completed once, with its result. */
export class BlockUpdates {
  readonly #context: UpdateContext;
  /** Text blocks that grow, with what was told of them so far. */
  readonly #texts = new Map<string, { readonly kind: ChunkKind; told: string }>();
  /** Calls that were told and have not ended, by their own id. */
  readonly #open = new Map<string, ToolUseBlock | SubagentBlock>();

  readonly #told = new Set<string>();

  constructor(context: UpdateContext) {
    this.#context = context;
  }

  /** The whole past, each block as it is now. */
  replay(blocks: readonly ConversationBlock[]): SessionUpdate[] {
    const results = new Map(
      blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.toolUseId, block]] : [])),
    );
    return blocks.flatMap((block): SessionUpdate[] => {
      if (block.type === 'tool_result') return [];
      if (block.type !== 'tool_use') return this.#whole(block);
      const result = results.get(block.toolUseId);
      return [...this.#whole(block), ...(result ? this.#result(result) : this.#settle(block))];
    });
  }

  /** What of these was not told yet: the protocol cannot take anything back. */
  catchUp(blocks: readonly ConversationBlock[]): SessionUpdate[] {
    const known = blocks.filter(({ id }) => this.#told.has(id));
    const rest = known.filter(isText).flatMap((block) => this.#rest(block));
    return [...rest, ...this.replay(blocks.filter(({ id }) => !this.#told.has(id)))];
  }

  /** Of a turn; what a person said in it is told by whoever knows that it is news. */
  hear(event: StreamEvent): SessionUpdate[] {
    if (event.conversationId !== 'main') return [];
    switch (event.type) {
      case 'text_delta':
        return this.#delta(event.blockId, event.delta);
      case 'block_start':
        return this.#begin(event.block);
      case 'block_complete':
        return this.#complete(event.block);
      case 'block_update':
        return this.#changed(this.#context.find(event.blockId));
      case 'metadata_update':
        return [];
    }
  }

  /** Nothing runs any more: calls without a result end as their blocks say. */
  endTurn(): SessionUpdate[] {
    const updates = [...this.#open.values()].flatMap((call) => {
      const now = this.#context.find(call.id);
      return this.#settle(now?.type === 'tool_use' || now?.type === 'subagent' ? now : call);
    });
    this.#open.clear();
    this.#texts.clear();
    return updates;
  }

  said(block: ConversationBlock): SessionUpdate[] {
    if (block.type !== 'user_message') return [];
    const parts: readonly ContentPart[] =
      typeof block.content === 'string' ? [{ type: 'text', text: block.content }] : block.content;
    return parts.map((part) => ({
      sessionUpdate: 'user_message_chunk',
      messageId: block.id,
      content: contentOf(part),
    }));
  }

  #whole(block: ConversationBlock): SessionUpdate[] {
    this.#told.add(block.id);
    if (block.type === 'user_message') return this.said(block);
    if (isText(block)) {
      const text = block.content;
      return text === '' ? [] : [chunk(kindOf(block), block.id, text)];
    }
    return block.type === 'tool_use' || block.type === 'subagent' ? this.#call(block) : [];
  }

  #begin(block: ConversationBlock): SessionUpdate[] {
    if (isText(block)) this.#texts.set(block.id, { kind: kindOf(block), told: block.content });
    return this.#whole(block);
  }

  #delta(blockId: string, delta: string): SessionUpdate[] {
    const known = this.#texts.get(blockId);
    const block = known === undefined ? this.#context.find(blockId) : undefined;
    const { kind, told } = known ?? {
      kind: block?.type === 'thinking' ? THOUGHT : MESSAGE,
      told: '',
    };
    this.#texts.set(blockId, { kind, told: told + delta });
    return delta === '' ? [] : [chunk(kind, blockId, delta)];
  }

  /** What a text says beyond what was told of it: agents that do not stream say it all at its end. */
  #rest({ id, content }: TextBlock): SessionUpdate[] {
    const open = this.#texts.get(id);
    if (!open || content.length <= open.told.length || !content.startsWith(open.told)) return [];
    const rest = content.slice(open.told.length);
    open.told = content;
    return [chunk(open.kind, id, rest)];
  }

  #complete(block: ConversationBlock): SessionUpdate[] {
    switch (block.type) {
      case 'assistant_text':
      case 'thinking':
        return this.#finish(block);
      case 'tool_use':
      case 'subagent':
        return this.#changed(block);
      case 'tool_result':
        return this.#result(block);
      default:
        return [];
    }
  }

  #finish(block: TextBlock): SessionUpdate[] {
    if (!this.#texts.has(block.id)) return this.#whole(block);
    const rest = this.#rest(block);
    this.#texts.delete(block.id);
    return rest;
  }

  #changed(block: ConversationBlock | undefined): SessionUpdate[] {
    if (block?.type !== 'tool_use' && block?.type !== 'subagent') return [];
    const entries = block.type === 'tool_use' ? planEntries(block) : undefined;
    if (entries) return [{ sessionUpdate: 'plan', entries }];
    const isKnown = this.#open.has(callIdOf(block));
    if (!isKnown && this.#told.has(block.id)) return [];
    this.#told.add(block.id);
    if (!isKnown) return block.type === 'subagent' ? this.#agent(block) : this.#call(block);
    if (block.type === 'subagent') return this.#settle(block);
    this.#open.set(callIdOf(block), block);
    const { content, ...shown } = showCall(block, { cwd: this.#context.cwd });
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: block.toolUseId,
        ...shown,
        ...(content.length > 0 && { content }),
        status: STATUS[block.status] === 'failed' ? 'failed' : 'in_progress',
        rawInput: block.input,
      },
    ];
  }

  #agent(block: SubagentBlock): SessionUpdate[] {
    return [...this.#call(block), ...this.#settle(block)];
  }

  #call(block: ToolUseBlock | SubagentBlock): SessionUpdate[] {
    if (block.type === 'subagent') {
      this.#open.set(callIdOf(block), block);
      const title = block.name === undefined ? 'Agent' : `Agent ${block.name}`;
      const about = { title, kind: 'think' as const, rawInput: { prompt: block.input } };
      const status = 'in_progress' as const;
      return [{ sessionUpdate: 'tool_call', toolCallId: callIdOf(block), ...about, status }];
    }
    const entries = planEntries(block);
    if (entries) return [{ sessionUpdate: 'plan', entries }];
    this.#open.set(block.toolUseId, block);
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: block.toolUseId,
        name: block.toolName,
        ...showCall(block, { cwd: this.#context.cwd }),
        status: block.status === 'pending' ? 'pending' : 'in_progress',
        rawInput: block.input,
      },
    ];
  }

  #result(result: ToolResultBlock): SessionUpdate[] {
    this.#told.add(result.id);
    const call = this.#open.get(result.toolUseId);
    if (call?.type !== 'tool_use') return [];
    this.#open.delete(result.toolUseId);
    const { content } = showCall(call, { cwd: this.#context.cwd, result });
    const terminalId = this.#context.terminalOf?.(result.toolUseId);
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: result.toolUseId,
        status: result.isError ? 'failed' : 'completed',
        content: terminalId === undefined ? content : [{ type: 'terminal', terminalId }],
        rawOutput: result.output,
      },
    ];
  }

  #settle(block: ToolUseBlock | SubagentBlock): SessionUpdate[] {
    const toolCallId = callIdOf(block);
    const status = STATUS[block.status];
    const isOver = status === 'completed' || status === 'failed';
    if (!isOver || !this.#open.delete(toolCallId)) return [];
    const output = block.type === 'subagent' ? block.output : undefined;
    const content = { type: 'content' as const, content: asText(output ?? '') };
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status,
        ...(output !== undefined && { content: [content] }),
      },
    ];
  }
}

function callIdOf(block: ToolUseBlock | SubagentBlock): string {
  return block.toolUseId ?? block.id;
}

function isText(block: ConversationBlock): block is TextBlock {
  return block.type === 'assistant_text' || block.type === 'thinking';
}

function kindOf({ type }: TextBlock): ChunkKind {
  return type === 'thinking' ? THOUGHT : MESSAGE;
}

function chunk(sessionUpdate: ChunkKind, messageId: string, text: string) {
  return { sessionUpdate, messageId, content: asText(text) };
}

function asText(text: string): ContentBlock {
  return { type: 'text', text };
}

function contentOf(part: ContentPart): ContentBlock {
  if (part.type === 'text') return asText(part.text);
  const { type, data, mediaType = 'application/octet-stream' } = part.source;
  if (part.type === 'image' && type === 'base64')
    return { type: 'image', mimeType: mediaType, data };
  if (type === 'url') return { type: 'resource_link', uri: data, name: data };
  return asText(type === 'text' ? data : `[${part.type}]`);
}

const MESSAGE = 'agent_message_chunk';
const THOUGHT = 'agent_thought_chunk';
const STATUS: Readonly<Record<ToolUseBlock['status'], ToolCallStatus>> = {
  pending: 'pending',
  running: 'in_progress',
  success: 'completed',
  error: 'failed',
};
