import type { QueuedPrompt } from '@robota-sdk/agent-sdk';
import type { TokenUsage } from '@robota-sdk/agent-transcript';
import { type EditorState, joinEditors } from '../editor/editor-state.ts';
import { just, type ScreenEffect, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** Something a person asked for that takes its time. */
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

/** What stands behind a command: prompts wait in the session's own queue, which knows no commands. */
export interface WaitingTask {
  readonly task: Task;
  /** How it was written, for taking it back. */
  readonly editor: EditorState;
}

/** A prompt that the session has and has not begun. */
export interface SentPrompt {
  readonly messageId: string;
  readonly display: string;
  readonly editor: EditorState;
}

/** What runs now: a turn, whoever asked for it, or a command of this terminal. */
export interface Work {
  readonly kind: 'turn' | 'command';
  /** Of the prompt that is answered, where it is known. */
  readonly messageId: string | undefined;
  /** How it was written; undefined for what was not asked for here. */
  readonly editor: EditorState | undefined;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Tokens and money of the session when it began. */
  readonly usageBefore: TokenUsage | undefined;
  readonly costBefore: number | undefined;
  readonly blocksBefore: number;
}

export function takeOn(state: ScreenState, waiting: WaitingTask, at: number): ScreenUpdate {
  return advance({ ...state, queue: [...state.queue, waiting] }, at);
}

/** Hands over what may go now: prompts to the session at once, a command when nothing runs or waits before it. */
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

/** The session begins a turn, for whomever. A command that asks something of the model goes on as what it is. */
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

/** A prompt that the session has and has not begun, its own place first. */
export interface WaitingPrompt {
  readonly display: string;
  readonly messageId: string | undefined;
  /** Whoever sent it, where that was somebody else. */
  readonly user: string | undefined;
}

/** What the session says that waits, and what is still on its way there. */
export function waitingPrompts({ waiting, sent, work }: ScreenState): WaitingPrompt[] {
  const isRunning = (id: string | undefined) => id !== undefined && id === work?.messageId;
  const listed = new Set(waiting.map(({ messageId }) => messageId));
  const told = waiting
    .filter(({ messageId }) => !isRunning(messageId))
    .map(({ displayInput, messageId, user }: QueuedPrompt) => ({
      display: displayInput,
      messageId,
      user,
    }));
  const underWay = sent
    .filter(({ messageId }) => !listed.has(messageId) && !isRunning(messageId))
    .map(({ display, messageId }) => ({ display, messageId, user: undefined }));
  return [...told, ...underWay];
}

/** Prompts of this terminal that have not begun. */
function unstarted({ sent, work }: ScreenState): readonly SentPrompt[] {
  return sent.filter(({ messageId }) => messageId !== work?.messageId);
}

/** Stops what runs; what was written here and waits goes back to the editor, before what is being written. */
export function interruptWork(state: ScreenState): ScreenUpdate {
  const back = [...unstarted(state), ...state.queue];
  const editor = joinEditors([...back.map((waiting) => waiting.editor), state.editor]);
  const sent = state.sent.filter(({ messageId }) => messageId === state.work?.messageId);
  return just({ ...state, queue: [], sent, editor, completion: undefined }, { type: 'abort' });
}

/** The last of those that were written here and wait, back in the editor; undefined when none waits. */
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

/** A prompt that the session gave back without beginning it is not lost. */
export function returnPrompt(state: ScreenState, messageId: string): ScreenState {
  const returned = state.sent.find((prompt) => prompt.messageId === messageId);
  if (!returned) return state;
  const sent = state.sent.filter((prompt) => prompt !== returned);
  return { ...state, sent, editor: joinEditors([returned.editor, state.editor]) };
}

/** A command that could not even begin is not lost. */
export function returnCommand(state: ScreenState): ScreenState {
  const { work } = state;
  if (!work?.editor) return state;
  return { ...state, editor: joinEditors([work.editor, state.editor]) };
}
