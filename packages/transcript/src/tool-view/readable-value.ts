import { isRecord, type JsonRecord } from '../json-record.ts';

/** Deeper values are shown as `…`. */
const MAX_DEPTH = 6;

/** Formats any value for reading: fields as `name: value`, lists with dashes, never as JSON. */
export function readableValue(value: unknown): string {
  return linesOf(value, 0).join('\n');
}

/** Parses a text that is JSON; returns the text itself otherwise. */
export function parsedIfJson(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed)) return text;
  try {
    return JSON.parse(trimmed);
  } catch {
    // Not JSON after all.
    return text;
  }
}

function linesOf(value: unknown, depth: number): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split('\n');
  if (Array.isArray(value)) return value.flatMap((item) => itemLines(item, depth));
  if (isRecord(value)) return fieldLines(value, depth);
  return [String(value)];
}

function itemLines(item: unknown, depth: number): string[] {
  if (isRecord(item) && item.type === 'text' && typeof item.text === 'string') {
    return item.text.split('\n');
  }
  if (isRecord(item) && (item.type === 'image' || item.type === 'document')) {
    return [`[${item.type}]`];
  }
  if (depth >= MAX_DEPTH) return ['…'];
  const [first = '', ...rest] = linesOf(item, depth + 1);
  return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
}

function fieldLines(record: JsonRecord, depth: number): string[] {
  if (depth >= MAX_DEPTH) return ['…'];
  return Object.entries(record).flatMap(([name, field]) => {
    const lines = linesOf(field, depth + 1);
    const [first = ''] = lines;
    const isShort = lines.length <= 1 && !isNested(field);
    if (isShort) return first === '' ? [] : [`${name}: ${first}`];
    return [`${name}:`, ...lines.map((line) => `  ${line}`)];
  });
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
