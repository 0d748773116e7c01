import { asNumber, asRecord, asString, compact, isRecord } from '../../json-record.ts';
import { toToolParts } from './message-content.ts';

/** Output of a tool, and the outcome it implies. */
export interface ToolAnswer {
  readonly output: unknown;
  /** Absent if the output does not show it. */
  readonly failed?: boolean | undefined;
  readonly exitCode?: number;
  readonly durationMs?: number;
}

/** Reads tool output of all versions: text with a header, a JSON envelope (until 0.98), or parts. */
export function toToolAnswer(value: unknown): ToolAnswer {
  if (typeof value === 'string') return textAnswer(value);
  if (Array.isArray(value)) return { output: toToolParts(value), failed: failedScript(value) };
  if (!isRecord(value)) return { output: value ?? '', failed: undefined };
  const success = typeof value.success === 'boolean' ? value.success : undefined;
  const inner = value.content === undefined ? { output: value } : toToolAnswer(value.content);
  return { ...inner, failed: success === undefined ? undefined : !success };
}

function textAnswer(text: string): ToolAnswer {
  const envelope = text.startsWith('{"output":') ? parseObject(text) : undefined;
  if (envelope !== undefined) {
    const about = asRecord(envelope.metadata);
    const exitCode = asNumber(about.exit_code);
    const seconds = asNumber(about.duration_seconds);
    return compact({
      output: asString(envelope.output) ?? envelope.output ?? '',
      failed: exitCode === undefined ? undefined : exitCode !== 0,
      exitCode,
      durationMs: seconds === undefined ? undefined : asNumber(Math.round(seconds * 1000)),
    });
  }
  const exitCode = readExitCode(text);
  if (exitCode !== undefined) {
    return { output: withoutHeader(text), failed: exitCode !== 0, exitCode };
  }
  return { output: text, failed: FAILURES.test(text) ? true : undefined };
}

/** Reads the exit code from the header only, never from the command's own output. */
function readExitCode(text: string): number | undefined {
  const head = text.slice(0, HEADER_LENGTH);
  const end = head.indexOf('\nOutput:');
  const header = end === -1 ? head : head.slice(0, end + 1);
  const found = EXIT_CODE.exec(header) ?? PATCH_EXIT_CODE.exec(head);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** The command's own output; the header's facts are in separate fields. */
function withoutHeader(text: string): string {
  const printed = HEADER.exec(text)?.[0].length;
  if (printed === undefined) return text;
  const rest = text.slice(printed);
  return HEADER.test(rest) ? withoutHeader(rest) : rest;
}

const HEADER =
  /^(?:(?:Chunk ID|Wall time|Exit code|Original token count|Process exited with code)[^\n]*\n)+Output:\n/;
const HEADER_LENGTH = 400;
const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d+)$/m;
/** A patch recognised inside a shell command has two headers. */
const PATCH_EXIT_CODE = /^Wall time: [^\n]*\nOutput:\nExit code: (-?\d+)\n/;

function failedScript(parts: readonly unknown[]): boolean | undefined {
  const first = asString(asRecord(parts[0]).text);
  if (first === undefined) return undefined;
  return /^Script (?:failed|error|terminated)/.test(first) ? true : textAnswer(first).failed;
}

/** Texts with which the program reports that a tool was refused or did not run. */
const FAILURES =
  /^(?:unsupported (?:custom tool )?call\b|failed to parse function arguments|apply_patch verification failed|[a-z_]+ failed (?:for `|in sandbox)|[a-z_]+ failed:|failed in sandbox|execution error|approval policy is|aborted(?: by user)?\b|Wall time: [^\n]*\naborted by user|rejected\b|patch rejected|command (?:was )?rejected|command timed out|exec_command is unavailable|unknown process|tool call (?:error|rejected)|user (?:rejected|cancelled|denied)|err:|error:|agent with id .* not found|no agent)/i;

export function parseObject(text: string): ReturnType<typeof asRecord> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
