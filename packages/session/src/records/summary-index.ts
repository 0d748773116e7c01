import { join } from 'node:path';
import { redact } from '../log/redact.ts';
import { readIfPresent, writeWhole } from './private-files.ts';
import type { SessionRecord, SessionSummary } from './session-record.ts';

interface IndexedSummary {
  /** Times and sizes of the files the summary was built from. */
  readonly stamp: string;
  readonly summary: SessionSummary;
}

type SummaryIndex = Record<string, IndexedSummary>;

interface RecordFile {
  readonly id: string;
  readonly stamp: string;
}

const PREVIEW_LENGTH = 120;

/** Loads only records that changed since the index was written; the index may be deleted at any time. */
export function listRecordSummaries(
  directory: string,
  files: readonly RecordFile[],
  load: (id: string) => SessionRecord | undefined,
): SessionSummary[] {
  const path = join(directory, '.summaries.index');
  const index = readIndex(path);
  const next: SummaryIndex = {};
  let changed = Object.keys(index).length !== files.length;
  for (const { id, stamp } of files) {
    const known = index[id];
    if (known?.stamp === stamp) {
      next[id] = known;
      continue;
    }
    changed = true;
    const record = load(id);
    if (record) next[id] = { stamp, summary: summarize(record) };
  }
  if (changed && files.length > 0) tryWriteIndex(path, next);
  return Object.values(next).map(({ summary }) => summary);
}

function summarize(record: SessionRecord): SessionSummary {
  return {
    id: record.id,
    ...(record.name === undefined ? {} : { name: record.name }),
    cwd: record.cwd,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    messageCount: record.messages.length,
    preview: preview(record.messages),
  };
}

function preview(messages: readonly unknown[]): string {
  const text = lastAssistantText(messages).replace(/\s+/g, ' ').trim();
  return String(redact(text.slice(0, PREVIEW_LENGTH * 2))).slice(0, PREVIEW_LENGTH);
}

function lastAssistantText(messages: readonly unknown[]): string {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as { role?: unknown; content?: unknown } | null;
    if (message?.role === 'assistant' && typeof message.content === 'string' && message.content) {
      return message.content;
    }
  }
  return '';
}

function readIndex(path: string): SummaryIndex {
  try {
    const value: unknown = JSON.parse(readIfPresent(path) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as SummaryIndex) : {};
  } catch {
    // A damaged or unreadable index is rebuilt from the records.
    return {};
  }
}

function tryWriteIndex(path: string, index: SummaryIndex): void {
  try {
    writeWhole(path, JSON.stringify(index));
  } catch {
    // A read-only directory can still be listed.
  }
}
