import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SessionLogEntry } from '@robota-sdk/agent-core';
import {
  assertSessionId,
  loadSessionLogEntries,
  type ReplayIssue,
  readSessionLogEntries,
  redactText,
  replaySessionLogEntries,
  type SessionReplayRecord,
  SessionStore,
  validateSessionReplayLogEntries,
} from '@robota-sdk/agent-session';
import type { ConversationBlock, ConversationState } from '@robota-sdk/agent-transcript';
import { neutraliseEscapes } from '@robota-sdk/agent-transcript/blocks';
import { userPaths } from '../paths.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { SessionNotFoundError } from './session-errors.ts';

/** Where a session's log is looked for. */
export interface SessionLogPlace {
  /** Defaults to `~/.robota/logs`. */
  readonly logDirectory?: string | undefined;
}

/** A session's log, open for reading. */
export interface OpenSessionLog {
  readonly file: string;
  /** Streams the entries without holding the file in memory. */
  entries(): AsyncGenerator<SessionLogEntry>;
}

/** Throws `session_not_found` when there is no log. */
export function openSessionLog(id: string, place: SessionLogPlace = {}): OpenSessionLog {
  assertSessionId(id);
  const file = join(place.logDirectory ?? userPaths().logs, `${id}.jsonl`);
  if (!existsSync(file)) throw new SessionNotFoundError(id);
  return { file, entries: () => readSessionLogEntries(file) };
}

/** A session reconstructed from its log. */
export interface ReplayedSession {
  readonly file: string;
  /** The input of a replaying provider. */
  readonly entries: readonly SessionLogEntry[];
  readonly record: SessionReplayRecord;
  readonly blocks: readonly ConversationBlock[];
  readonly subagents: ConversationState['subagents'];
}

/** Reconstructs a session from its log alone. */
export function replaySession(id: string, place: SessionLogPlace = {}): ReplayedSession {
  const { file } = openSessionLog(id, place);
  const entries = loadSessionLogEntries(file);
  const logDirectory = dirname(file);
  const { blocks } = openSession(id, { store: undefined, logDirectory }) as OpenedSession;
  const record = replaySessionLogEntries(entries);
  const { blocks: shown, subagents } = blocks.state;
  return { file, entries, record, blocks: shown, subagents };
}

/** A saved session of this user, from its record and its log; throws `session_not_found`. */
export function openSavedSession(id: string): OpenedSession {
  assertSessionId(id);
  const { sessions, logs } = userPaths();
  const store = new SessionStore(sessions, { logDir: logs });
  // A file store is synchronous.
  return openSession(id, { store, logDirectory: logs }) as OpenedSession;
}

/** The problems of a session's log. */
export interface SessionValidation {
  readonly file: string;
  readonly ok: boolean;
  readonly entryCount: number;
  readonly issues: readonly ReplayIssue[];
  readonly skippedLines: number;
  readonly isOldLog: boolean;
  /** The result as text, with a numbered line for each issue. */
  readonly message: string;
}

/** Checks whether a log contains everything a replay needs. */
export function validateSession(id: string, place: SessionLogPlace = {}): SessionValidation {
  const { file } = openSessionLog(id, place);
  const entries = loadSessionLogEntries(file);
  const { ok, issues, skipped, isOldLog } = validateSessionReplayLogEntries(entries);
  const verdict = [
    ok ? 'Session replay log is valid.' : `Session replay log has ${issues.length} issue(s).`,
    `Log: ${file}`,
    `Entries: ${entries.length}`,
    ...issues.map((issue, index) => `${index + 1}. ${describeIssue(issue)}`),
  ].join('\n');
  // Tool names come from the log, which is untrusted.
  const message = neutraliseEscapes(redactText(verdict));
  const skippedLines = skipped.length;
  return { file, ok, entryCount: entries.length, issues, skippedLines, isOldLog, message };
}

function describeIssue({ code, message, executionId, round, toolCallId }: ReplayIssue): string {
  const facts = [
    executionId && `execution=${executionId}`,
    round !== undefined && `round=${round}`,
    toolCallId && `tool=${toolCallId}`,
  ].filter(Boolean);
  return facts.length > 0 ? `${code} (${facts.join(', ')}): ${message}` : `${code}: ${message}`;
}
