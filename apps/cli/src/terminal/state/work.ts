import type { QueuedPrompt } from '@robota-sdk/agent-sdk';
import type { ConversationState, TokenUsage } from '@robota-sdk/agent-transcript';
import { type EditorState, joinEditors } from '../editor/editor-state.ts';
import { just, type ScreenEffect, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

type Task = PromptTask | CommandTask;

interface PromptTask {
  readonly kind: 'prompt';
  readonly text: string;
  readonly display: string;
}

export interface CommandTask {
  readonly kind: 'command';
  readonly name: string;
  readonly args: string;
  readonly display: string;
}

/** A task queued behind a command: the session's own queue takes prompts but no commands. */
export interface WaitingTask {
  readonly task: Task;
  /** The editor content, to restore it. */
  readonly editor: EditorState;
}

/** A prompt that the session has received but not started. */
export interface UnconfirmedPrompt {
  readonly messageId: string;
  readonly display: string;
  readonly editor: EditorState;
}

/** What runs now: a turn of any client, or a command of this terminal. */
export interface Work {
  readonly kind: 'turn' | 'command';
  /** Id of the running prompt, if known. */
  readonly messageId: string | undefined;
  /** The editor content, to restore it; undefined for work of other clients. */
  readonly editor: EditorState | undefined;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Tokens and cost of the session when the work started. */
  readonly usageBefore: TokenUsage | undefined;
  readonly costBefore: number | undefined;
  readonly blocksBefore: number;
}

export function enqueue(state: ScreenState, waiting: WaitingTask, at: number): ScreenUpdate {
  return advance({ ...state, queue: [...state.queue, waiting] }, at);
}

/** Starts queued tasks: prompts go to the session at once, a command when nothing runs or waits before it. */
export function advance(before: ScreenState, at: number): ScreenUpdate {
  const effects: ScreenEffect[] = [];
  let state = before;
  for (let [next] = state.queue; next; [next] = state.queue) {
    if (state.work?.kind === 'command') break;
    const { task, editor } = next;
    const isFree = !state.work && waitingPrompts(state).length === 0;
    if (task.kind === 'command' && !isFree) break;
    const rest = { ...state, queue: state.queue.slice(1) };
    const update =
      task.kind === 'command' ? begin(rest, task, editor, at) : send(rest, task, editor, at);
    state = update.state;
    effects.push(...update.effects);
  }
  return just(state, ...effects);
}

const LABELS: Readonly<Record<string, string>> = { compact: 'Compacting', clear: 'Clearing' };

function begin(
  state: ScreenState,
  task: CommandTask,
  editor: EditorState,
  at: number,
): ScreenUpdate {
  const label = LABELS[task.name] ?? 'Working';
  const about = { kind: 'command', messageId: undefined, editor, label } as const;
  return just(withWork(state, about, at), { type: 'run_task', task });
}

function send(state: ScreenState, task: PromptTask, editor: EditorState, at: number): ScreenUpdate {
  const asked = state.asked + 1;
  const messageId = `${state.surface}-${asked}`;
  const { text, display } = task;
  const sent = [...state.sent, { messageId, display, editor }];
  const about = { kind: 'turn', messageId, editor, label: 'Working' } as const;
  const known = { ...state, asked, sent };
  return just(state.work ? known : withWork(known, about, at), {
    type: 'submit',
    messageId,
    text,
    display,
  });
}

/** Replaces the running turn by the opening of another session; what is sent meanwhile waits for that one. */
export function beginOpening(state: ScreenState, effect: ScreenEffect, at: number): ScreenUpdate {
  const editor = joinEditors([...state.queue.map((waiting) => waiting.editor), state.editor]);
  const about = { kind: 'command', messageId: undefined, editor: undefined } as const;
  const left = { ...state, queue: [], editor, completion: undefined };
  return just(withWork(left, { ...about, label: 'Opening' }, at), effect);
}

/** A turn and prompts of the session that was left belong to it; before the first session there is none. */
export function workAfterOpening(
  { session, work, sent }: ScreenState,
  { blocks, metadata }: ConversationState,
): Pick<ScreenState, 'work' | 'sent' | 'waiting'> {
  if (!session) return { work, sent, waiting: [] };
  if (work?.kind !== 'command') return { work: undefined, sent: [], waiting: [] };
  const since = { usageBefore: metadata.usage, blocksBefore: blocks.length };
  return { work: { ...work, ...since }, sent: [], waiting: [] };
}

type WorkFacts = Pick<Work, 'kind' | 'messageId' | 'editor' | 'label'>;

function withWork(state: ScreenState, about: WorkFacts, at: number): ScreenState {
  const work: Work = {
    ...about,
    startedAt: at,
    usageBefore: state.conversation.metadata.usage,
    costBefore: state.status.costUsd,
    blocksBefore: state.conversation.blocks.length,
  };
  return { ...state, work, now: at };
}

/** A turn started, possibly for another client; a command that runs a turn stays a command. */
export function turnBegan(
  state: ScreenState,
  messageId: string | undefined,
  at: number,
): ScreenState {
  const own = state.sent.find(
    (prompt) => messageId !== undefined && prompt.messageId === messageId,
  );
  const known = own ? { ...state, sent: state.sent.filter((prompt) => prompt !== own) } : state;
  const { work } = known;
  if (work?.kind === 'command' || (own && work?.messageId === messageId)) return known;
  return withWork(known, { kind: 'turn', messageId, editor: own?.editor, label: 'Working' }, at);
}

/** A prompt that waits in the session's queue or is on its way there. */
export interface WaitingPrompt {
  readonly display: string;
  readonly messageId: string | undefined;
  /** The sender, if it was another user. */
  readonly user: string | undefined;
}

/** The session's queue, followed by prompts still on their way there. */
export function waitingPrompts({ waiting, sent, work }: ScreenState): WaitingPrompt[] {
  const isRunning = (id: string | undefined) => id !== undefined && id === work?.messageId;
  const listed = new Set(waiting.map(({ messageId }) => messageId));
  const queued = waiting
    .filter(({ messageId }) => !isRunning(messageId))
    .map(({ displayInput, messageId, user }: QueuedPrompt) => ({
      display: displayInput,
      messageId,
      user,
    }));
  const inFlight = sent
    .filter(({ messageId }) => !listed.has(messageId) && !isRunning(messageId))
    .map(({ display, messageId }) => ({ display, messageId, user: undefined }));
  return [...queued, ...inFlight];
}

/** Prompts of this terminal that have not started. */
function unstarted({ sent, work }: ScreenState): readonly UnconfirmedPrompt[] {
  return sent.filter(({ messageId }) => messageId !== work?.messageId);
}

/** Aborts the running work and returns this terminal's queued prompts to the editor, before the current draft. */
export function interruptWork(state: ScreenState): ScreenUpdate {
  const back = [...unstarted(state), ...state.queue];
  const editor = joinEditors([...back.map((waiting) => waiting.editor), state.editor]);
  const sent = state.sent.filter(({ messageId }) => messageId === state.work?.messageId);
  return just({ ...state, queue: [], sent, editor, completion: undefined }, { type: 'abort' });
}

/** Returns the last queued prompt of this terminal to the editor; undefined when none is queued. */
export function takeBackLast(state: ScreenState): ScreenUpdate | undefined {
  const local = state.queue.at(-1);
  if (local) {
    const queue = state.queue.slice(0, -1);
    return just({ ...state, queue, editor: local.editor, completion: undefined });
  }
  const last = unstarted(state).at(-1);
  if (!last) return undefined;
  const sent = state.sent.filter((prompt) => prompt !== last);
  return just(
    { ...state, sent, editor: last.editor, completion: undefined },
    { type: 'take_back', messageId: last.messageId },
  );
}

/** Puts a prompt that the session did not start back into the editor. */
export function returnPrompt(state: ScreenState, messageId: string): ScreenState {
  const returned = state.sent.find((prompt) => prompt.messageId === messageId);
  if (!returned) return state;
  const sent = state.sent.filter((prompt) => prompt !== returned);
  return { ...state, sent, editor: joinEditors([returned.editor, state.editor]) };
}

/** Puts a command that could not start back into the editor. */
export function returnCommand(state: ScreenState): ScreenState {
  const { work } = state;
  if (!work?.editor) return state;
  return { ...state, editor: joinEditors([work.editor, state.editor]) };
}
