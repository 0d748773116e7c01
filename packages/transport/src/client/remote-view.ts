import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type {
  ChangedFacts,
  ExecutionResult,
  LiveQuestion,
  PermissionRequest,
  QueuedPrompt,
  SessionCapabilities,
  SessionNotice,
  ToolState,
} from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  type ConversationState,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import type { Reply, SessionEvent, Snapshot, WirePermission } from '../protocol.ts';
import { resultOf } from './remote-outcome.ts';

/** The state of a remote session: a snapshot plus every event since. */
export class RemoteView {
  conversation: ConversationState = EMPTY_CONVERSATION;
  /** Number of blocks of each thread before those of `conversation`. */
  before: Readonly<Record<string, number>> = {};
  facts: RemoteFacts = UNKNOWN;
  isExecuting = false;
  streamingText = '';
  messageCount = 0;
  queue: readonly QueuedPrompt[] = [];
  toolNames: readonly string[] = [];
  context: ContextWindowState = NO_CONTEXT;
  openingNotices: readonly SessionNotice[] = [];
  /** Result of the last turn, until the next one starts. */
  lastResult: ExecutionResult | undefined;
  lastError: { readonly code: string; readonly message: string } | undefined;
  readonly questions = new Map<string, LiveQuestion>();
  readonly permissions = new Map<string, PermissionRequest>();
  readonly tools = new Map<string, ToolState>();

  introduce(reply: Extract<Reply, { type: 'init' }> | Snapshot): void {
    const { agent, native_id: nativeId, capabilities, access, cwd, name, model } = reply;
    const permissionMode = reply.permission_mode as PermissionMode | undefined;
    const { commands } = reply;
    this.facts = {
      agent,
      nativeId,
      capabilities,
      access,
      cwd,
      name,
      model,
      permissionMode,
      commands,
    };
  }

  reset(snapshot: Snapshot): void {
    this.introduce(snapshot);
    this.conversation = snapshot.conversation;
    this.before = snapshot.before ?? {};
    this.isExecuting = snapshot.is_executing;
    this.streamingText = snapshot.streaming_text;
    this.messageCount = snapshot.message_count;
    this.queue = snapshot.queue.map(toQueuedPrompt);
    this.toolNames = snapshot.tools;
    this.context = snapshot.context;
    this.openingNotices = snapshot.notices ?? [];
    this.permissions.clear();
    for (const open of snapshot.pending_permissions) {
      this.permissions.set(open.request_id, toPermissionRequest(open));
    }
    this.questions.clear();
    for (const question of snapshot.questions) this.questions.set(question.id, question);
    this.tools.clear();
    for (const tool of snapshot.active_tools) this.tools.set(keyOf(tool), tool);
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'stream_event':
        this.#applyStream(event.event);
        break;
      case 'resync':
        this.conversation = event.conversation;
        this.before = {};
        break;
      case 'user_message':
        this.streamingText = '';
        this.lastResult = undefined;
        this.lastError = undefined;
        this.tools.clear();
        break;
      case 'thinking':
        this.isExecuting = event.is_thinking;
        break;
      case 'tool_start':
        this.tools.set(keyOf(event.tool), event.tool);
        break;
      case 'tool_end':
        this.tools.delete(keyOf(event.tool));
        break;
      case 'context_update':
        this.context = event.context;
        break;
      case 'complete':
      case 'interrupted':
        this.lastResult = resultOf(event.turn);
        break;
      case 'error':
        this.lastError = { code: event.code ?? 'error', message: event.message };
        break;
      default:
        this.#applyQuestion(event);
    }
  }

  #applyQuestion(event: SessionEvent): void {
    switch (event.type) {
      case 'permission_request':
        this.permissions.set(event.request_id, toPermissionRequest(event));
        break;
      case 'permission_resolved':
        this.permissions.delete(event.request_id);
        break;
      case 'question':
        this.questions.set(event.question.id, event.question);
        break;
      case 'question_resolved':
        this.questions.delete(event.question_id);
        break;
      case 'queue':
        this.queue = event.prompts.map(toQueuedPrompt);
        break;
      case 'state':
        this.#change(event.changed);
        break;
      default:
    }
  }

  #change({ access, ...changed }: ChangedFacts): void {
    const { language: _language, ...facts } = changed;
    this.facts = { ...this.facts, ...facts, access: access ?? this.facts.access };
  }

  #applyStream(event: StreamEvent): void {
    this.#countBefore(event);
    this.conversation = applyStreamEvent(this.conversation, event);
    if (this.isAnswerText(event)) this.streamingText += textOf(event);
    if (event.type !== 'block_complete' || event.conversationId !== 'main') return;
    const { block } = event;
    if (block.type === 'user_message') this.messageCount += 1;
    // Agents that do not stream deliver a text at once.
    if (block.type === 'assistant_text' && !this.streamingText.endsWith(block.content)) {
      const before = this.streamingText === '' ? '' : `${this.streamingText}\n\n`;
      this.streamingText = before + block.content;
    }
  }

  /** A superseded block that is not loaded was before the loaded ones. */
  #countBefore(event: StreamEvent): void {
    if (event.type !== 'block_update' || event.updates.superseded === undefined) return;
    const { conversationId: thread, blockId } = event;
    const { blocks, subagents } = this.conversation;
    const here = thread === 'main' ? blocks : subagents.find(({ id }) => id === thread)?.blocks;
    const count = this.before[thread] ?? 0;
    if (count === 0 || here?.some(({ id }) => id === blockId)) return;
    this.before = { ...this.before, [thread]: count - 1 };
  }

  /** Text of the agent in the main thread, not thinking or subagents. */
  isAnswerText(event: StreamEvent): boolean {
    if (event.type !== 'text_delta' || event.conversationId !== 'main') return false;
    const block = this.conversation.blocks.findLast(({ id }) => id === event.blockId);
    return block?.type === 'assistant_text';
  }
}

export interface RemoteFacts {
  readonly agent: string;
  readonly nativeId?: string | undefined;
  readonly capabilities: SessionCapabilities;
  readonly access: 'drive' | 'lost' | 'view';
  readonly cwd?: string | undefined;
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly commands: readonly string[];
}

/** Until the server's first message. */
const UNKNOWN: RemoteFacts = {
  agent: 'robota',
  access: 'drive',
  commands: [],
  capabilities: {
    prompt: true,
    abort: true,
    queue: true,
    compact: false,
    fork: false,
    rename: false,
    setModel: false,
    permissionModes: [],
    images: false,
    questions: true,
    deltas: true,
    steer: false,
    rewind: false,
  },
};

const NO_CONTEXT: ContextWindowState = {
  maxTokens: 0,
  usedTokens: 0,
  usedPercentage: 0,
  remainingPercentage: 100,
};

export function toPermissionRequest(wire: WirePermission): PermissionRequest {
  return {
    requestId: wire.request_id,
    toolName: wire.tool_name,
    toolArgs: wire.input,
    ...(wire.tool_call_id !== undefined && { toolCallId: wire.tool_call_id }),
    ...(wire.explanation && { explanation: wire.explanation }),
  };
}

function toQueuedPrompt(wire: Snapshot['queue'][number]): QueuedPrompt {
  const { content, user, message_id: messageId } = wire;
  return { input: content, displayInput: content, user, messageId };
}

function keyOf({ toolCallId, toolName, firstArg }: ToolState): string {
  return toolCallId ?? `${toolName}:${firstArg}`;
}

function textOf(event: StreamEvent): string {
  return event.type === 'text_delta' ? event.delta : '';
}
