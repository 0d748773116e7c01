import type { ToolResultBlock } from '../blocks.ts';
import { asNumber, asRecord, asString, isRecord, type JsonRecord } from '../json-record.ts';
import { parsedIfJson, readableValue } from './readable-value.ts';

/** Tool output as readable text. */
export interface ToolOutputText {
  readonly text: string;
  readonly exitCode?: number;
  /** First line of an edit. */
  readonly startLine?: number;
}

/** Unwraps the envelopes agents put around tool output; other output is shown as it is. */
export function readToolOutput(result: ToolResultBlock): ToolOutputText {
  const reported = asNumber(asRecord(result.metadata).exitCode);
  const read = readValue(result.output);
  const exitCode = reported ?? read.exitCode;
  return exitCode === undefined ? read : { ...read, exitCode };
}

function readValue(output: unknown): ToolOutputText {
  if (Array.isArray(output)) {
    const text = readableValue(output);
    return isAllText(output) ? readText(text) : { text };
  }
  const value = typeof output === 'string' ? parsedIfJson(output) : output;
  if (typeof value === 'string') return readFailure(value) ?? readText(value);
  if (isRecord(value)) return readRecord(value);
  return { text: readableValue(value) };
}

function isAllText(parts: readonly unknown[]): boolean {
  return parts.every((part) => isRecord(part) && part.type === 'text');
}

/** A failed tool of ours gives the error as text, followed by an envelope with the same error. */
function readFailure(text: string): ToolOutputText | undefined {
  const at = text.lastIndexOf('\n{"success":false');
  const envelope = at < 0 ? undefined : parsedIfJson(text.slice(at + 1));
  if (!isRecord(envelope) || typeof envelope.error !== 'string') return undefined;
  const reason = text.slice(0, at).replace(/^Error: /, '');
  return reason === envelope.error ? readRecord(envelope) : undefined;
}

/** Our tools return `{success, output, error, exitCode}`, older Codex versions `{output, metadata}`. */
function readRecord(record: JsonRecord): ToolOutputText {
  const isEnvelope = 'success' in record && ('output' in record || 'error' in record);
  const isCodex = typeof record.output === 'string' && isRecord(record.metadata);
  if (!isEnvelope && !isCodex) return { text: readableValue(record) };
  const texts = [record.output, record.error].map(textOf).filter((text) => text !== '');
  const exitCode = asNumber(record.exitCode) ?? asNumber(asRecord(record.metadata).exit_code);
  const startLine = asNumber(record.startLine);
  return {
    text: [...new Set(texts)].join('\n').replace(/^\n+/, ''),
    ...(exitCode !== undefined && { exitCode }),
    ...(startLine !== undefined && { startLine }),
  };
}

function textOf(value: unknown): string {
  const text = asString(value);
  return text === undefined ? readableValue(value) : readableValue(parsedIfJson(text));
}

/** Text that agents add to the output for the model only. */
const WRAPPINGS: readonly RegExp[] = [
  /<\/?(?:tool_use_error|untrusted_context)>\n?/g,
  /^Process Group PGID: \d+\n?/gm,
  /^(?:Error: )?Tool Execution Error \([^)\n]*\): (?:Function tool execution failed: )?/g,
];

const EXIT_CODES: readonly RegExp[] = [
  /^Exit Code: (\d+)\n?/m,
  /^Exit code:? (\d+)\n?/,
  /^Process exited with code (\d+)\n?/m,
];

function readText(wrapped: string): ToolOutputText {
  const own = withoutReminders(wrapped);
  const bare = WRAPPINGS.reduce((rest, wrapping) => rest.replaceAll(wrapping, ''), own);
  const found = EXIT_CODES.map((pattern) => pattern.exec(bare)).find((match) => match !== null);
  const text = withoutReport(found ? bare.replace(found[0], '') : bare);
  return found ? { text, exitCode: Number(found[1]) } : { text };
}

function withoutReminders(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let start = text.indexOf(REMINDER); start !== -1; start = text.indexOf(REMINDER, from)) {
    const end = text.indexOf(REMINDER_END, start);
    if (end === -1) break;
    kept.push(text.slice(from, start));
    from = end + REMINDER_END.length;
    while (from < text.length && text.charAt(from).trim() === '') from += 1;
  }
  return kept.length === 0 ? text : `${kept.join('')}${text.slice(from)}`;
}

const REMINDER = '<system-reminder>';
const REMINDER_END = '</system-reminder>';

/** Removes the status lines some programs print before the output. */
function withoutReport(text: string): string {
  return text
    .replace(/^(?:Chunk ID: .*\n|Wall time:? .*\n|Original token count: .*\n)+/, '')
    .replace(/^Output: ?\n?/, '');
}
