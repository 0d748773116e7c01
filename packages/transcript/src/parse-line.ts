import { isRecord, type JsonRecord } from './json-record.ts';

/** What a line of a transcript holds: a record, nothing at all, or something unreadable. */
export type ParsedLine = JsonRecord | 'blank' | 'unreadable';

/** A crash can leave a run of NUL bytes in front of a record, an editor a byte order mark; neither is part of it. */
export function parseLine(text: string): ParsedLine {
  const first = text.charCodeAt(0);
  const json = first === 0 || first === BYTE_ORDER_MARK ? text.replace(LEADING_NOISE, '') : text;
  if (json.length === 0 || json === '\r') return 'blank';
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : 'unreadable';
  } catch {
    return json.trim() === '' ? 'blank' : 'unreadable';
  }
}

const BYTE_ORDER_MARK = 0xfeff;

// Matching NUL is the purpose of this expression, so it is built from its code.
const LEADING_NOISE = new RegExp(`^[${String.fromCharCode(0, BYTE_ORDER_MARK)}]+`);
