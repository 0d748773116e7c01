import type { MessageContent, SystemBlock, ToolResultBlock } from '../../blocks.ts';
import {
  asArray,
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
} from '../../json-record.ts';
import type { ClaudeRecord, OnSkipped, Piece, TaskReport } from './claude-record.ts';
import { textOf, toMessageContent, toToolOutput } from './content.ts';
import { readUserMarker } from './user-markers.ts';

/** A user record: a message from the user, tool results, or a note by the program. */
export function userPieces(record: ClaudeRecord, onSkipped: OnSkipped): Piece[] {
  const { source, message } = record;
  if (source.isCompactSummary === true) {
    return [{ kind: 'compaction_summary', text: textOf(message.content) }];
  }
  const { results, rest } = splitContent(message.content, onSkipped);
  const pieces = results.map((part) => resultPiece(record, asRecord(part)));
  const isNote = source.isMeta === true || source.isSynthetic === true;
  return isNote ? pieces : [...pieces, ...messagePieces(record, rest, onSkipped)];
}

/** A message from the user, or from the program under one of its markers. */
export function messagePieces(record: ClaudeRecord, value: unknown, onSkipped: OnSkipped): Piece[] {
  const content = toMessageContent(value, onSkipped);
  if (content === undefined) return [];
  const marker = typeof content === 'string' ? readUserMarker(content) : undefined;
  switch (marker?.kind) {
    case undefined:
      return [userMessage(record, content)];
    case 'hidden':
      return [];
    case 'status':
      return [statusPiece(record, marker.message, marker.metadata)];
    case 'task_report':
      return [taskReportPiece(marker.report, record.timestamp)];
  }
}

/** The block has the same id in the file and the stream, since both contain the task id. */
export function taskReportPiece(report: TaskReport, timestamp: string): Piece {
  const { taskId, toolUseId, status } = report;
  const block: SystemBlock = {
    type: 'system',
    id: `task:${taskId}:${status}`,
    timestamp,
    subtype: 'status',
    message: report.summary,
    metadata: { task: compact({ taskId, toolUseId, status }) },
  };
  return { kind: 'task_report', block, report };
}

function statusPiece(
  { uuid, timestamp }: ClaudeRecord,
  message: string,
  metadata: Readonly<Record<string, unknown>>,
): Piece {
  const block: SystemBlock = {
    type: 'system',
    id: uuid,
    timestamp,
    subtype: 'status',
    message,
    metadata,
  };
  return { kind: 'block', block };
}

function userMessage({ uuid, timestamp }: ClaudeRecord, content: MessageContent): Piece {
  return { kind: 'block', block: { type: 'user_message', id: uuid, timestamp, content } };
}

function splitContent(
  content: unknown,
  onSkipped: OnSkipped,
): { results: readonly unknown[]; rest: unknown } {
  if (typeof content === 'string') return { results: [], rest: content };
  if (!Array.isArray(content)) onSkipped('user/without-content');
  const parts = asArray(content);
  const results = parts.filter(isToolResult);
  if (results.length === 0) return { results, rest: parts };
  return { results, rest: parts.filter((part) => !isToolResult(part)) };
}

function isToolResult(part: unknown): boolean {
  return isRecord(part) && part.type === 'tool_result' && asId(part.tool_use_id) !== undefined;
}

function resultPiece(
  { source, timestamp }: ClaudeRecord,
  part: ReturnType<typeof asRecord>,
): Piece {
  const toolUseId = asString(part.tool_use_id) ?? '';
  const structured = source.toolUseResult ?? source.tool_use_result;
  const block: ToolResultBlock = {
    type: 'tool_result',
    id: `${toolUseId}:result`,
    timestamp,
    toolUseId,
    output: toToolOutput(part.content),
    isError: part.is_error === true,
  };
  const extras = resultExtras(source, structured, toolUseId);
  return {
    kind: 'tool_result',
    block: extras === undefined ? block : { ...block, ...extras },
    structured,
  };
}

function resultExtras(
  source: ClaudeRecord['source'],
  structured: unknown,
  toolUseId: string,
): Pick<ToolResultBlock, 'durationMs' | 'metadata'> | undefined {
  const answer = asRecord(structured);
  const durationMs = asNumber(answer.durationMs);
  const denial = asString(source.toolDenialKind) ?? liveDenial(source, toolUseId);
  const backgroundTaskId = asString(answer.backgroundTaskId);
  const isPlain = denial === undefined && backgroundTaskId === undefined;
  if (isPlain && durationMs === undefined) return undefined;
  const metadata = isPlain ? undefined : compact({ denial, backgroundTaskId });
  return compact({ durationMs, metadata });
}

function liveDenial(source: ClaudeRecord['source'], toolUseId: string): string | undefined {
  const notes = asArray(source.tool_result_meta).map(asRecord);
  return asString(notes.find((note) => note.id === toolUseId)?.non_execution_kind);
}
