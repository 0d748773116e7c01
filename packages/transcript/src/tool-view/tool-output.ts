import type { ToolResultBlock } from '../blocks.ts';
import { asNumber, asRecord, asString, isRecord, type JsonRecord } from '../json-record.ts';
import { parsedIfJson, readableValue } from './readable-value.ts';

/** What a tool answered, as a person reads it. */
export interface ToolOutputText {
  readonly text: string;
  readonly exitCode?: number;
  /** Where an edit began in its file. */
  readonly startLine?: number;
}

/** Reads the envelopes in which agents wrap what a tool said; what has none is shown as it is. */
export function readToolOutput(result: ToolResultBlock): ToolOutputText {
  const told = asNumber(asRecord(result.metadata).exitCode);
  const read = readValue(result.output);
  const exitCode = told ?? read.exitCode;
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

/** A tool of ours that failed says why, and on the next line its envelope says it again for the model. */
function readFailure(text: string): ToolOutputText | undefined {
  const at = text.lastIndexOf('\n{"success":false');
  const envelope = at < 0 ? undefined : parsedIfJson(text.slice(at + 1));
  if (!isRecord(envelope) || typeof envelope.error !== 'string') return undefined;
  const why = text.slice(0, at).replace(/^Error: /, '');
  return why === envelope.error ? readRecord(envelope) : undefined;
}

/** Our tools answer `{success, output, error, exitCode}`, Codex once answered `{output, metadata}`. */
function readRecord(record: JsonRecord): ToolOutputText {
  const isEnvelope = 'success' in record && ('output' in record || 'error' in record);
  const isCodex = typeof record.output === 'string' && isRecord(record.metadata);
  if (!isEnvelope && !isCodex) return { text: readableValue(record) };
  const said = [record.output, record.error].map(textOf).filter((text) => text !== '');
  const exitCode = asNumber(record.exitCode) ?? asNumber(asRecord(record.metadata).exit_code);
  const startLine = asNumber(record.startLine);
  return {
    text: [...new Set(said)].join('\n').replace(/^\n+/, ''),
    ...(exitCode !== undefined && { exitCode }),
    ...(startLine !== undefined && { startLine }),
  };
}

function textOf(value: unknown): string {
  const text = asString(value);
  return text === undefined ? readableValue(value) : readableValue(parsedIfJson(text));
}

/** Text that agents put around the output for the model's eyes only. */
const WRAPPINGS: readonly RegExp[] = [
  /<system-reminder>[\s\S]*?<\/system-reminder>\s*/g,
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
  const bare = WRAPPINGS.reduce((rest, wrapping) => rest.replaceAll(wrapping, ''), wrapped);
  const found = EXIT_CODES.map((pattern) => pattern.exec(bare)).find((match) => match !== null);
  const text = withoutReport(found ? bare.replace(found[0], '') : bare);
  return found ? { text, exitCode: Number(found[1]) } : { text };
}

/** The lines in which a program reports on itself before what the command printed. */
function withoutReport(text: string): string {
  return text
    .replace(/^(?:Chunk ID: .*\n|Wall time:? .*\n|Original token count: .*\n)+/, '')
    .replace(/^Output: ?\n?/, '');
}
