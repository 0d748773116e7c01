import {
  type ExecutionResult,
  type LiveSession,
  type LiveSessionEvents,
  type PermissionRequest,
  type QueuedPrompt,
  redactText,
  type SessionView,
  type SubmitOutcome,
} from '@robota-sdk/agent-sdk';
import type { Reply, Snapshot, TurnResult, WirePermission } from '../protocol.ts';
import type { NewEvent } from './event-journal.ts';

type EventName = keyof LiveSessionEvents;
type EventTable = {
  readonly [Name in EventName]?: (...facts: Parameters<LiveSessionEvents[Name]>) => NewEvent;
};

/** Wire frame of each session event. Streamed text is sent as stream events only. */
const FRAMES: EventTable = {
  stream_event: (event) => ({ type: 'stream_event', event }),
  user_message: (content) => ({ type: 'user_message', content }),
  thinking: (isThinking) => ({ type: 'thinking', is_thinking: isThinking }),
  tool_start: (tool) => ({ type: 'tool_start', tool }),
  tool_end: (tool) => ({ type: 'tool_end', tool }),
  context_update: (context) => ({ type: 'context_update', context }),
  permission_request: (request) => ({ type: 'permission_request', ...wirePermission(request) }),
  permission_resolved: ({ requestId, answer, by }) => ({
    type: 'permission_resolved',
    request_id: requestId,
    answer,
    by,
  }),
  question: (question) => ({ type: 'question', question }),
  question_resolved: ({ id, how, answer, by }) => ({
    type: 'question_resolved',
    question_id: id,
    how,
    answer,
    by,
  }),
  turn_start: ({ content, user, messageId }) => ({
    type: 'turn_start',
    content,
    user,
    message_id: messageId,
  }),
  turn_end: ({ status }) => ({ type: 'turn_end', status }),
  queue: (prompts) => ({ type: 'queue', prompts: prompts.map(wirePrompt) }),
  state: (changed) => ({ type: 'state', changed }),
  resync: (conversation) => ({ type: 'resync', conversation }),
  complete: (result) => ({ type: 'complete', turn: turnResult(result) }),
  interrupted: (result) => ({ type: 'interrupted', turn: turnResult(result) }),
  error: (error) => ({ type: 'error', ...errorFacts(error) }),
  notice: (notice) => ({ type: 'notice', notice }),
  compact: (compaction) => ({ type: 'compact', compaction }),
};

/** Calls `emit` with the wire frame of every session event, until the returned function is called. */
export function listenToSession(session: SessionView, emit: (event: NewEvent) => void): () => void {
  const stops = (Object.keys(FRAMES) as EventName[]).map((name) => {
    const frame = FRAMES[name] as (...facts: unknown[]) => NewEvent;
    const listener = (...facts: unknown[]) => emit(frame(...facts));
    session.on(name, listener as LiveSessionEvents[typeof name]);
    return () => session.off(name, listener as LiveSessionEvents[typeof name]);
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** The result of a prompt, for the client that sent it. */
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
  session: SessionView,
  place: { readonly epoch: string; readonly seq: number; readonly part: number },
): Extract<Reply, { type: 'init' }> {
  return { type: 'init', session_id: session.sessionId, ...place, ...sessionFacts(session) };
}

/** The state of a session without a journal position. */
export function snapshotFacts(session: SessionView): Omit<Snapshot, 'epoch' | 'seq' | 'part'> {
  const queue = drivenOf(session)?.getQueue() ?? [];
  return {
    type: 'snapshot',
    session_id: session.sessionId,
    ...sessionFacts(session),
    conversation: session.getConversation(),
    questions: [...session.getQuestions()],
    queue: queue.map(wirePrompt),
    message_count: session.getMessageCount(),
    tools: drivenOf(session)?.listTools() ?? [],
    is_executing: session.isExecuting(),
    pending_prompt: queue[0]?.displayInput ?? null,
    pending_permissions: session.getQuestions().flatMap((question) => {
      const { id, kind, toolName, input, toolCallId, explanation, pattern } = question;
      if (kind !== 'permission') return [];
      const request = { request_id: id, tool_name: toolName, input, tool_call_id: toolCallId };
      return [{ ...request, reason: explanation, pattern } as WirePermission];
    }),
    streaming_text: session.getStreamingText(),
    active_tools: session.getActiveTools(),
    context: session.getContextState(),
    notices: [...session.getOpeningNotices()],
  };
}

function sessionFacts(session: SessionView) {
  const driven = drivenOf(session);
  return {
    agent: session.agent,
    native_id: session.nativeId,
    capabilities: session.getCapabilities(),
    access: driven?.access ?? ('view' as const),
    cwd: session.getCwd(),
    name: session.getName(),
    model: session.getModel(),
    permission_mode: session.getPermissionMode(),
    commands: driven?.listCommands().map(({ name }) => name) ?? [],
  };
}

function drivenOf(session: SessionView): LiveSession | undefined {
  return 'submit' in session ? (session as LiveSession) : undefined;
}

function wirePrompt({ displayInput, user, messageId }: QueuedPrompt) {
  return { content: displayInput, user, message_id: messageId };
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
