import type { ContextWindowState } from '@robota-sdk/agent-core';
import type { PermissionRequest, ToolState } from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  type ConversationState,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import type { SessionEvent, Snapshot, WirePermission } from '../protocol.ts';

/** What a remote session looks like from here: a snapshot, and every event since. */
export class RemoteView {
  conversation: ConversationState = EMPTY_CONVERSATION;
  isExecuting = false;
  streamingText = '';
  pendingPrompt: string | null = null;
  context: ContextWindowState | undefined;
  readonly permissions = new Map<string, PermissionRequest>();
  readonly tools = new Map<string, ToolState>();

  reset(snapshot: Snapshot): void {
    this.conversation = snapshot.conversation;
    this.isExecuting = snapshot.is_executing;
    this.streamingText = snapshot.streaming_text;
    this.pendingPrompt = snapshot.pending_prompt;
    this.context = snapshot.context;
    this.permissions.clear();
    for (const open of snapshot.pending_permissions) {
      this.permissions.set(open.request_id, toPermissionRequest(open));
    }
    this.tools.clear();
    for (const tool of snapshot.active_tools) this.tools.set(keyOf(tool), tool);
  }

  apply(event: SessionEvent): void {
    switch (event.type) {
      case 'stream_event':
        this.conversation = applyStreamEvent(this.conversation, event.event);
        if (this.isSpokenText(event.event)) this.streamingText += textOf(event.event);
        break;
      case 'user_message':
        this.streamingText = '';
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
      case 'permission_request':
        this.permissions.set(event.request_id, toPermissionRequest(event));
        break;
      case 'permission_resolved':
        this.permissions.delete(event.request_id);
        break;
      default:
    }
  }

  /** Text that the agent says in the main thread, as opposed to thoughts and subagents. */
  isSpokenText(event: StreamEvent): boolean {
    if (event.type !== 'text_delta' || event.conversationId !== 'main') return false;
    const block = this.conversation.blocks.findLast(({ id }) => id === event.blockId);
    return block?.type === 'assistant_text';
  }
}

export function toPermissionRequest(wire: WirePermission): PermissionRequest {
  return {
    requestId: wire.request_id,
    toolName: wire.tool_name,
    toolArgs: wire.input,
    ...(wire.tool_call_id !== undefined && { toolCallId: wire.tool_call_id }),
    ...(wire.explanation && { explanation: wire.explanation }),
  };
}

function keyOf({ toolCallId, toolName, firstArg }: ToolState): string {
  return toolCallId ?? `${toolName}:${firstArg}`;
}

function textOf(event: StreamEvent): string {
  return event.type === 'text_delta' ? event.delta : '';
}
