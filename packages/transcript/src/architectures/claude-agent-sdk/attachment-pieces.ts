import { asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { ClaudeRecord, OnSkipped, Piece } from './claude-record.ts';
import { systemBlock } from './system-pieces.ts';
import { messagePieces } from './user-pieces.ts';

/** Attachments are context for the model, except for a message queued during a turn. */
export function attachmentPieces(record: ClaudeRecord, onSkipped: OnSkipped): Piece[] {
  const attachment = asRecord(record.source.attachment);
  const type = asString(attachment.type) ?? 'untyped';
  if (type === 'queued_command') return messagePieces(record, attachment.prompt, onSkipped);
  if (HOOK_NOTICES.has(type)) return [hookPiece(record, attachment, type)];
  if (type === 'max_turns_reached') {
    const message = 'The turn ended because it reached its maximum number of rounds';
    return [systemBlock(record, { subtype: 'error', message, metadata: { [type]: true } })];
  }
  if (!CONTEXT.has(type)) onSkipped(`attachment/${type}`);
  return [];
}

function hookPiece(record: ClaudeRecord, attachment: JsonRecord, type: string): Piece {
  const hook = asString(attachment.hookName) ?? asString(attachment.hookEvent);
  const text = [
    asRecord(attachment.blockingError).blockingError,
    attachment.message,
    attachment.content,
    attachment.stderr,
    attachment.stdout,
  ].find((value) => typeof value === 'string' && value !== '');
  const message = asString(text) ?? `Hook ${hook ?? ''}: ${type}`;
  return systemBlock(record, {
    subtype: 'hook_response',
    message,
    metadata: compact({ hook, outcome: type.replace('hook_', '') }),
  });
}

/** Hook results that affected the conversation. */
const HOOK_NOTICES: ReadonlySet<string> = new Set([
  'hook_blocking_error',
  'hook_non_blocking_error',
  'hook_error_during_execution',
  'hook_stopped_continuation',
  'hook_system_message',
]);

/** Context for the model that is not shown. */
const CONTEXT: ReadonlySet<string> = new Set([
  'agent_listing_delta',
  'auto_mode',
  'budget_usd',
  'command_permissions',
  'date',
  'deferred_tools_delta',
  'edited_text_file',
  'environment',
  'file',
  'hook_additional_context',
  'hook_cancelled',
  'hook_deferred_tool',
  'hook_permission_decision',
  'hook_success',
  'instructions',
  'model',
  'nested_memory',
  'new_diagnostics',
  'plan_mode',
  'plan_mode_exit',
  'prompt_snapshot',
  'remote_session_change',
  'session_context',
  'skill_listing',
  'structured_output',
  'todo_reminder',
  'total_tokens_reminder',
  'unknown_command_fallback',
]);
