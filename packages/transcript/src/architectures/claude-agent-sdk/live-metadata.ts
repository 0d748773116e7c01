import {
  asArray,
  asNumber,
  asRecord,
  asString,
  compact,
  type JsonRecord,
} from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import { sumUsage } from '../../token-usage.ts';
import { toUsage } from './request-ledger.ts';

/** Metadata the program reports at the start of every turn. */
export function initMetadata(event: JsonRecord): SessionMetadata {
  return compact({
    sessionId: asString(event.session_id),
    model: asString(event.model),
    cwd: asString(event.cwd),
    version: asString(event.claude_code_version),
    permissionMode: asString(event.permissionMode),
    tools: Array.isArray(event.tools) ? asArray(event.tools) : undefined,
  });
}

/** Totals at the end of a turn, over all models and agents of the session. */
export function resultMetadata(event: JsonRecord): SessionMetadata {
  const models = Object.values(asRecord(event.modelUsage)).map((usage) => toUsage(asRecord(usage)));
  const fallback = toUsage(asRecord(event.usage));
  return compact({
    sessionId: asString(event.session_id),
    usage: models.length > 0 ? sumUsage(models) : fallback,
    costUSD: asNumber(event.total_cost_usd),
    activity: null,
    lastResult: compact({
      subtype: asString(event.subtype),
      isError: event.is_error === true,
      terminalReason: asString(event.terminal_reason),
      apiErrorStatus: asNumber(event.api_error_status),
    }),
  });
}
