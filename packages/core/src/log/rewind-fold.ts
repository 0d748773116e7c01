import type { Message } from '../messages/message.ts';
import type { Entry } from './entry.ts';
import type { FileChange, RewindScope } from './file-change.ts';
import type { SessionState, TakenBack } from './session-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** File-only rewinds that can still be undone after later prompts. */
const MAX_REWINDS = 20;

/** Tool calls changed files, or a command turned out to have changed some. */
export function foldFilesChanged(state: SessionState, { changes, notCovered }: Fields): void {
  const last = state.notCovered.at(-1);
  const isRepeated = last?.what === notCovered && last?.files === state.files.length;
  if (typeof notCovered === 'string' && !isRepeated) {
    state.notCovered.push({ files: state.files.length, what: notCovered });
  }
  if (Array.isArray(changes)) state.files.push(...(changes as FileChange[]));
}

/** The conversation changes with a separate `history_mutation`; `rewinding` is set until it arrives. */
export function foldRewound(state: SessionState, entry: Entry): void {
  const { id, to, what, files } = entry as Fields;
  const rewind: TakenBack = {
    id: String(id),
    to: String(to),
    what: what as RewindScope,
    files: Array.isArray(files) ? (files as FileChange[]) : [],
  };
  state.files.push(...rewind.files);
  state.rewinds.push(rewind);
  if (rewind.what !== 'files') state.rewinding = { kind: 'rewind', to: rewind.to };
}

export function foldRewindUndone(state: SessionState, entry: Entry): void {
  const { id, files } = entry as Fields;
  if (Array.isArray(files)) state.files.push(...(files as FileChange[]));
  const undone = state.rewinds.findLast((rewind) => rewind.id === id);
  state.rewinds = state.rewinds.filter((rewind) => rewind !== undone);
  if (undone?.taken) state.rewinding = { kind: 'undo', taken: undone.taken };
}

/** After a new prompt, rewinds of the conversation can no longer be undone. */
export function foldNewPrompt(state: SessionState): void {
  if (state.rewinds.length === 0) return;
  state.rewinds = state.rewinds.filter(({ what }) => what === 'files').slice(-MAX_REWINDS);
}

export function foldClear(state: SessionState): void {
  state.timeline = [];
  state.prompts = [];
  state.compactions = [];
  state.rewinds = state.rewinds.filter(({ what }) => what === 'files');
  delete state.rewinding;
}

export function foldCompaction(state: SessionState, { n, reason, messages }: Entry): void {
  if (reason !== 'compaction' || !Array.isArray(messages)) return;
  const summary = (messages as readonly Message[]).find((message) => message?.role === 'assistant');
  const compaction = { n, ...(summary && { summaryId: summary.id }) };
  state.compactions = [...state.compactions, compaction];
}

export function foldUncompacted(state: SessionState): void {
  state.compactions = state.compactions.slice(0, -1);
}

export function foldPinned({ pins }: SessionState, { text }: Fields): void {
  if (typeof text === 'string' && !pins.includes(text)) pins.push(text);
}

export function foldUnpinned(state: SessionState, { text }: Fields): void {
  state.pins = state.pins.filter((pin) => pin !== text);
}

/** Keeps the part of the conversation that a rewind removes, so that it can be restored. */
export function keepTakenBack(
  state: SessionState,
  before: readonly Message[],
  now: readonly Message[],
): void {
  const rewind = state.rewinds.at(-1);
  if (state.rewinding?.kind !== 'rewind' || !rewind) return;
  const { to } = state.rewinding;
  delete state.rewinding;
  const prompt = state.prompts.findIndex(({ id }) => id === to);
  const at = state.prompts[prompt]?.timeline ?? state.timeline.length;
  const kept = sharedLength(before, now);
  rewind.taken = {
    kept,
    messages: before.slice(kept),
    timeline: state.timeline.slice(at),
    prompts: prompt < 0 ? [] : state.prompts.slice(prompt),
    compactions: state.compactions,
  };
  const ids = new Set(now.map((message) => message.id));
  const last = state.compactions.findLastIndex(({ summaryId = '' }) => ids.has(summaryId));
  state.compactions = state.compactions.slice(0, last + 1);
  state.timeline = state.timeline.slice(0, at);
  if (prompt >= 0) state.prompts = state.prompts.slice(0, prompt);
}

/** Restores what `keepTakenBack` kept. True if this change of the conversation is an undo. */
export function putBack(state: SessionState): boolean {
  if (state.rewinding?.kind !== 'undo') return false;
  const { taken } = state.rewinding;
  delete state.rewinding;
  state.timeline = [...state.timeline, ...taken.timeline];
  state.prompts = [...state.prompts, ...taken.prompts];
  state.compactions = taken.compactions;
  return true;
}

/** Updates the index of each prompt; prompts replaced by a summary stay known without one. */
export function placePrompts(state: SessionState, messages: readonly Message[]): void {
  if (state.prompts.length === 0) return;
  const places = new Map(messages.map(({ id }, index) => [id, index]));
  state.prompts = state.prompts.map((prompt) => ({
    ...prompt,
    index: places.get(prompt.id) ?? NOT_PLACED,
  }));
}

/** Index of a prompt that is no longer in the conversation. */
export const NOT_PLACED = -1;

function sharedLength(left: readonly Message[], right: readonly Message[]): number {
  const maxLength = Math.min(left.length, right.length);
  let length = 0;
  while (length < maxLength && left[length]?.id === right[length]?.id) length += 1;
  return length;
}
