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
  /** The directory that relative paths are in. */
  cwd(): string;
  /** A block in its current state. */
  find(blockId: string): ConversationBlock | undefined;
  /** The editor terminal that runs a call. */
  terminalOf?(callId: string): string | undefined;
}

type ChunkKind = typeof MESSAGE | typeof THOUGHT;
type TextBlock = AssistantTextBlock | ThinkingBlock;

/** Translates block events into ACP updates. A tool call is completed once, with its result. */
export class AcpUpdates {
  readonly #context: UpdateContext;
  /** Text blocks of this turn with the text sent so far. */
  readonly #texts = new Map<string, { readonly kind: ChunkKind; sent: string }>();
  /** Calls that were sent and have not ended, by call id. */
  readonly #open = new Map<string, ToolUseBlock | SubagentBlock>();

  readonly #sent = new Set<string>();

  constructor(context: UpdateContext) {
    this.#context = context;
  }

  /** The history, each block in its current state. */
  replay(blocks: readonly ConversationBlock[]): SessionUpdate[] {
    const results = new Map(
      blocks.flatMap((block) => (block.type === 'tool_result' ? [[block.toolUseId, block]] : [])),
    );
    return blocks.flatMap((block): SessionUpdate[] => {
      if (block.type === 'tool_result') return [];
      if (block.type !== 'tool_use') return this.#snapshot(block);
      const result = results.get(block.toolUseId);
      return [...this.#snapshot(block), ...(result ? this.#result(result) : this.#settle(block))];
    });
  }

  /** Updates for what was not sent yet; the protocol cannot retract what was. */
  catchUp(blocks: readonly ConversationBlock[]): SessionUpdate[] {
    const known = blocks.filter(({ id }) => this.#sent.has(id));
    const rest = known.filter(isText).flatMap((block) => this.#rest(block));
    return [...rest, ...this.replay(blocks.filter(({ id }) => !this.#sent.has(id)))];
  }

  /** Events of a turn, except user messages: the caller knows whether the editor already shows them. */
  handle(event: StreamEvent): SessionUpdate[] {
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

  /** Ends calls without a result with the status of their blocks. */
  endTurn(): SessionUpdate[] {
    const updates = [...this.#open.values()].flatMap((call) => {
      const now = this.#context.find(call.id);
      return this.#settle(now?.type === 'tool_use' || now?.type === 'subagent' ? now : call);
    });
    this.#open.clear();
    this.#texts.clear();
    return updates;
  }

  userMessage(block: ConversationBlock): SessionUpdate[] {
    if (block.type !== 'user_message') return [];
    const parts: readonly ContentPart[] =
      typeof block.content === 'string' ? [{ type: 'text', text: block.content }] : block.content;
    return parts.map((part) => ({
      sessionUpdate: 'user_message_chunk',
      messageId: block.id,
      content: contentOf(part),
    }));
  }

  #snapshot(block: ConversationBlock): SessionUpdate[] {
    this.#sent.add(block.id);
    if (block.type === 'user_message') return this.userMessage(block);
    if (isText(block)) {
      const text = block.content;
      return text === '' ? [] : [chunk(kindOf(block), block.id, text)];
    }
    return block.type === 'tool_use' || block.type === 'subagent' ? this.#call(block) : [];
  }

  #begin(block: ConversationBlock): SessionUpdate[] {
    if (isText(block)) this.#texts.set(block.id, { kind: kindOf(block), sent: block.content });
    return this.#snapshot(block);
  }

  #delta(blockId: string, delta: string): SessionUpdate[] {
    const known = this.#texts.get(blockId);
    const block = known === undefined ? this.#context.find(blockId) : undefined;
    const { kind, sent } = known ?? {
      kind: block?.type === 'thinking' ? THOUGHT : MESSAGE,
      sent: '',
    };
    this.#texts.set(blockId, { kind, sent: sent + delta });
    return delta === '' ? [] : [chunk(kind, blockId, delta)];
  }

  /** The text not sent yet: agents that do not stream deliver it all at the end. */
  #rest({ id, content }: TextBlock): SessionUpdate[] {
    const open = this.#texts.get(id);
    if (!open || content.length <= open.sent.length || !content.startsWith(open.sent)) return [];
    const rest = content.slice(open.sent.length);
    open.sent = content;
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

  /** A block may complete twice: when its text has ended, and when its message is committed. */
  #finish(block: TextBlock): SessionUpdate[] {
    if (this.#texts.has(block.id)) return this.#rest(block);
    return this.#sent.has(block.id) ? [] : this.#snapshot(block);
  }

  #changed(block: ConversationBlock | undefined): SessionUpdate[] {
    if (block?.type !== 'tool_use' && block?.type !== 'subagent') return [];
    const entries = block.type === 'tool_use' ? planEntries(block) : undefined;
    if (entries) return [{ sessionUpdate: 'plan', entries }];
    const isKnown = this.#open.has(callIdOf(block));
    if (!isKnown && this.#sent.has(block.id)) return [];
    this.#sent.add(block.id);
    if (!isKnown) return block.type === 'subagent' ? this.#agent(block) : this.#call(block);
    if (block.type === 'subagent') return this.#settle(block);
    this.#open.set(callIdOf(block), block);
    const { content, ...shown } = showCall(block, { cwd: this.#context.cwd() });
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
        ...showCall(block, { cwd: this.#context.cwd() }),
        status: block.status === 'pending' ? 'pending' : 'in_progress',
        rawInput: block.input,
      },
    ];
  }

  #result(result: ToolResultBlock): SessionUpdate[] {
    this.#sent.add(result.id);
    const call = this.#open.get(result.toolUseId);
    if (call?.type !== 'tool_use') return [];
    this.#open.delete(result.toolUseId);
    const { content } = showCall(call, { cwd: this.#context.cwd(), result });
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
