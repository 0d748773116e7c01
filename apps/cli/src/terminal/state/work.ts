import type { TokenUsage } from '@robota-sdk/agent-transcript';
import { type EditorState, joinEditors } from '../editor/editor-state.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** Something a person asked for that takes its time. One runs, the others wait in order. */
export type Task =
  | { readonly kind: 'prompt'; readonly text: string; readonly display: string }
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly args: string;
      readonly display: string;
    };

export interface WaitingTask {
  readonly task: Task;
  /** How it was written, for taking it back. */
  readonly editor: EditorState;
}

/** What runs now. */
export interface Work {
  /** How it was written; undefined for what the session does by itself, such as reporting on work in the background. */
  readonly editor: EditorState | undefined;
  readonly label: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Tokens and money of the session when it began. */
  readonly usageBefore: TokenUsage | undefined;
  readonly costBefore: number | undefined;
  readonly blocksBefore: number;
}

/** Runs it now, or puts it behind what waits already. */
export function takeOn(state: ScreenState, waiting: WaitingTask, at: number): ScreenUpdate {
  if (state.work) return just({ ...state, queue: [...state.queue, waiting] });
  return begin(state, waiting, at);
}

const LABELS: Readonly<Record<string, string>> = { compact: 'Compacting', clear: 'Clearing' };

function begin(state: ScreenState, { task, editor }: WaitingTask, at: number): ScreenUpdate {
  const label = (task.kind === 'command' ? LABELS[task.name] : undefined) ?? 'Working';
  return just(withWork(state, { editor, label }, at), { type: 'run_task', task });
}

function withWork(
  state: ScreenState,
  about: Pick<Work, 'editor' | 'label'>,
  at: number,
): ScreenState {
  const work: Work = {
    ...about,
    startedAt: at,
    usageBefore: state.conversation.metadata.usage,
    costBefore: state.status.costUsd,
    blocksBefore: state.conversation.blocks.length,
  };
  return { ...state, work, now: at };
}

/** The session begins something that nobody asked for here. */
export function sessionBegan(state: ScreenState, at: number): ScreenState {
  return state.work ? state : withWork(state, { editor: undefined, label: 'Working' }, at);
}

/** What ran has ended: the next one begins. */
export function workEnded(state: ScreenState, at: number): ScreenUpdate {
  const [next, ...queue] = state.queue;
  const idle = { ...state, work: undefined, queue };
  return next ? begin(idle, next, at) : just(idle);
}

/** Stops what runs; what waits goes back to where it was written, before what is being written. */
export function interruptWork(state: ScreenState): ScreenUpdate {
  const editor = joinEditors([...state.queue.map((waiting) => waiting.editor), state.editor]);
  return just({ ...state, queue: [], editor, completion: undefined }, { type: 'abort' });
}

/** The last of those that wait, back in the editor. */
export function takeBackLast(state: ScreenState): ScreenState | undefined {
  const last = state.queue.at(-1);
  if (!last) return undefined;
  return { ...state, queue: state.queue.slice(0, -1), editor: last.editor, completion: undefined };
}

/** A prompt that could not even be handed over is not lost. */
export function returnTask(state: ScreenState): ScreenState {
  const { work } = state;
  if (!work?.editor) return state;
  return { ...state, editor: joinEditors([work.editor, state.editor]) };
}
