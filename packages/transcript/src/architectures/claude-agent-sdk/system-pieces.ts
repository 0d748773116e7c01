import type { SystemBlock, SystemSubtype } from '../../blocks.ts';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  compact,
  type JsonRecord,
} from '../../json-record.ts';
import type { ClaudeRecord, KeptLines, OnSkipped, Piece } from './claude-record.ts';
import { messagePieces } from './user-pieces.ts';

/** A system record: a compaction, a retry or a notice; bookkeeping is ignored. */
export function systemPieces(record: ClaudeRecord, onSkipped: OnSkipped): Piece[] {
  const subtype = asString(record.source.subtype) ?? 'untyped';
  const { source } = record;
  switch (subtype) {
    case 'compact_boundary':
    case 'microcompact_boundary':
      return [compactionPiece(record, subtype)];
    case 'api_error':
      return [retryPiece(retryFromFile(source), record.timestamp)];
    case 'local_command':
      return messagePieces(record, asString(source.content) ?? '', onSkipped).map(asStatus);
    case 'informational':
    case 'away_summary':
    case 'model_refusal_fallback':
      return [noticePiece(record, asString(source.content) ?? subtype)];
    case 'stop_hook_summary':
      return source.preventedContinuation === true ? [stopHookPiece(record)] : [];
    case 'turn_duration':
      return [];
    default:
      onSkipped(`system/${subtype}`);
      return [];
  }
}

export interface Retry {
  readonly attempt: number;
  readonly maxRetries: number;
  readonly delayMs: number;
  /** HTTP status; absent when the connection failed. */
  readonly status?: number;
}

/** File and stream use different uuids for a retry, so its id consists of fields both share. */
export function retryPiece(retry: Retry, timestamp: string): Piece {
  const cause =
    retry.status === undefined ? 'could not be reached' : `answered with status ${retry.status}`;
  return {
    kind: 'block',
    block: {
      type: 'system',
      id: `retry:${retry.attempt}:${retry.delayMs}`,
      timestamp,
      subtype: 'error',
      message: `The model's service ${cause}; attempt ${retry.attempt} of ${retry.maxRetries} follows`,
      metadata: { retry },
    },
  };
}

function retryFromFile(source: JsonRecord): Retry {
  return compact({
    attempt: asNumber(source.retryAttempt) ?? 0,
    maxRetries: asNumber(source.maxRetries) ?? 0,
    delayMs: asNumber(source.retryInMs) ?? 0,
    status: asNumber(asRecord(source.error).status),
  });
}

/** The same fields in the live stream's spelling. */
export function liveRetry(event: JsonRecord): Retry {
  return compact({
    attempt: asNumber(event.attempt) ?? 0,
    maxRetries: asNumber(event.max_retries) ?? 0,
    delayMs: asNumber(event.retry_delay_ms) ?? 0,
    status: asNumber(event.error_status),
  });
}

function compactionPiece(record: ClaudeRecord, subtype: string): Piece {
  const { source } = record;
  const facts = asRecord(
    source.compactMetadata ?? source.compact_metadata ?? source.microcompactMetadata,
  );
  const compaction = compact({
    kind: subtype === 'compact_boundary' ? 'full' : 'micro',
    trigger: asString(facts.trigger),
    preTokens: asNumber(facts.preTokens ?? facts.pre_tokens),
    postTokens: asNumber(facts.postTokens ?? facts.post_tokens),
    durationMs: asNumber(facts.durationMs ?? facts.duration_ms),
  });
  const message = asString(source.content) ?? 'Conversation compacted';
  const { uuid: id, timestamp } = record;
  const metadata = { compaction };
  const block: SystemBlock = {
    type: 'system',
    id,
    timestamp,
    subtype: 'status',
    message,
    metadata,
  };
  return { kind: 'compaction', block, kept: keptLines(facts) };
}

/** The file uses camel case, the stream snake case; the list is newer than the segment. */
function keptLines(facts: JsonRecord): KeptLines {
  const { uuids } = asRecord(facts.preservedMessages ?? facts.preserved_messages);
  const listed = asArray(uuids).filter((uuid) => typeof uuid === 'string');
  const segment = asRecord(facts.preservedSegment ?? facts.preserved_segment);
  if (listed.length > 0) return { uuids: listed, head: undefined, tail: undefined };
  return {
    uuids: [],
    head: asString(segment.headUuid ?? segment.head_uuid),
    tail: asString(segment.tailUuid ?? segment.tail_uuid),
  };
}

function noticePiece(record: ClaudeRecord, message: string): Piece {
  const level = asString(record.source.level);
  const subtype = level === 'error' ? 'error' : 'status';
  return systemBlock(record, { subtype, message, metadata: compact({ level }) });
}

function stopHookPiece(record: ClaudeRecord): Piece {
  const message = asString(record.source.stopReason) ?? 'A hook stopped the turn';
  return systemBlock(record, { subtype: 'hook_response', message, metadata: { stopped: true } });
}

/** Output of a local command is a status even without a marker. */
function asStatus(piece: Piece): Piece {
  if (piece.kind !== 'block' || piece.block.type !== 'user_message') return piece;
  const { id, timestamp, content } = piece.block;
  const message = typeof content === 'string' ? content : '';
  return {
    kind: 'block',
    block: { type: 'system', id, timestamp, subtype: 'status', message, metadata: {} },
  };
}

export function systemBlock(
  { uuid, timestamp }: ClaudeRecord,
  fields: {
    readonly subtype: SystemSubtype;
    readonly message: string;
    readonly metadata: Readonly<Record<string, unknown>>;
  },
): Piece {
  return { kind: 'block', block: { type: 'system', id: uuid, timestamp, ...fields } };
}
