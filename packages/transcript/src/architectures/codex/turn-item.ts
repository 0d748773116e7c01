import type { JsonRecord } from '../../json-record.ts';
import { asArray, asId, asNumber, asRecord, asString, isRecord } from '../../json-record.ts';

/**
 * An item of a turn. The rollout, the app-server and `exec --json` write the same items with names in three
 * styles (`CommandExecution`, `commandExecution`, `command_execution`); here all are converted to the last.
 */
export interface TurnItem {
  readonly kind: string;
  readonly id: string | undefined;
  readonly fields: JsonRecord;
}

export function toTurnItem(item: JsonRecord): TurnItem {
  const type = asString(item.type) ?? 'untyped';
  const kind = KINDS.get(type) ?? snakeCase(type);
  return { kind, id: asId(item.id), fields: withSnakeNames(item) };
}

/** Fast path for the most frequent kinds in a rollout. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['UserMessage', 'user_message'],
  ['AgentMessage', 'agent_message'],
  ['Reasoning', 'reasoning'],
  ['CommandExecution', 'command_execution'],
  ['FileChange', 'file_change'],
]);

/** Returns rollout items, which are the most frequent, without copying. */
function withSnakeNames(item: JsonRecord): JsonRecord {
  for (const name in item) {
    if (HAS_CAPITAL.test(name)) {
      const named = Object.entries(item).map(([key, value]) => [snakeCase(key), value] as const);
      return Object.fromEntries(named);
    }
  }
  return item;
}

/** Converts the event that ended a tool before 0.148 to an item; `undefined` for other events. */
export function toolEventItem(event: JsonRecord): TurnItem | undefined {
  const kind = TOOL_EVENTS.get(asString(event.type) ?? '');
  if (kind === undefined) return undefined;
  const id = asId(event.call_id);
  const invocation = asRecord(event.invocation);
  const status = isFailedEvent(event) ? 'failed' : 'completed';
  return { kind, id, fields: { ...invocation, ...event, status: event.status ?? status } };
}

const TOOL_EVENTS: ReadonlyMap<string, string> = new Map([
  ['exec_command_end', 'command_execution'],
  ['patch_apply_end', 'file_change'],
  ['mcp_tool_call_end', 'mcp_tool_call'],
  ['web_search_end', 'web_search'],
  ['image_generation_end', 'image_generation'],
  ['dynamic_tool_call_response', 'dynamic_tool_call'],
]);

function isFailedEvent(event: JsonRecord): boolean {
  const exitCode = asNumber(event.exit_code);
  const result = asRecord(event.result);
  return (
    event.success === false ||
    (exitCode !== undefined && exitCode !== 0) ||
    result.Err !== undefined ||
    asRecord(result.Ok).isError === true
  );
}

/** In milliseconds, whatever format the item uses. */
export function durationOf({ fields }: TurnItem): number | undefined {
  const given = asNumber(fields.duration_ms);
  if (given !== undefined) return given;
  const { duration } = fields;
  if (!isRecord(duration)) return undefined;
  const nanos = asNumber(duration.nanos) ?? 0;
  // A number of seconds near the largest one has no finite number of milliseconds.
  return asNumber(Math.round((asNumber(duration.secs) ?? 0) * 1000 + nanos / 1_000_000));
}

export function stringsOf(value: unknown): string[] {
  return asArray(value).filter((each) => typeof each === 'string');
}

function snakeCase(name: string): string {
  if (!HAS_CAPITAL.test(name)) return name;
  const parted = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return parted.startsWith('_') ? parted.slice(1) : parted;
}

const HAS_CAPITAL = /[A-Z]/;
