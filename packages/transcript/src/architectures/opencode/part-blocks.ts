import type {
  ContentPart,
  ConversationBlock,
  SubagentBlock,
  ToolExecutionStatus,
  ToolResultBlock,
} from '../../blocks.ts';
import {
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';

/** A message or part with its id, which the database stores in a separate column. */
export interface StoredRecord {
  readonly id: string;
  readonly data: JsonRecord;
}

/** User content: text not added by the program, and files. */
export function userBlocks(
  { id, data }: StoredRecord,
  parts: readonly StoredRecord[],
): ConversationBlock[] {
  const timestamp = timeOf(data);
  const compaction = parts.find((part) => part.data.type === 'compaction');
  const notice = compaction === undefined ? [] : [compactionBlock(compaction, timestamp)];
  const content = parts.flatMap((part) => contentPart(part.data));
  if (content.length === 0) return notice;
  const isText = content.every((part) => part.type === 'text');
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return [...notice, { type: 'user_message', id, timestamp, content: isText ? text : content }];
}

function contentPart(part: JsonRecord): ContentPart[] {
  if (part.type === 'text') {
    const text = asString(part.text) ?? '';
    return part.synthetic === true || part.ignored === true || text === ''
      ? []
      : [{ type: 'text', text }];
  }
  const url = asString(part.url);
  if (part.type !== 'file' || url === undefined) return [];
  const mediaType = asString(part.mime);
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  const source = compact({
    type: data === undefined ? ('url' as const) : ('base64' as const),
    data: data ?? url,
    mediaType,
  });
  return [{ type: mediaType?.startsWith('image/') ? 'image' : 'document', source }];
}

function compactionBlock({ id, data }: StoredRecord, timestamp: string): ConversationBlock {
  const trigger = data.auto === true ? 'auto' : 'manual';
  return {
    type: 'system',
    id,
    timestamp,
    subtype: 'status',
    message: 'Conversation compacted',
    metadata: { compaction: { trigger } },
  };
}

/** One part of a model message: text, reasoning, or a call with its result. */
export function assistantBlocks(
  message: StoredRecord,
  { id, data }: StoredRecord,
): ConversationBlock[] {
  const timestamp = timeOf(data, timeOf(message.data));
  const model = asString(message.data.modelID);
  switch (data.type) {
    case 'text': {
      const content = asString(data.text) ?? '';
      if (content === '' || data.ignored === true) return [];
      return [compact({ type: 'assistant_text' as const, id, timestamp, content, model })];
    }
    case 'reasoning': {
      const content = asString(data.text) ?? '';
      return content === '' ? [] : [{ type: 'thinking', id, timestamp, content }];
    }
    case 'tool':
      return toolBlocks({ id, data }, timestamp);
    case 'retry':
      return [errorBlock(id, timestamp, asRecord(data.error))];
    default:
      return [];
  }
}

/** The error of a failed message; `undefined` for others. */
export function failureBlock({ id, data }: StoredRecord): ConversationBlock | undefined {
  if (!isRecord(data.error)) return undefined;
  return errorBlock(`${id}:error`, timeOf(data), data.error);
}

function errorBlock(id: string, timestamp: string, error: JsonRecord): ConversationBlock {
  const name = asString(error.name) ?? 'Error';
  const message = asString(asRecord(error.data).message) ?? asString(error.message) ?? name;
  const isAborted = name === 'MessageAbortedError';
  return {
    type: 'system',
    id,
    timestamp,
    subtype: isAborted ? 'status' : 'error',
    message: isAborted ? 'Turn interrupted' : message,
    metadata: isAborted ? { interrupted: true } : { error: name },
  };
}

function toolBlocks({ id, data }: StoredRecord, timestamp: string): ConversationBlock[] {
  const toolUseId = asId(data.callID) ?? id;
  const toolName = asString(data.tool) ?? 'unknown';
  const state = asRecord(data.state);
  const status = statusOf(toolName, state);
  const input = isRecord(state.input) ? state.input : {};
  const answer = state.error ?? state.output;
  if (toolName === 'task') {
    const agentId = asId(asRecord(state.metadata).sessionId);
    return [taskBlock({ toolUseId, timestamp, input, status, agentId, answer })];
  }
  const description = asId(state.title);
  const use: ConversationBlock = compact({
    type: 'tool_use' as const,
    id: toolUseId,
    timestamp,
    toolName,
    toolUseId,
    input,
    status,
    description,
  });
  if (status === 'pending' || status === 'running') return [use];
  return [use, resultBlock({ toolUseId, timestamp, state, isError: status === 'error' })];
}

function resultBlock(result: {
  readonly toolUseId: string;
  readonly timestamp: string;
  readonly state: JsonRecord;
  readonly isError: boolean;
}): ToolResultBlock {
  const { toolUseId, timestamp, state, isError } = result;
  const { start, end } = asRecord(state.time);
  const exitCode = asNumber(asRecord(state.metadata).exit);
  return compact({
    type: 'tool_result' as const,
    id: `${toolUseId}:result`,
    timestamp: isoOf(end) ?? timestamp,
    toolUseId,
    output: state.error ?? state.output ?? '',
    isError,
    durationMs: durationOf(start, end),
    metadata: exitCode === undefined ? undefined : { exitCode },
  });
}

/** Failed commands and calls of unknown tools are recorded as completed. */
function statusOf(toolName: string, state: JsonRecord): ToolExecutionStatus {
  const exitCode = asNumber(asRecord(state.metadata).exit) ?? 0;
  switch (state.status) {
    case 'completed':
      return toolName === 'invalid' || exitCode !== 0 ? 'error' : 'success';
    case 'error':
    case 'running':
      return state.status;
    default:
      return 'pending';
  }
}

function taskBlock(task: {
  readonly toolUseId: string;
  readonly timestamp: string;
  readonly input: JsonRecord;
  readonly status: SubagentBlock['status'];
  readonly agentId: string | undefined;
  readonly answer: unknown;
}): SubagentBlock {
  const { toolUseId, timestamp, input, status, agentId, answer } = task;
  const text = asString(answer);
  const report = text === undefined ? undefined : reportIn(text);
  return compact({
    type: 'subagent' as const,
    id: `subagent:${toolUseId}`,
    timestamp,
    subagentId: agentId ?? toolUseId,
    name: asString(input.subagent_type),
    input: asString(input.prompt) ?? '',
    status,
    output: status === 'success' || status === 'error' ? report : undefined,
    toolUseId,
  });
}

/** The text between the marks of a report; all of it without them. */
function reportIn(text: string): string {
  const start = text.indexOf(REPORT_START);
  const end = start === -1 ? -1 : text.indexOf(REPORT_END, start);
  if (end === -1) return text;
  return text
    .slice(start + REPORT_START.length, end)
    .replace(/^\n/, '')
    .replace(/\n$/, '');
}

const REPORT_START = '<task_result>';
const REPORT_END = '</task_result>';

/** Times are in milliseconds; a part without one gets that of its message. */
export function timeOf(data: JsonRecord, fallback = new Date(0).toISOString()): string {
  const { created, start } = asRecord(data.time);
  const began = asRecord(asRecord(data.state).time).start;
  return isoOf(created) ?? isoOf(start) ?? isoOf(began) ?? fallback;
}

function isoOf(ms: unknown): string | undefined {
  const at = asNumber(ms);
  return at === undefined || Math.abs(at) > LATEST_MS ? undefined : new Date(at).toISOString();
}

function durationOf(start: unknown, end: unknown): number | undefined {
  const [from, to] = [asNumber(start), asNumber(end)];
  return from === undefined || to === undefined ? undefined : to - from;
}

const LATEST_MS = 8.64e15;
