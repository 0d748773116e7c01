import { randomUUID } from 'node:crypto';
import type { Message } from '@robota-sdk/agent-core';
import {
  type Entry,
  type FileChange,
  NOT_PLACED,
  type PlacedPrompt,
  type Rewind,
  type RewindScope,
  SessionFold,
  type TakenPart,
} from '@robota-sdk/agent-core/log';
import { readLog } from './log/read-session-log.ts';
import { entryOf } from './log/replay-session-log.ts';
import { reviveDates } from './revive-dates.ts';
import type { SessionParts } from './session-assembly.ts';
import { sessionError } from './session-error.ts';

/** Restored files. `commit` is called once the rewind is logged; after a crash before that, it is rolled back. */
export interface RestoredFiles {
  readonly changes: readonly FileChange[];
  commit(): void;
}

/** Restores files for the rewind with this id. A rejection leaves files and conversation unchanged. */
export type RestoreFiles = (rewindId: string) => Promise<RestoredFiles>;

/** The target and scope of a rewind. */
export interface RewindRequest {
  /** Id of a prompt's message: everything from it on is reverted. */
  readonly to: string;
  readonly what: RewindScope;
  readonly restore?: RestoreFiles | undefined;
}

/** The target prompt of a rewind; throws `unknown_prompt`. */
function promptOf({ fold }: Pick<SessionParts, 'fold'>, to: string): PlacedPrompt {
  const prompt = fold.state.prompts.find(({ id }) => id === to);
  if (prompt) return prompt;
  throw sessionError(
    'unknown_prompt',
    `There is no prompt ${to} in this conversation. Choose one of its user messages.`,
  );
}

/**
 * Restores files, logs one entry, then changes the conversation: after a crash in between, the next process that opens
 * the session completes it.
 */
export async function rewindSession(parts: SessionParts, request: RewindRequest): Promise<Rewind> {
  const { to, what, restore } = request;
  const prompt = promptOf(parts, to);
  const revert = what === 'files' ? undefined : conversationBefore(parts, prompt);
  const id = randomUUID();
  const restored = what === 'conversation' ? undefined : await restore?.(id);
  const files = restored?.changes ?? [];
  await parts.log.append('rewound', { id, to, what, files });
  restored?.commit();
  revert?.();
  return { id, to, what, files };
}

/** Undoes the latest rewind. */
export async function undoLastRewind(
  parts: SessionParts,
  restore: RestoreFiles | undefined,
): Promise<Rewind> {
  const rewind = parts.fold.state.rewinds.at(-1);
  if (!rewind) {
    throw sessionError(
      'nothing_to_undo',
      'There is no rewind to undo: none was made, or prompts were sent since.',
    );
  }
  const { id, to, what, taken } = rewind;
  const restored = rewind.files.length > 0 ? await restore?.(id) : undefined;
  const files = restored?.changes ?? [];
  await parts.log.append('rewind_undone', { id, to, what, files });
  restored?.commit();
  if (taken) putBackMessages(parts, taken);
  return { id, to, what, files };
}

/** Completes a rewind or undo that was logged before the process ended. */
export function finishRewind(parts: SessionParts): void {
  const { rewinding } = parts.fold.state;
  if (rewinding?.kind === 'undo') putBackMessages(parts, rewinding.taken);
  if (rewinding?.kind !== 'rewind') return;
  conversationBefore(parts, promptOf(parts, rewinding.to))();
}

/** Restores what the latest summary replaced, followed by later messages. */
export function uncompactSession(parts: SessionParts): number {
  const { agent, fold, log } = parts;
  const compaction = fold.state.compactions.at(-1);
  if (!compaction) {
    throw sessionError(
      'nothing_to_undo',
      'There is no compaction to undo in this session. One inherited by a fork can be undone in the original.',
    );
  }
  const before = messagesAt(parts, ({ n }) => n >= compaction.n);
  const known = new Set([...before.map(({ id }) => id), compaction.summaryId]);
  const since = agent.getHistory().filter(({ id, role }) => !known.has(id) && role !== 'system');
  agent.replaceHistory([...before, ...since], 'uncompact');
  void log.append('uncompacted', { n: compaction.n, messages: before.length });
  return before.length;
}

/** Prepares the return to before a prompt first, so that nothing is changed if that is impossible. */
function conversationBefore(parts: SessionParts, { id, index }: PlacedPrompt): () => void {
  const { agent } = parts;
  if (index !== NOT_PLACED) return () => agent.truncateHistory(index);
  const messages = messagesAt(parts, isAppendOf(id));
  return () => agent.replaceHistory(messages, 'rewind');
}

function putBackMessages(parts: SessionParts, { kept, messages }: TakenPart): void {
  const { agent, ownSecrets } = parts;
  const back = reviveDates(messages).map((message) => ownSecrets.restoreMessage(message));
  agent.replaceHistory([...agent.getHistory().slice(0, kept), ...back], 'rewind_undone');
}

/** The conversation before the entry that matches `isEnd`; throws `not_in_log`. */
function messagesAt(
  { log, options, sessionId, ownSecrets }: SessionParts,
  isEnd: (entry: Entry) => boolean,
): Message[] {
  const file = options.sessionLogger?.getFilePath?.(sessionId);
  log.flush();
  const messages = file === undefined ? undefined : messagesBefore(file, isEnd);
  if (messages) return messages.map((message) => ownSecrets.restoreMessage(message));
  throw sessionError(
    'not_in_log',
    'The earlier conversation is not in the log of this session: it keeps none, or it is a fork whose original has it.',
  );
}

/** The conversation in a log before the entry that matches `isEnd`; undefined if there is none. */
export function messagesBefore(
  logFile: string,
  isEnd: (entry: Entry) => boolean,
): Message[] | undefined {
  const past = new SessionFold();
  let isFound = false;
  readLog(logFile, {
    detail: 'folds',
    onEntry: (read) => {
      const entry = entryOf(read);
      isFound ||= isEnd(entry);
      if (!isFound) past.apply(entry);
    },
  });
  return isFound ? reviveDates([...past.state.messages]) : undefined;
}

/** Matches the entry that added the message to the conversation. */
export function isAppendOf(id: string): (entry: Entry) => boolean {
  return (entry) => {
    const { message } = entry as { readonly message?: Message | null };
    return entry.event === 'history_mutation' && message?.id === id;
  };
}
