import type { ConversationBlock } from '../../blocks.ts';
import { asNumber, asString, compact, isRecord, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';

/** Identifies the round of a run; used as prefix of its block ids. */
export function prefixOf(event: JsonRecord): string | undefined {
  const executionId = asString(event.executionId);
  const round = asNumber(event.round);
  return executionId === undefined || round === undefined ? undefined : `${executionId}:${round}`;
}

export function retryBlock(event: JsonRecord, timestamp: string): ConversationBlock {
  const attempt = asNumber(event.attempt) ?? 0;
  const reason = asString(event.reason) ?? 'the request failed';
  const model = asString(event.model);
  return {
    type: 'system',
    id: `retry:${prefixOf(event) ?? timestamp}:${attempt}`,
    timestamp,
    subtype: 'error',
    message:
      model === undefined
        ? `The model is asked again (attempt ${attempt}): ${reason}`
        : `${model} is asked instead: ${reason}`,
    metadata: { retry: compact({ attempt, delayMs: asNumber(event.waitMs), model }) },
  };
}

/** A server-side tool reports only its call. */
export function serverToolBlock(
  event: JsonRecord,
  timestamp: string,
  ordinal: number,
): ConversationBlock {
  const toolUseId = `${prefixOf(event) ?? timestamp}:server:${ordinal}`;
  return {
    type: 'tool_use',
    id: toolUseId,
    timestamp,
    toolName: asString(event.tool) ?? '',
    toolUseId,
    input: isRecord(event.input) ? event.input : compact({ query: asString(event.query) }),
    status: 'success',
    metadata: { server: true },
  };
}

export function initMetadata(event: JsonRecord): SessionMetadata {
  return compact({
    sessionId: asString(event.sessionId),
    model: asString(event.model),
    provider: asString(event.provider),
    cwd: asString(event.cwd),
  });
}
