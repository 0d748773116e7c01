import type { InteractiveSession, PermissionRequest } from '@robota-sdk/agent-sdk';
import type { StreamEvent, ToolUseBlock } from '@robota-sdk/agent-transcript';
import { previewEdit } from './edit-preview.ts';
import type { ScreenAction } from './state/screen-action.ts';

type Dispatch = (action: ScreenAction) => void;

/** Tells the screen what happens in a session. Returns how to stop listening. */
export function bridgeSession(session: InteractiveSession, dispatch: Dispatch): () => void {
  const edits = new EditWatch(session.getCwd() ?? process.cwd(), dispatch);
  const listeners = {
    stream_event: (event: StreamEvent) => {
      edits.see(event);
      dispatch({ type: 'stream', event, at: Date.now() });
    },
    thinking: (isBusy: boolean) => dispatch({ type: 'session_busy', isBusy, at: Date.now() }),
    permission_request: (request: PermissionRequest) =>
      dispatch({
        type: 'permission_asked',
        request,
        diff: edits.preview(request.toolName, request.toolArgs),
        at: Date.now(),
      }),
    permission_resolved: ({ requestId }: { readonly requestId: string }) =>
      dispatch({ type: 'permission_resolved', requestId, at: Date.now() }),
    context_update: (state: { readonly usedPercentage: number; readonly maxTokens: number }) =>
      dispatch({
        type: 'status',
        facts: { contextPercentage: state.usedPercentage, contextTokens: state.maxTokens },
      }),
    notice: ({ kind, message }: { readonly kind: string; readonly message: string }) => {
      if (kind === 'not_saved') dispatch({ type: 'status', facts: { isSaved: false } });
      dispatch({ type: 'note', text: message, tone: 'warning' });
    },
  };
  for (const [name, listener] of entries(listeners)) session.on(name, listener as never);
  return () => {
    for (const [name, listener] of entries(listeners)) session.off(name, listener as never);
  };
}

/** Looks at files right before they are changed: afterwards nobody knows what they said. */
class EditWatch {
  readonly #cwd: string;
  readonly #dispatch: Dispatch;
  readonly #calls = new Map<string, ToolUseBlock>();

  constructor(cwd: string, dispatch: Dispatch) {
    this.#cwd = cwd;
    this.#dispatch = dispatch;
  }

  see(event: StreamEvent): void {
    if (event.type === 'block_start' && event.block.type === 'tool_use') {
      this.#calls.set(event.block.id, event.block);
    }
    if (event.type === 'block_complete') this.#calls.delete(event.blockId);
    if (event.type !== 'block_update') return;
    const call = this.#calls.get(event.blockId);
    if (!call || !('status' in event.updates) || event.updates.status !== 'running') return;
    const diff = this.preview(call.toolName, call.input);
    if (diff) this.#dispatch({ type: 'edit_begun', toolUseId: call.toolUseId, diff });
  }

  preview(toolName: string, input: ToolUseBlock['input']) {
    return previewEdit({ toolName, input, cwd: this.#cwd });
  }
}

function entries<Table extends object>(table: Table): [keyof Table, Table[keyof Table]][] {
  return Object.entries(table) as [keyof Table, Table[keyof Table]][];
}
