/** One tool call as user interfaces show it. */
export interface ToolState {
  readonly toolName: string;
  readonly firstArg: string;
  readonly isRunning: boolean;
  readonly result?: 'success' | 'error' | 'denied';
  readonly diffLines?: readonly DiffLine[];
  readonly diffFile?: string;
  /** Distinguishes parallel calls of one tool. */
  readonly toolCallId?: string;
  readonly toolResultData?: string;
  readonly errorCode?: string;
  /** Why it was denied, blocked or failed. */
  readonly reason?: string;
  /** Who denied it; undefined if unknown. */
  readonly deniedBy?: DeniedBy;
}

/** Who kept a call from running; `nobody` means that there was nobody to ask. */
export type DeniedBy = 'rule' | 'mode' | 'hook' | 'person' | 'nobody';

const DENIERS: readonly DeniedBy[] = ['rule', 'mode', 'hook', 'person', 'nobody'];

/**
 * One line of a diff. `lineNumber` counts from 1: in the new file for added and context lines, in the old one for
 * removed lines.
 */
export interface DiffLine {
  readonly type: 'hunk' | 'context' | 'add' | 'remove';
  readonly text: string;
  readonly lineNumber: number;
}

/** A finished call in the summary of a turn. */
export interface ToolSummary extends ToolState {
  readonly name: string;
  readonly args: string;
}

/** Tool state as it is kept in the summary of a turn. */
export function summarizeTool(state: ToolState): ToolSummary {
  return { name: state.toolName, args: state.firstArg, ...state };
}

const MAX_ARGUMENT = 80;

/** The first argument for display; a long one keeps both ends. */
export function firstArgumentOf(parameters: unknown): string {
  const [first] = Object.values((parameters ?? {}) as object) as unknown[];
  if (first === undefined || first === null) return '';
  const text = typeof first === 'string' ? first : (JSON.stringify(first) ?? '');
  return text.length > MAX_ARGUMENT ? `${text.slice(0, 47)}...${text.slice(-30)}` : text;
}

/** The fields of a `tool_execution_result` entry. */
export interface ToolResultFields {
  readonly success?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  readonly errorCode?: unknown;
  readonly metadata?: unknown;
}

/** State changes that follow from the result of a tool call. */
export function endOfTool(fields: ToolResultFields): Partial<ToolState> {
  const { error, errorCode, metadata } = fields;
  const result = resultOf(fields);
  const { diff, deniedBy } = (metadata ?? {}) as {
    readonly diff?: Partial<ToolState>;
    readonly deniedBy?: unknown;
  };
  const denier = result === 'denied' && DENIERS.find((known) => known === deniedBy);
  return {
    isRunning: false,
    result,
    ...(result === 'success' && diff),
    toolResultData: resultText(fields),
    ...(typeof errorCode === 'string' && { errorCode }),
    ...(typeof error === 'string' && { reason: error }),
    ...(denier && { deniedBy: denier }),
  };
}

/** True if a rule, a hook or the user kept the call from running. */
export function isDenied(errorCode: unknown): boolean {
  return errorCode === 'denied' || errorCode === 'blocked';
}

/** The outcome as one text, for callbacks and the timeline. */
export function resultText({
  success,
  result,
  error,
  errorCode,
  metadata,
}: ToolResultFields): string {
  if (errorCode === 'unknown_tool' || errorCode === 'invalid_arguments') {
    return JSON.stringify({ success, error, errorCode, ...(metadata as object | undefined) });
  }
  if (result === undefined) {
    return JSON.stringify({ success, output: '', ...(error !== undefined && { error }) });
  }
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}

function resultOf(fields: ToolResultFields): NonNullable<ToolState['result']> {
  if (isDenied(fields.errorCode)) return 'denied';
  return fields.success === true && !reportsFailure(fields) ? 'success' : 'error';
}

/** Tools report expected failures inside a successful outcome. */
function reportsFailure({ result }: ToolResultFields): boolean {
  if (typeof result === 'object' && result !== null) {
    return (result as { readonly success?: unknown }).success === false;
  }
  if (typeof result !== 'string' || !result.startsWith('{')) return false;
  try {
    return (JSON.parse(result) as { readonly success?: unknown }).success === false;
  } catch {
    return false;
  }
}
