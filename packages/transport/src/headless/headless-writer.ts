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

/** How answers are written. */
export type HeadlessFormat = 'text' | 'json' | 'stream-json';

/** Anything that takes text: a stream, or a list in a test. */
export interface TextSink {
  write(text: string): unknown;
  /** True for a terminal. */
  readonly isTTY?: boolean | undefined;
}

/** What a run came to, as a script reads it. */
export interface HeadlessResult {
  readonly subtype: 'success' | 'error' | 'interrupted';
  readonly result: string;
  readonly sessionId: string;
  readonly usage: unknown;
  readonly errorCode: string | undefined;
  /** How the turn ended; undefined where there was none. */
  readonly endedBy: EndedBy | undefined;
  readonly denials: readonly Denial[];
  /** The value, where one was asked for by a schema. */
  readonly structuredOutput?: unknown;
  /** Why the session is not being saved; undefined while it is. */
  readonly saveProblem: string | undefined;
  /** Times a model was asked for this result. */
  readonly turns: number;
  readonly durationMs: number;
  /** What every model was asked in this session so far; undefined where nobody reads it. */
  readonly costs: readonly ModelCost[] | undefined;
}

/** A tool call that was not allowed to run. */
export interface Denial {
  readonly toolName: string;
  readonly argument: string;
  readonly reason: string | undefined;
  readonly deniedBy: DeniedBy | undefined;
}

/** One output format. Machine output goes to `output`, words for people to `notes`. */
export interface HeadlessWriter {
  /** Prices are loaded only for somebody who reads them. */
  readonly wantsCosts: boolean;
  /** A call that ended, for formats that tell of it. */
  tool(tool: ToolState): void;
  init(facts: Readonly<Record<string, unknown>>): void;
  streamEvent(event: StreamEvent, sequence: number, sessionId: string): void;
  permissionRequest(request: PermissionRequest, sessionId: string): void;
  /** A question that wants more than a yes or no. */
  question(question: LiveQuestion, sessionId: string): void;
  result(result: HeadlessResult): void;
}

export interface WriterOptions {
  readonly format: HeadlessFormat;
  readonly output: TextSink;
  readonly notes: TextSink;
  /** Text tells of every tool call, too. */
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
      // A terminal is steered by what is written to it; a file or a pipe gets every byte.
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

/** What a person should know beside the answer. */
function notesOn({ subtype, denials, endedBy, saveProblem }: HeadlessResult): string[] {
  const ending = endedBy && ENDINGS[endedBy];
  return [
    ...denials.map(denialText),
    ...(ending ? [ending] : []),
    ...(subtype === 'interrupted' ? ['Interrupted.'] : []),
    ...(saveProblem === undefined ? [] : [`robota: ${saveProblem}`]),
  ];
}

/** Notes go to a terminal, and quote tools, servers and files. */
function shown(note: string): string {
  return neutraliseEscapes(redactText(note));
}

/** What a reader has to know of an answer that is not whole. */
const ENDINGS: Partial<Record<EndedBy, string>> = {
  max_tokens: 'The answer was cut off at its token limit.',
  refusal: 'The model refused to answer.',
};

function denialText({ toolName, argument, reason, deniedBy }: Denial): string {
  const words = [`Denied: ${toolName}(${argument}).`, reason && endedSentence(reason)];
  return [...words, deniedBy && WHAT_ALLOWS[deniedBy]].filter(Boolean).join(' ');
}

function endedSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** What would let the call run, by who denied it. */
const WHAT_ALLOWS: Readonly<Record<DeniedBy, string>> = {
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
    // Whoever reads only this takes false for an answer that can be come back to.
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

/** Why the model stopped, in the words that programs know from Claude; our own beside it is `ended_by`. */
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

/** Null where no price is known, which is never the same as free. */
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
