import type { EndedBy } from '@robota-sdk/agent-core';
import type { DeniedBy } from '@robota-sdk/agent-core/log';
import {
  type LiveQuestion,
  type ModelCost,
  type PermissionRequest,
  redactText,
  type ToolState,
} from '@robota-sdk/agent-sdk';
import { neutraliseEscapes, type StreamEvent } from '@robota-sdk/agent-transcript';

/** Output format of the headless transport. */
export type HeadlessFormat = 'text' | 'json' | 'stream-json';

/** Accepts text: a stream, or an array in a test. */
export interface TextSink {
  write(text: string): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean | undefined;
}

/** The result of a run, for scripts. */
export interface HeadlessResult {
  readonly subtype: 'success' | 'error' | 'interrupted';
  readonly result: string;
  readonly sessionId: string;
  readonly usage: unknown;
  readonly errorCode: string | undefined;
  /** Undefined when there was no turn. */
  readonly endedBy: EndedBy | undefined;
  readonly denials: readonly Denial[];
  /** The value, when a schema was given. */
  readonly structuredOutput?: unknown;
  /** Why the session cannot be saved; undefined when it can. */
  readonly saveProblem: string | undefined;
  /** Model requests made for this result. */
  readonly turns: number;
  readonly durationMs: number;
  /** Costs of the session so far by model; undefined for formats that do not print them. */
  readonly costs: readonly ModelCost[] | undefined;
}

/** A denied tool call. */
export interface Denial {
  readonly toolName: string;
  readonly argument: string;
  readonly reason: string | undefined;
  readonly deniedBy: DeniedBy | undefined;
}

/** One output format. Machine output goes to `output`, messages for users to `notes`. */
export interface HeadlessWriter {
  /** Prices are loaded only for formats that print them. */
  readonly wantsCosts: boolean;
  /** Called for every finished tool call. */
  tool(tool: ToolState): void;
  init(facts: Readonly<Record<string, unknown>>): void;
  streamEvent(event: StreamEvent, sequence: number, sessionId: string): void;
  permissionRequest(request: PermissionRequest, sessionId: string): void;
  /** A question that needs more than allow or deny. */
  question(question: LiveQuestion, sessionId: string): void;
  result(result: HeadlessResult): void;
}

export interface WriterOptions {
  readonly format: HeadlessFormat;
  readonly output: TextSink;
  readonly notes: TextSink;
  /** The text format also notes every tool call. */
  readonly verbose: boolean;
}

export function createWriter({ format, output, notes, verbose }: WriterOptions): HeadlessWriter {
  switch (format) {
    case 'text':
      return { ...textWriter(output, notes), ...(verbose && { tool: toolNotes(notes) }) };
    case 'json':
      return {
        ...SILENT,
        wantsCosts: true,
        result: (result) => writeLine(output, resultLine(result)),
      };
    case 'stream-json':
      return streamWriter(output);
  }
}

const SILENT: Omit<HeadlessWriter, 'result'> = {
  wantsCosts: false,
  tool: () => undefined,
  init: () => undefined,
  streamEvent: () => undefined,
  permissionRequest: () => undefined,
  question: () => undefined,
};

function textWriter(output: TextSink, notes: TextSink): HeadlessWriter {
  return {
    ...SILENT,
    result(ended) {
      const { subtype, result, errorCode } = ended;
      // Escape sequences are neutralised for a terminal only; files and pipes get every byte.
      const answer = output.isTTY ? neutraliseEscapes(result) : result;
      if (subtype !== 'error' && result !== '') output.write(`${answer}\n`);
      for (const note of notesOn(ended)) notes.write(`${shown(note)}\n`);
      if (subtype !== 'error') return;
      notes.write(`robota: ${shown(result)}${errorCode ? ` [${errorCode}]` : ''}\n`);
    },
  };
}

function toolNotes(notes: TextSink): HeadlessWriter['tool'] {
  return ({ toolName, firstArg, result }) =>
    notes.write(`${shown(`${toolName}(${firstArg}): ${result ?? 'done'}`)}\n`);
}

/** What the user should know besides the answer. */
function notesOn({ subtype, denials, endedBy, saveProblem }: HeadlessResult): string[] {
  const ending = endedBy && ENDINGS[endedBy];
  return [
    ...denials.map(denialText),
    ...(ending ? [ending] : []),
    ...(subtype === 'interrupted' ? ['Interrupted.'] : []),
    ...(saveProblem === undefined ? [] : [`robota: ${saveProblem}`]),
  ];
}

/** Notes go to a terminal and quote untrusted text. */
function shown(note: string): string {
  return neutraliseEscapes(redactText(note));
}

/** Explains an incomplete answer. */
const ENDINGS: Partial<Record<EndedBy, string>> = {
  max_tokens: 'The answer was cut off at its token limit.',
  refusal: 'The model refused to answer.',
};

function denialText({ toolName, argument, reason, deniedBy }: Denial): string {
  const sentences = [`Denied: ${toolName}(${argument}).`, reason && endedSentence(reason)];
  return [...sentences, deniedBy && HOW_TO_ALLOW[deniedBy]].filter(Boolean).join(' ');
}

function endedSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** How the call could be allowed, by who denied it. */
const HOW_TO_ALLOW: Readonly<Record<DeniedBy, string>> = {
  nobody: 'Nobody could be asked; --allowed-tools or --permission-mode can allow it.',
  mode: 'Another --permission-mode can allow it.',
  rule: 'A deny rule holds in every mode; only a change of it allows the call.',
  hook: '',
  person: '',
};

function streamWriter(output: TextSink): HeadlessWriter {
  return {
    ...SILENT,
    wantsCosts: true,
    init: (facts) => writeLine(output, { type: 'init', ...facts }),
    streamEvent: (event, seq, sessionId) =>
      writeLine(output, { type: 'stream_event', event, session_id: sessionId, seq }),
    permissionRequest: ({ requestId, toolName, toolArgs, explanation }, sessionId) =>
      writeLine(output, {
        type: 'permission_request',
        request_id: requestId,
        tool_name: toolName,
        input: toolArgs,
        ...(explanation && { reason: explanation.reason, pattern: explanation.suggestedPattern }),
        session_id: sessionId,
      }),
    question: (question, sessionId) =>
      writeLine(output, { type: 'question', question, session_id: sessionId }),
    result: (result) => writeLine(output, resultLine(result)),
  };
}

function resultLine(result: HeadlessResult): object {
  const { costs = [], usage } = result;
  const costUsd = sumOf(costs);
  return {
    type: 'result',
    subtype: result.subtype,
    // Scripts that read only this would take false to mean that the session can be resumed.
    is_error: result.subtype !== 'success' || result.saveProblem !== undefined,
    result: result.result,
    stop_reason: result.endedBy ? STOP_REASONS[result.endedBy] : null,
    session_id: result.sessionId,
    num_turns: result.turns,
    duration_ms: Math.round(result.durationMs),
    total_cost_usd: costUsd,
    usage: usage ? { ...usage, ...(costUsd !== null && { costStatus: 'known' }) } : null,
    model_usage: Object.fromEntries(costs.map((cost) => [cost.model, modelUsage(cost)])),
    ...(result.structuredOutput !== undefined && { structured_output: result.structuredOutput }),
    ...(result.endedBy && { ended_by: result.endedBy }),
    ...(result.errorCode && { error_code: result.errorCode }),
    ...(result.saveProblem && { save_problem: redactText(result.saveProblem) }),
    ...(result.denials.length > 0 && {
      permission_denials: result.denials.map(({ toolName, argument, reason, deniedBy }) => ({
        tool_name: toolName,
        argument,
        ...(reason && { reason }),
        ...(deniedBy && { denied_by: deniedBy }),
      })),
    }),
  };
}

/** Why the model stopped, with Claude's names for compatibility; `ended_by` has our own. */
const STOP_REASONS: Readonly<Record<EndedBy, string>> = {
  answer: 'end_turn',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  abort: 'interrupted',
  error: 'error',
  round_cap: 'max_turns',
  unknown_tools: 'unknown_tools',
  context_full: 'context_full',
  empty_reply: 'empty_reply',
  budget: 'budget',
  hook_stopped: 'hook_stopped',
};

/** Null when no price is known, which does not mean free. */
function sumOf(costs: readonly ModelCost[]): number | null {
  const known = costs.flatMap(({ costUsd }) => costUsd ?? []);
  if (known.length === 0) return costs.length === 0 ? 0 : null;
  return known.reduce((sum, cost) => sum + cost, 0);
}

function modelUsage({ requests, usage, costUsd }: ModelCost): object {
  return {
    requests,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens ?? 0,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
    cost_usd: costUsd,
  };
}

function writeLine(output: TextSink, value: object): void {
  output.write(`${JSON.stringify(value)}\n`);
}
