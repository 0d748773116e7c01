import type { ToolResultBlock, ToolUseBlock } from '../../blocks.ts';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import { durationOf, type TurnItem } from './turn-item.ts';

/** A tool call in progress or finished, from an item. */
export interface ToolItem {
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: 'running' | 'success' | 'error';
  readonly output: unknown;
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/** The outcome of a tool, without input and output, which can be large. */
export type ToolFacts = Pick<ToolItem, 'status' | 'exitCode' | 'durationMs'>;

/** `undefined` for items that are not tools. */
export function toToolItem(item: TurnItem): ToolItem | undefined {
  const read = READERS.get(item.kind);
  return read === undefined ? undefined : { ...read(item), ...toToolFacts(item) };
}

export function isToolItem({ kind }: TurnItem): boolean {
  return READERS.has(kind);
}

export function toToolFacts(item: TurnItem): ToolFacts {
  const exitCode = asNumber(item.fields.exit_code);
  const durationMs = durationOf(item);
  const status = statusOf(item);
  if (exitCode === undefined || durationMs === undefined) {
    return compact({ status, exitCode, durationMs });
  }
  return { status, exitCode, durationMs };
}

export function itemToolUse(tool: ToolItem, toolUseId: string, timestamp: string): ToolUseBlock {
  const { toolName, input, status } = tool;
  return { type: 'tool_use', id: toolUseId, timestamp, toolName, toolUseId, input, status };
}

export function itemToolResult(
  tool: ToolItem,
  toolUseId: string,
  timestamp: string,
): ToolResultBlock {
  const { output, status, exitCode, durationMs } = tool;
  return compact({
    type: 'tool_result' as const,
    id: `${toolUseId}:result`,
    timestamp,
    toolUseId,
    output,
    isError: status === 'error',
    durationMs,
    metadata: exitCode === undefined ? undefined : { exitCode },
  });
}

type Reading = Pick<ToolItem, 'toolName' | 'input' | 'output'>;

const READERS: ReadonlyMap<string, (item: TurnItem) => Reading> = new Map([
  ['command_execution', readCommand],
  ['file_change', readFileChange],
  ['mcp_tool_call', readMcpCall],
  ['dynamic_tool_call', readDynamicCall],
  ['web_search', readWebSearch],
  ['image_view', readImageView],
  ['image_generation', readImageGeneration],
  ['todo_list', readTodoList],
  ['sleep', readSleep],
]);

function statusOf({ fields }: TurnItem): ToolItem['status'] {
  switch (fields.status) {
    case 'in_progress':
    case 'inProgress':
      return 'running';
    case 'failed':
    case 'declined':
      return 'error';
    default:
      return fields.success === false || isRecord(fields.error) ? 'error' : 'success';
  }
}

function readCommand({ fields }: TurnItem): Reading {
  const cwd = asString(fields.cwd)?.replace(/^file:\/\//, '');
  const output = asString(fields.aggregated_output) ?? asString(fields.stdout) ?? '';
  return {
    toolName: 'exec_command',
    input: compact({ command: commandOf(fields.command), cwd }),
    output: output === '' && fields.status === 'declined' ? 'declined' : output,
  };
}

/** Unwraps a script run through a shell, whether the command is a list or a quoted line. */
function commandOf(command: unknown): unknown {
  const parts = asArray(command);
  if (parts.length === 3 && parts[1] === '-lc') return parts[2];
  if (typeof command !== 'string') return command;
  const quoted = /^\S*sh -lc (.+)$/s.exec(command)?.[1];
  return (quoted === undefined ? undefined : unquote(quoted)) ?? command;
}

/** Unquotes a single shell word; `undefined` if the quoting is not supported. */
function unquote(text: string): string | undefined {
  const single = /^'([^']*)'$/s.exec(text)?.[1];
  if (single !== undefined) return single;
  const double = /^"((?:[^"\\]|\\.)*)"$/s.exec(text)?.[1];
  if (double !== undefined) return double.replace(/\\(["\\$`])/g, '$1');
  return /^[\w./:=@%+-]+$/.test(text) ? text : undefined;
}

function readFileChange({ fields }: TurnItem): Reading {
  const changes = isRecord(fields.changes)
    ? Object.entries(fields.changes).map(([path, change]) => ({ path, ...asRecord(change) }))
    : asArray(fields.changes).map(asRecord);
  const printed = [asString(fields.stdout), asString(fields.stderr)].join('');
  const status = asString(fields.status) ?? '';
  return {
    toolName: 'apply_patch',
    input: { changes: changes.map(toFileChange) },
    output: printed === '' ? status : printed,
  };
}

/** The rollout stores the kind of a change next to its content, live items in a separate object. */
function toFileChange(change: JsonRecord): JsonRecord {
  const oldKind = OLD_KINDS.find((name) => isRecord(change[name]));
  const about = oldKind === undefined ? change : asRecord(change[oldKind]);
  const kind = asRecord(change.kind);
  return compact({
    path: change.path,
    kind: oldKind ?? change.type ?? kind.type ?? change.kind,
    diff: about.unified_diff ?? about.content ?? about.diff,
    movePath: about.move_path ?? kind.move_path ?? undefined,
  });
}

/** In the first versions the kind of a change was the key of its content. */
const OLD_KINDS = ['add', 'update', 'delete'] as const;

function readMcpCall({ fields }: TurnItem): Reading {
  const result = asRecord(fields.result);
  const failure = asString(asRecord(fields.error).message) ?? result.Err;
  const answer = asRecord(result.Ok ?? result);
  return {
    toolName: `${asString(fields.server) ?? ''}__${asString(fields.tool) ?? ''}`,
    input: toInput(fields.arguments),
    output: failure ?? answer.content ?? '',
  };
}

function readDynamicCall({ fields }: TurnItem): Reading {
  return {
    toolName: asString(fields.tool) ?? '',
    input: toInput(fields.arguments),
    output: fields.content_items ?? fields.error ?? '',
  };
}

function readWebSearch({ fields }: TurnItem): Reading {
  const { query, action } = fields;
  return {
    toolName: 'web_search',
    input: compact({ query: asString(query), action: action ?? undefined }),
    output: '',
  };
}

function readImageView({ fields }: TurnItem): Reading {
  return { toolName: 'view_image', input: compact({ path: asString(fields.path) }), output: '' };
}

function readImageGeneration({ fields }: TurnItem): Reading {
  const prompt = asString(fields.revised_prompt);
  const data = asString(fields.result);
  const source = { type: 'base64', data, mediaType: 'image/png' };
  return {
    toolName: 'image_generation',
    input: compact({ prompt }),
    output: data ? [{ type: 'image', source }] : (asString(fields.saved_path) ?? ''),
  };
}

function readTodoList({ fields }: TurnItem): Reading {
  return { toolName: 'update_plan', input: { plan: fields.items ?? [] }, output: '' };
}

function readSleep({ fields }: TurnItem): Reading {
  return {
    toolName: 'sleep',
    input: compact({ durationMs: asNumber(fields.duration_ms) }),
    output: '',
  };
}

/** Arguments that are not an object are kept under `raw`. */
export function toInput(value: unknown): Readonly<Record<string, unknown>> {
  if (isRecord(value)) return value;
  return value === undefined || value === null ? {} : { raw: value };
}
