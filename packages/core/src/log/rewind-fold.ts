import type { Message } from '../messages/message.ts';
import type { Entry } from './entry.ts';
import type { FileChange, RewindScope } from './file-change.ts';
import type { SessionState, TakenBack } from './session-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Rewinds of files alone that can still be undone after later prompts. */
const MOST_REWINDS = 20;

/** Tool calls changed files, or a command was found to have done so. */
export function foldFilesChanged(state: SessionState, { changes, notCovered }: Fields): void {
  const last = state.notCovered.at(-1);
  const isSaid = last?.what === notCovered && last?.files === state.files.length;
  if (typeof notCovered === 'string' && !isSaid) {
    state.notCovered.push({ files: state.files.length, what: notCovered });
  }
  if (Array.isArray(changes)) state.files.push(...(changes as FileChange[]));
}

/** The conversation follows in a `history_mutation` of its own; until it came, `rewinding` says so. */
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

/** With the next prompt the conversation goes another way: what was taken back of it stays set aside. */
export function foldNewPrompt(state: SessionState): void {
  if (state.rewinds.length === 0) return;
  state.rewinds = state.rewinds.filter(({ what }) => what === 'files').slice(-MOST_REWINDS);
}

export function foldClear(state: SessionState): void {
  state.timeline = [];
  state.prompts = [];
  state.compactions = [];
  state.rewinds = state.rewinds.filter(({ what }) => what === 'files');
  delete state.rewinding;
}

export function foldCompaction(state: SessionState, { n, reason, messages }: Entry): void {
  if (reason !== 'compaction') return;
  const summary = (messages as readonly Message[]).find(({ role }) => role === 'assistant');
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

/** Keeps what a rewind takes out of the conversation, so that it can come back. */
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

/** Puts back what `keepTakenBack` kept. True when this change of the conversation was an undo. */
export function putBack(state: SessionState): boolean {
  if (state.rewinding?.kind !== 'undo') return false;
  const { taken } = state.rewinding;
  delete state.rewinding;
  state.timeline = [...state.timeline, ...taken.timeline];
  state.prompts = [...state.prompts, ...taken.prompts];
  state.compactions = taken.compactions;
  return true;
}

/** Prompts that a summary replaced stay known, without a place in the conversation. */
export function placePrompts(state: SessionState, messages: readonly Message[]): void {
  if (state.prompts.length === 0) return;
  const places = new Map(messages.map(({ id }, index) => [id, index]));
  state.prompts = state.prompts.map((prompt) => ({
    ...prompt,
    index: places.get(prompt.id) ?? NOT_PLACED,
  }));
}

/** The index of a prompt that is not part of the conversation any more. */
export const NOT_PLACED = -1;

function sharedLength(left: readonly Message[], right: readonly Message[]): number {
  const most = Math.min(left.length, right.length);
  let length = 0;
  while (length < most && left[length]?.id === right[length]?.id) length += 1;
  return length;
}
