import {
  type ExecutionResult,
  type InteractiveSession,
  type InteractiveSessionEvents,
  type PermissionRequest,
  redactText,
  type SubmitOutcome,
} from '@robota-sdk/agent-sdk';
import type { Reply, Snapshot, TurnResult, WirePermission } from '../protocol.ts';
import type { NewEvent } from './event-journal.ts';

type EventName = keyof InteractiveSessionEvents;
type EventTable = {
  readonly [Name in EventName]?: (...facts: Parameters<InteractiveSessionEvents[Name]>) => NewEvent;
};

/** What each event of a session is on the wire. Streamed text travels as stream events and is not told twice. */
const FRAMES: EventTable = {
  stream_event: (event) => ({ type: 'stream_event', event }),
  user_message: (content) => ({ type: 'user_message', content }),
  thinking: (isThinking) => ({ type: 'thinking', is_thinking: isThinking }),
  tool_start: (tool) => ({ type: 'tool_start', tool }),
  tool_end: (tool) => ({ type: 'tool_end', tool }),
  context_update: (context) => ({ type: 'context_update', context }),
  permission_request: (request) => ({ type: 'permission_request', ...wirePermission(request) }),
  permission_resolved: ({ requestId, answer }) => ({
    type: 'permission_resolved',
    request_id: requestId,
    answer,
  }),
  complete: (result) => ({ type: 'complete', turn: turnResult(result) }),
  interrupted: (result) => ({ type: 'interrupted', turn: turnResult(result) }),
  error: (error) => ({ type: 'error', ...errorFacts(error) }),
  notice: (notice) => ({ type: 'notice', notice }),
  compact: (compaction) => ({ type: 'compact', compaction }),
};

/** Tells every event of a session as it goes over the wire, until the returned function is called. */
export function listenToSession(
  session: InteractiveSession,
  tell: (event: NewEvent) => void,
): () => void {
  const stops = (Object.keys(FRAMES) as EventName[]).map((name) => {
    const frame = FRAMES[name] as (...facts: unknown[]) => NewEvent;
    const listener = (...facts: unknown[]) => tell(frame(...facts));
    session.on(name, listener as InteractiveSessionEvents[typeof name]);
    return () => session.off(name, listener as InteractiveSessionEvents[typeof name]);
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** How a prompt ended, as its own client hears it. */
export function resultFrame(
  messageId: string,
  outcome: SubmitOutcome,
): Extract<NewEvent, { type: 'result' }> {
  const frame = { type: 'result', message_id: messageId, status: outcome.status } as const;
  switch (outcome.status) {
    case 'completed':
    case 'interrupted': {
      const turn = turnResult(outcome.result);
      const subtype = outcome.status === 'completed' ? 'success' : 'interrupted';
      return { ...frame, subtype, result: turn.response, usage: turn.usage ?? null, turn };
    }
    case 'failed': {
      const { code = 'error', message } = errorFacts(outcome.error);
      return { ...frame, subtype: 'error', result: message, usage: null, error_code: code };
    }
    case 'superseded': {
      const result = 'Another prompt took its place.';
      return { ...frame, subtype: 'interrupted', result, usage: null };
    }
    case 'refused':
      return { ...frame, subtype: 'error', result: outcome.reason, usage: null };
  }
}

export function initFrame(
  session: InteractiveSession,
  place: { readonly epoch: string; readonly seq: number },
): Extract<Reply, { type: 'init' }> {
  return {
    type: 'init',
    session_id: session.sessionId,
    ...place,
    cwd: session.getCwd(),
    name: session.getName(),
    model: session.getModel(),
    permission_mode: session.getPermissionMode(),
    commands: session.listCommands().map(({ name }) => name),
  };
}

/** The state of a session without its place in a journal. */
export function snapshotFacts(session: InteractiveSession): Omit<Snapshot, 'epoch' | 'seq'> {
  return {
    type: 'snapshot',
    session_id: session.sessionId,
    conversation: session.getConversation(),
    is_executing: session.isExecuting(),
    pending_prompt: session.getPendingPrompt(),
    pending_permissions: session.getPendingPermissions().map(wirePermission),
    streaming_text: session.getStreamingText(),
    active_tools: session.getActiveTools(),
    context: session.getContextState(),
  };
}

function wirePermission(request: PermissionRequest): WirePermission {
  const { requestId, toolName, toolArgs, toolCallId, explanation } = request;
  return {
    request_id: requestId,
    tool_name: toolName,
    input: toolArgs,
    tool_call_id: toolCallId,
    ...(explanation && {
      reason: explanation.reason,
      pattern: explanation.suggestedPattern,
      explanation,
    }),
  };
}

function turnResult({ history: _history, ...turn }: ExecutionResult): TurnResult {
  return turn;
}

function errorFacts(error: Error): { code?: string; message: string } {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { ...(code !== undefined && { code }), message: redactText(error.message) };
}
