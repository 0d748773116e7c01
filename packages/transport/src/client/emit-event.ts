import type { SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { SessionEvent } from '../protocol.ts';
import { RemoteError } from './remote-error.ts';
import type { RemoteEvents } from './remote-events.ts';
import { resultOf } from './remote-outcome.ts';
import { type RemoteView, toPermissionRequest } from './remote-view.ts';

/** Emits a wire event with the name and arguments that a local session uses. */
export function emitEvent(event: SessionEvent, view: RemoteView, events: RemoteEvents): void {
  switch (event.type) {
    case 'stream_event':
      if (event.event.type === 'text_delta' && view.isAnswerText(event.event)) {
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
    case 'complete':
    case 'interrupted':
      events.emit(event.type, resultOf(event.turn));
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
    default:
      emitChange(event, view, events);
  }
}

/** Questions, the queue, and the start and end of turns. */
function emitChange(event: SessionEvent, view: RemoteView, events: RemoteEvents): void {
  switch (event.type) {
    case 'permission_request':
      events.emit('permission_request', toPermissionRequest(event));
      break;
    case 'permission_resolved': {
      const { request_id: requestId, answer, by } = event;
      events.emit('permission_resolved', { requestId, answer, ...(by !== undefined && { by }) });
      break;
    }
    case 'question':
      events.emit('question', event.question);
      break;
    case 'question_resolved': {
      const { question_id: id, how, answer, by } = event;
      events.emit('question_resolved', { id, how, answer, by });
      break;
    }
    case 'turn_start': {
      const { content, user, message_id: messageId } = event;
      events.emit('turn_start', { content, user, messageId });
      break;
    }
    case 'turn_end':
      events.emit('turn_end', endOf(event.status, view));
      break;
    case 'queue':
      events.emit('queue', view.queue);
      break;
    case 'state':
      events.emit('state', event.changed);
      break;
    case 'resync':
      events.emit('resync', event.conversation);
      break;
    default:
  }
}

/** The result of a turn arrives right before its end. */
function endOf(status: SubmitOutcome['status'], view: RemoteView): SubmitOutcome {
  const { lastResult: result, lastError } = view;
  if (status === 'superseded') return { status };
  if (status === 'refused') return { status, reason: lastError?.message ?? '' };
  if (status !== 'failed' && result) return { status, result };
  const { code = 'error', message = 'The turn failed.' } = lastError ?? {};
  return { status: 'failed', error: new RemoteError(code, message), endedBy: 'error' };
}
