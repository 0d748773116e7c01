import type { Entry } from './entry.ts';
import type { SessionState } from './session-state.ts';
import { eventEntry } from './timeline-entry.ts';
import { endOfTool, firstArgumentOf, type ToolState } from './tool-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Open turns list at most this many tools; running ones are never dropped. */
const MAX_TOOLS_IN_VIEW = 50;

/** The model requested a call; its tool has not started. */
export function requestCall(state: SessionState, entry: Entry): void {
  const { toolCallId, toolName, parameters } = entry as Fields;
  state.calls[String(toolCallId)] = { toolName: String(toolName), parameters, hasStarted: false };
}

export function startCall(state: SessionState, entry: Entry): void {
  const { toolCallId, tool, input } = entry as Fields;
  const call = state.calls[String(toolCallId)];
  if (call) call.hasStarted = true;
  startTool(state, entry, {
    toolName: String(tool),
    toolCallId,
    parameters: input ?? call?.parameters,
  });
}

/** Records a result. A call that never started, because it was denied, gets its start here as well. */
export function endCall(state: SessionState, entry: Entry): void {
  const { toolCallId, toolName } = entry as Fields;
  const { turn, timeline, calls } = state;
  const call = calls[String(toolCallId)];
  if (call) call.result = { ...(entry as Fields), time: entry.time };
  if (!turn) return;
  const isStarted = turn.tools.some((tool) => tool.isRunning && tool.toolCallId === toolCallId);
  if (!isStarted) {
    const parameters = call?.parameters;
    startTool(state, entry, { toolName: String(toolName), toolCallId, parameters });
  }
  const index = turn.tools.findLastIndex((tool) => tool.toolCallId === toolCallId);
  const started = turn.tools[index];
  if (!started) return;
  const ended = { ...started, ...endOfTool(entry as Fields) };
  turn.tools[index] = ended;
  turn.finished.push(ended);
  turn.isNewParagraph = turn.text !== '';
  const oldest = turn.tools.findIndex((tool) => !tool.isRunning);
  if (turn.tools.length > MAX_TOOLS_IN_VIEW && oldest >= 0) turn.tools.splice(oldest, 1);
  timeline.push(eventEntry(entry, 'tool-end', ended));
}

function startTool(
  { turn, timeline }: SessionState,
  entry: Entry,
  call: { toolName: string; toolCallId: unknown; parameters: unknown },
): void {
  if (!turn) return;
  const state: ToolState = {
    toolName: call.toolName,
    firstArg: firstArgumentOf(call.parameters),
    isRunning: true,
    ...(typeof call.toolCallId === 'string' && { toolCallId: call.toolCallId }),
  };
  turn.tools.push(state);
  timeline.push(eventEntry(entry, 'tool-start', state));
}

/** Folds permission questions and answers, those of subagents included. */
export function foldQuestion(state: SessionState, entry: Entry): void {
  if (entry.event === 'permission_request') ask(state, entry);
  if (entry.event === 'permission_resolved') resolve(state, entry);
}

function ask(state: SessionState, entry: Entry): void {
  const { requestId, toolName, toolCallId } = entry as Fields;
  state.questions.push({
    requestId: String(requestId),
    toolName: String(toolName),
    ...(typeof toolCallId === 'string' && { toolCallId }),
    ...(entry.thread !== undefined && { thread: entry.thread }),
  });
}

function resolve(state: SessionState, entry: Entry): void {
  const { requestId, answer } = entry as Fields;
  const { questions, grants } = state;
  const asked = questions.find((question) => question.requestId === requestId);
  state.questions = questions.filter((question) => question !== asked);
  const { pattern } = (answer ?? {}) as { readonly pattern?: unknown };
  const grant = answer === 'allow-session' ? asked?.toolName : pattern;
  if (typeof grant === 'string' && !grants.includes(grant)) grants.push(grant);
}
