import { isRecord, type JsonRecord } from './json-record.ts';

/** A transcript line: a record, blank, or unreadable. */
export type ParsedLine = JsonRecord | 'blank' | 'unreadable';

/** Ignores the NUL bytes a crash can leave before a record, and the byte order mark an editor can add. */
export function parseLine(text: string): ParsedLine {
  const json = withoutLeadingNoise(text);
  if (json.length === 0 || json === '\r') return 'blank';
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) && !isTooDeep(value, json.length) ? value : 'unreadable';
  } catch {
    return json.trim() === '' ? 'blank' : 'unreadable';
  }
}

/**
 * Whether a record is nested more deeply than any program writes. Everything that walks a value recursively, such as
 * `JSON.stringify`, would fail on it later.
 */
function isTooDeep(record: JsonRecord, length: number): boolean {
  // Every level takes at least an opening and a closing bracket.
  if (length < 2 * MAX_DEPTH) return false;
  let level: object[] = [record];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const below: object[] = [];
    for (const value of level) {
      for (const field of Object.values(value) as unknown[]) {
        if (typeof field === 'object' && field !== null) below.push(field);
      }
    }
    level = below;
  }
  return false;
}

/** `structuredClone` fails between 2,000 and 4,000 levels. */
const MAX_DEPTH = 2000;

/** The line without what a crash or an editor left before its record. */
export function withoutLeadingNoise(text: string): string {
  const first = text.charCodeAt(0);
  return first === 0 || first === BYTE_ORDER_MARK ? text.replace(LEADING_NOISE, '') : text;
}

const BYTE_ORDER_MARK = 0xfeff;

// Built from character codes because linters reject a literal NUL in an expression.
const LEADING_NOISE = new RegExp(`^[${String.fromCharCode(0, BYTE_ORDER_MARK)}]+`);
