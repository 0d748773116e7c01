import { asNumber, asString, isRecord, type JsonRecord } from '../../json-record.ts';

/** One line of a rollout, of any format version. */
export interface RolloutLine {
  readonly type: string;
  readonly payload: JsonRecord;
  /** Absent until 0.32. */
  readonly timestamp: string | undefined;
  /** Line number in the thread, since 0.148; forks continue counting where they branched off. */
  readonly ordinal: number | undefined;
  /** Whether the line has no envelope, as until 0.32. */
  readonly isBare: boolean;
}

/** Detects the format by shape: an envelope since 0.33, bare Responses items before. */
export function toRolloutLine(record: JsonRecord): RolloutLine {
  if (isRecord(record.payload)) {
    return {
      type: asString(record.type) ?? 'untyped',
      payload: record.payload,
      timestamp: asString(record.timestamp),
      ordinal: asNumber(record.ordinal),
      isBare: false,
    };
  }
  return {
    type: bareType(record),
    payload: record,
    timestamp: undefined,
    ordinal: undefined,
    isBare: true,
  };
}

function bareType(record: JsonRecord): string {
  if (record.record_type === 'state') return 'state';
  const type = asString(record.type);
  if (type !== undefined) return RESPONSE_ITEMS.has(type) ? 'response_item' : type;
  return typeof record.id === 'string' && 'instructions' in record ? 'session_meta' : 'untyped';
}

/** Items written without an envelope until 0.32. */
const RESPONSE_ITEMS: ReadonlySet<string> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
]);

/** Types of records, items and events that are not shown. */
export const SILENT_LINES: ReadonlySet<string> = new Set([
  'state',
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
  'security_risk_score',
]);

export const SILENT_RESPONSE_ITEMS: ReadonlySet<string> = new Set([
  'additional_tools',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'context_compaction',
  'ghost_snapshot',
]);

export const SILENT_EVENTS: ReadonlySet<string> = new Set([
  'agent_message_delta',
  'agent_message_content_delta',
  'agent_reasoning_delta',
  'agent_reasoning_raw_content',
  'agent_reasoning_raw_content_delta',
  'agent_reasoning_section_break',
  'background_event',
  'collab_agent_interaction_begin',
  'collab_agent_interaction_end',
  'collab_agent_spawn_begin',
  'collab_agent_spawn_end',
  'collab_close_begin',
  'collab_close_end',
  'collab_resume_begin',
  'collab_resume_end',
  'collab_waiting_begin',
  'collab_waiting_end',
  'exec_command_begin',
  'exec_command_output_delta',
  'get_history_entry_response',
  'image_generation_begin',
  'item_started',
  'mcp_startup_complete',
  'mcp_startup_update',
  'mcp_tool_call_begin',
  'patch_apply_begin',
  'plan_update',
  'raw_response_item',
  'session_configured',
  'shutdown_complete',
  'skills_update_available',
  'terminal_interaction',
  'thread_goal_updated',
  'thread_name_updated',
  'thread_settings_applied',
  'turn_diff',
  'undo_started',
  'view_image_tool_call',
  'web_search_begin',
]);
