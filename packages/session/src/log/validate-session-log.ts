import type { SessionLogEntry } from '@robota-sdk/agent-core';
import { isExternalPayload } from './payload-files.ts';
import { type SkippedLine, skippedLinesOf } from './read-session-log.ts';

/** Code of a problem found in a log. */
export type ReplayIssueCode =
  | 'PROVIDER_NATIVE_RAW_PAYLOAD_MISSING'
  | 'PROVIDER_RESPONSE_RAW_MISSING'
  | 'PROVIDER_RESPONSE_NORMALIZED_MISSING'
  | 'TOOL_RESULT_MISSING'
  | 'TOOL_REQUEST_MISSING'
  | 'PAYLOAD_REFERENCE_INVALID'
  | 'LINE_UNREADABLE'
  | 'ENTRIES_MISSING';

/** A problem found in a log. */
export interface ReplayIssue {
  readonly code: ReplayIssueCode;
  readonly message: string;
  readonly eventIndex?: number;
  readonly executionId?: string;
  readonly round?: number;
  readonly toolCallId?: string;
}

/** The result of validating a log. */
export interface ReplayValidation {
  readonly ok: boolean;
  readonly issues: readonly ReplayIssue[];
  /** True for a log from before history mutations, for which fewer checks apply. */
  readonly isOldLog: boolean;
  /** Lines skipped when the entries were loaded. */
  readonly skipped: readonly SkippedLine[];
}

/** Reports what is missing to replay model and tools. */
export function validateSessionReplayLogEntries(
  entries: readonly SessionLogEntry[],
): ReplayValidation {
  const isOldLog =
    entries.some((entry) => entry.event === 'pre_run' || entry.event === 'assistant') &&
    !entries.some((entry) => entry.event === 'history_mutation');
  const skipped = skippedLinesOf(entries);
  const issues = [
    ...(isOldLog ? [] : providerIssues(entries)),
    ...toolIssues(entries),
    ...payloadIssues(entries),
    ...numberIssues(entries),
    ...lineIssues(skipped),
  ].sort((left, right) => (left.eventIndex ?? 0) - (right.eventIndex ?? 0));
  return { ok: issues.length === 0, issues, isOldLog, skipped };
}

/** A torn last line was never acknowledged, unlike a bad line between others. */
function lineIssues(skipped: readonly SkippedLine[]): ReplayIssue[] {
  return skipped
    .filter(({ reason }) => reason === 'unreadable')
    .map(({ line }) => ({
      code: 'LINE_UNREADABLE',
      message: `Line ${line} cannot be read and was left out.`,
    }));
}

/** Numbers may be skipped only where a process started to write, marked by `session_init`. */
function numberIssues(entries: readonly SessionLogEntry[]): ReplayIssue[] {
  return entries.flatMap((entry, eventIndex) => {
    const before = entries[eventIndex - 1]?.n;
    const { n } = entry;
    if (before === undefined || n === undefined || n <= before + 1) return [];
    if (isBeginning(entries, eventIndex)) return [];
    const message = `Entries ${before + 1} to ${n - 1} are missing.`;
    return [{ code: 'ENTRIES_MISSING' as const, message, eventIndex }];
  });
}

function isBeginning(entries: readonly SessionLogEntry[], index: number): boolean {
  const event = entries[index]?.event;
  return event === 'session_init' || event === 'session_renamed';
}

type ProviderEvidence =
  | 'provider_native_raw_payload'
  | 'provider_response_raw'
  | 'provider_response_normalized';

const EVIDENCE: readonly (readonly [ProviderEvidence, ReplayIssueCode, string])[] = [
  [
    'provider_native_raw_payload',
    'PROVIDER_NATIVE_RAW_PAYLOAD_MISSING',
    'no native response or stream event was recorded',
  ],
  ['provider_response_raw', 'PROVIDER_RESPONSE_RAW_MISSING', 'no raw response was recorded'],
  [
    'provider_response_normalized',
    'PROVIDER_RESPONSE_NORMALIZED_MISSING',
    'no normalized response was recorded',
  ],
];

function providerIssues(entries: readonly SessionLogEntry[]): ReplayIssue[] {
  const seen = new Set<string>();
  for (const entry of entries) {
    const isRequest = entry.payloadKind === 'request';
    if (!isRequest) seen.add(`${entry.event} ${roundKey(entry)}`);
  }
  return entries.flatMap((entry, eventIndex) => {
    if (entry.event !== 'provider_request' || isCutOff(entries, eventIndex)) return [];
    return EVIDENCE.filter(([event]) => !seen.has(`${event} ${roundKey(entry)}`)).map(
      ([, code, what]): ReplayIssue => ({
        code,
        message: `For a provider request ${what}.`,
        eventIndex,
        ...scopeOf(entry),
      }),
    );
  });
}

/** Events that explain a missing reply or result: the turn or the process ended. */
const ENDINGS: ReadonlySet<string> = new Set([
  'error',
  'compaction_failed',
  'session_init',
  'session_shutdown',
  'prompt',
  'user',
]);

/** True when the turn or the process ended before anything else could answer the entry at `index`. */
function isCutOff(entries: readonly SessionLogEntry[], index: number): boolean {
  for (let next = index + 1; next < entries.length; next++) {
    const entry = entries[next];
    if (entry === undefined) break;
    if (ENDINGS.has(entry.event)) return true;
    if (entry.event === 'turn_end') return entry.status !== 'completed';
    if (ANSWERS.has(entry.event)) return false;
  }
  // The log ends here: a turn was running, or the log is incomplete.
  return entries.slice(0, index).some(({ event }) => event === 'prompt' || event === 'pre_run');
}

const ANSWERS: ReadonlySet<string> = new Set([
  'assistant',
  'provider_request',
  'provider_response_raw',
  'provider_response_normalized',
]);

function toolIssues(entries: readonly SessionLogEntry[]): ReplayIssue[] {
  const requests = toolEvents(entries, 'tool_execution_request');
  const results = toolEvents(entries, 'tool_execution_result');
  const answerable = new Map(
    [...requests].filter(([, { eventIndex }]) => !isCutOff(entries, eventIndex)),
  );
  return [
    ...unmatched(answerable, results, 'TOOL_RESULT_MISSING'),
    ...unmatched(results, requests, 'TOOL_REQUEST_MISSING'),
  ];
}

interface ToolEvent {
  readonly entry: SessionLogEntry;
  readonly eventIndex: number;
}

function toolEvents(entries: readonly SessionLogEntry[], event: string): Map<string, ToolEvent> {
  const found = new Map<string, ToolEvent>();
  entries.forEach((entry, eventIndex) => {
    if (entry.event !== event) return;
    found.set(`${String(entry.executionId)}:${String(entry.toolCallId)}`, { entry, eventIndex });
  });
  return found;
}

function unmatched(
  events: ReadonlyMap<string, ToolEvent>,
  partners: ReadonlyMap<string, ToolEvent>,
  code: 'TOOL_RESULT_MISSING' | 'TOOL_REQUEST_MISSING',
): ReplayIssue[] {
  const lacks = code === 'TOOL_RESULT_MISSING' ? 'request has no result' : 'result has no request';
  return [...events]
    .filter(([key]) => !partners.has(key))
    .map(([, { entry, eventIndex }]) => ({
      code,
      message: `Tool ${String(entry.toolName)}: the ${lacks}.`,
      eventIndex,
      ...scopeOf(entry),
      toolCallId: String(entry.toolCallId),
    }));
}

/** Readers resolve every valid reference, so a remaining one is invalid. */
function payloadIssues(entries: readonly SessionLogEntry[]): ReplayIssue[] {
  return entries.flatMap((entry, eventIndex) =>
    unresolved(entry).map((path) => ({
      code: 'PAYLOAD_REFERENCE_INVALID' as const,
      message: `The external payload ${path} is missing, damaged or outside the log directory.`,
      eventIndex,
      ...scopeOf(entry),
    })),
  );
}

function unresolved(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ((value as { kind?: unknown }).kind === 'external-payload') {
    return [isExternalPayload(value) ? value.relativePath : 'without a path'];
  }
  // Lists behind a getter repeat messages that were checked where they were first written.
  return Object.keys(value).flatMap((key) => {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    return descriptor?.get ? [] : unresolved(descriptor?.value);
  });
}

function roundKey(entry: SessionLogEntry): string {
  return `${String(entry.executionId)}:${String(entry.round)}`;
}

function scopeOf(entry: SessionLogEntry): Pick<ReplayIssue, 'executionId' | 'round'> {
  return {
    ...(typeof entry.executionId === 'string' && { executionId: entry.executionId }),
    ...(typeof entry.round === 'number' && { round: entry.round }),
  };
}
