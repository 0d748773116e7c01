import {
  type AssistantMessage,
  createToolMessage,
  type Message,
  OUTCOME_UNKNOWN_TEXT,
  repairToolPairs,
  type ToolMessage,
} from '@robota-sdk/agent-core';
import type { EntryFields, OpenCall, OpenTurn, SessionState } from '@robota-sdk/agent-core/log';
import { reviveDates } from '../revive-dates.ts';
import { lostShellLine } from '../shell-line.ts';

/** How an unfinished turn of an ended process is recovered. */
export interface Recovery {
  /** The repaired conversation. */
  readonly messages: readonly Message[];
  /** The messages that are not in the log. */
  readonly added: readonly Message[];
  readonly entries: readonly { readonly event: string; readonly fields: EntryFields }[];
}

const NOT_RUN_TEXT =
  'Error: This tool call was not executed: the session ended before it was allowed to run.';
const CUT_OFF = 'The process ended before this turn was finished.';

/**
 * Recovers a session that ended in mid-turn: calls get their recorded result, *outcome unknown* if they may have run,
 * *not run* if they certainly did not; text already shown becomes an interrupted reply.
 */
export function recoverTurn(state: Readonly<SessionState>): Recovery {
  const logged = reviveDates(state.messages);
  const { turn } = state;
  const tail: Message[] = [
    ...openAnswers(logged, state),
    ...(turn ? interruptedReply(turn, state) : []),
    ...(state.shellLine ? [lostShellLine(state.shellLine)] : []),
  ];
  const settled = [...logged, ...tail];
  const messages = repairToolPairs(settled);
  const known = new Set(logged);
  const added = messages.filter((message) => !known.has(message));
  const isAppended =
    messages.length === logged.length + added.length &&
    messages.every((message, index) => index >= logged.length || message === logged[index]);
  const mutations = isAppended
    ? added.map((message, index) => appended(message, logged.length + index, turn))
    : [{ event: 'history_mutation', fields: replaced(messages) }];
  return { messages, added, entries: [...mutations, ...questionsOf(state), ...endOf(turn)] };
}

function openAnswers(
  logged: readonly Message[],
  { turn, calls: open }: Readonly<SessionState>,
): ToolMessage[] {
  const at = logged.findLastIndex((message) => message.role === 'assistant');
  const calls = (logged[at] as AssistantMessage | undefined)?.toolCalls ?? [];
  const answered = new Set(
    logged.slice(at + 1).flatMap((message) => (message.role === 'tool' ? message.toolCallId : [])),
  );
  return calls
    .filter((call) => !answered.has(call.id))
    .flatMap((call) => {
      const found = open[call.id];
      // Logs of version 0.1 do not record which calls started, and without a turn missing requests prove nothing.
      const mayHaveRun = turn === null || turn.isOld === true;
      if (found === undefined && mayHaveRun) return [];
      return answerTo(call.id, call.function.name, { ...NEVER_STARTED, ...found }, mayHaveRun);
    });
}

const NEVER_STARTED: OpenCall = { toolName: '', parameters: {}, hasStarted: false };

function answerTo(
  toolCallId: string,
  toolName: string,
  call: OpenCall,
  mayHaveRun: boolean,
): ToolMessage {
  const { result } = call;
  if (result) {
    const { success, error, errorCode, time } = result;
    const metadata = {
      success: success === true,
      toolName,
      ...(typeof error === 'string' && { error }),
      ...(typeof errorCode === 'string' && { errorCode }),
    };
    const message = createToolMessage(resultContent(result), toolCallId, {
      name: toolName,
      metadata,
    });
    return { ...message, timestamp: new Date(time) };
  }
  const isUnknown = call.hasStarted || mayHaveRun;
  return createToolMessage(isUnknown ? OUTCOME_UNKNOWN_TEXT : NOT_RUN_TEXT, toolCallId, {
    name: toolName,
    metadata: { success: false, toolName, errorCode: isUnknown ? 'outcome_unknown' : 'not_run' },
  });
}

function resultContent({ success, result, error }: NonNullable<OpenCall['result']>): string {
  if (success !== true && typeof error === 'string') return `Error: ${error}`;
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? '');
}

/** The partial reply at the time the process ended. */
function interruptedReply({ round }: OpenTurn, { updatedAt }: SessionState): AssistantMessage[] {
  if (!round || (round.text === '' && round.thinking === '')) return [];
  const { text, thinking } = round;
  return [
    {
      id: `${round.executionId}:${round.round}:reply`,
      timestamp: new Date(updatedAt),
      state: 'interrupted',
      role: 'assistant',
      content: text,
      ...(thinking !== '' && {
        parts: [
          { type: 'thinking' as const, text: thinking },
          ...(text === '' ? [] : [{ type: 'text' as const, text }]),
        ],
      }),
      metadata: { round: round.round, interruptedBy: 'error' },
    },
  ];
}

function appended(message: Message, index: number, turn: OpenTurn | null) {
  const { executionId, round } = turn?.round ?? {};
  const scope = message.role === 'assistant' ? { executionId, round } : {};
  const fields = { ...scope, mutation: 'append_message', index, message };
  return { event: 'history_mutation', fields };
}

function replaced(messages: readonly Message[]): EntryFields {
  return { mutation: 'replace_all', messages, reason: 'repair' };
}

/** Open questions expire: the process that asked is gone. */
function questionsOf({ questions }: Readonly<SessionState>) {
  return questions.map(({ requestId }) => ({
    event: 'permission_resolved',
    fields: { requestId, answer: false, by: 'expired' },
  }));
}

function endOf(turn: OpenTurn | null) {
  if (!turn) return [];
  const fields = { status: 'failed', endedBy: 'error', code: 'process_ended', message: CUT_OFF };
  return [{ event: 'turn_end', fields }];
}
