import type { EndedBy } from '@robota-sdk/agent-core';
import { type LiveQuestion, type PermissionRequest, redactText } from '@robota-sdk/agent-sdk';
import { neutraliseEscapes, type StreamEvent } from '@robota-sdk/agent-transcript';

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
  /** Why the session is not being saved; undefined while it is. */
  readonly saveProblem: string | undefined;
}

/** A tool call that nobody could approve. */
export interface Denial {
  readonly toolName: string;
  readonly argument: string;
  readonly reason: string | undefined;
}

/** One output format. Machine output goes to `output`, words for people to `notes`. */
export interface HeadlessWriter {
  init(facts: Readonly<Record<string, unknown>>): void;
  streamEvent(event: StreamEvent, sequence: number, sessionId: string): void;
  permissionRequest(request: PermissionRequest, sessionId: string): void;
  /** A question that wants more than a yes or no. */
  question(question: LiveQuestion, sessionId: string): void;
  result(result: HeadlessResult): void;
}

export function createWriter(
  format: HeadlessFormat,
  output: TextSink,
  notes: TextSink,
): HeadlessWriter {
  switch (format) {
    case 'text':
      return textWriter(output, notes);
    case 'json':
      return { ...SILENT, result: (result) => writeLine(output, resultLine(result)) };
    case 'stream-json':
      return streamWriter(output);
  }
}

const SILENT: Omit<HeadlessWriter, 'result'> = {
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

function denialText({ toolName, argument, reason }: Denial): string {
  const why = reason ? ` ${reason}` : '';
  return `Denied: ${toolName}(${argument}).${why} Nobody could be asked; --allowed-tools or --permission-mode can allow it.`;
}

function streamWriter(output: TextSink): HeadlessWriter {
  return {
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
  return {
    type: 'result',
    subtype: result.subtype,
    result: result.result,
    session_id: result.sessionId,
    usage: result.usage ?? null,
    ...(result.endedBy && { ended_by: result.endedBy }),
    ...(result.errorCode && { error_code: result.errorCode }),
    ...(result.saveProblem && { save_problem: redactText(result.saveProblem) }),
    ...(result.denials.length > 0 && {
      permission_denials: result.denials.map(({ toolName, argument, reason }) => ({
        tool_name: toolName,
        argument,
        ...(reason && { reason }),
      })),
    }),
  };
}

function writeLine(output: TextSink, value: object): void {
  output.write(`${JSON.stringify(value)}\n`);
}
