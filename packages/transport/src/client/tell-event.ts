import type { SessionEvent } from '../protocol.ts';
import { RemoteError } from './remote-error.ts';
import type { RemoteEvents } from './remote-events.ts';
import { type RemoteView, toPermissionRequest } from './remote-view.ts';

/** Tells a wire event to listeners under the name and with the facts that a local session uses. */
export function tellEvent(event: SessionEvent, view: RemoteView, events: RemoteEvents): void {
  switch (event.type) {
    case 'stream_event':
      if (event.event.type === 'text_delta' && view.isSpokenText(event.event)) {
        events.emit('text_delta', event.event.delta);
      }
      events.emit('stream_event', event.event, event.seq);
      break;
    case 'user_message':
      events.emit('user_message', event.content);
      break;
    case 'thinking':
      events.emit('thinking', event.is_thinking);
      break;
    case 'tool_start':
    case 'tool_end':
      events.emit(event.type, event.tool);
      break;
    case 'context_update':
      events.emit('context_update', event.context);
      break;
    case 'permission_request':
      events.emit('permission_request', toPermissionRequest(event));
      break;
    case 'permission_resolved':
      events.emit('permission_resolved', { requestId: event.request_id, answer: event.answer });
      break;
    case 'complete':
    case 'interrupted':
      events.emit(event.type, event.turn);
      break;
    case 'error':
      events.emit('error', new RemoteError(event.code ?? 'error', event.message));
      break;
    case 'notice':
      events.emit('notice', event.notice);
      break;
    case 'compact':
      events.emit('compact', event.compaction);
      break;
    case 'result':
    case 'session_closed':
      break;
  }
}
