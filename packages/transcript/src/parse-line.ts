import { isRecord, type JsonRecord } from './json-record.ts';

/** What a line of a transcript holds: a record, nothing at all, or something unreadable. */
export type ParsedLine = JsonRecord | 'blank' | 'unreadable';

/** A crash can leave a run of NUL bytes in front of the next record; they are not part of it. */
export function parseLine(text: string): ParsedLine {
  const json = text.charCodeAt(0) === 0 ? text.replace(LEADING_NULS, '') : text;
  if (json.length === 0 || json === '\r') return 'blank';
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : 'unreadable';
  } catch {
    return json.trim() === '' ? 'blank' : 'unreadable';
  }
}

// Matching NUL is the purpose of this expression, so it is built from its code.
const LEADING_NULS = new RegExp(`^${String.fromCharCode(0)}+`);
