import { summaryText } from '../views/turn-summary.ts';
import { addNote } from './notes.ts';
import { printFinished } from './print-blocks.ts';
import type { ScreenUpdate, TaskEnd } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { advance, returnCommand, returnPrompt } from './work.ts';

/** Prints how a turn or a command ended, unless its blocks show it, and starts the next queued task. */
export function endWork(state: ScreenState, end: TaskEnd, at: number): ScreenUpdate {
  const { work } = state;
  if (!work) return advance(state, at);
  const costUsd = 'costUsd' in end ? end.costUsd : state.status.costUsd;
  const known = withAdvice({ ...state, now: at, status: { ...state.status, costUsd } }, end);
  const returned = end.isReturned ? returnCommand(known) : known;
  // Blocks still shown as running are finished now.
  const printed = printFinished({ ...returned, work: undefined, openBlocks: new Set() });
  const isShown = end.notice === undefined || isErrorOf(state, end);
  const noticed = isShown ? printed : addNote(printed, { tone: 'warning', text: end.notice });
  const summary = end.isReturned ? undefined : summaryText(noticed, work);
  const summed = summary ? addNote(noticed, { tone: 'summary', text: summary }) : noticed;
  return advance({ ...summed, facts: { ...summed.facts, tails: new Map() } }, at);
}

/** Returns a prompt that the session refused or gave back to the editor. */
export function returnUnstarted(
  state: ScreenState,
  { messageId, notice }: { readonly messageId: string; readonly notice: string | undefined },
  at: number,
): ScreenUpdate {
  const isKnown = state.sent.some((prompt) => prompt.messageId === messageId);
  if (!isKnown) return advance(state, at);
  const returned = returnPrompt(state, messageId);
  const noticed = notice ? addNote(returned, { tone: 'warning', text: notice }) : returned;
  const isShown = noticed.work?.messageId === messageId;
  return advance(isShown ? { ...noticed, work: undefined } : noticed, at);
}

/** Whether the notice describes the error block that ended the turn; an end with its own hint does not. */
function isErrorOf(state: ScreenState, { hint }: TaskEnd): boolean {
  return hint === undefined && endsInError(state);
}

function endsInError({ conversation }: ScreenState): boolean {
  const last = conversation.blocks.at(-1);
  return last?.type === 'system' && last.subtype === 'error';
}

/** Attaches the notice and hint to the error block that ended the turn, if there is one. */
function withAdvice(state: ScreenState, end: TaskEnd): ScreenState {
  const { hint } = end;
  const notice = isErrorOf(state, end) ? end.notice : undefined;
  const last = state.conversation.blocks.at(-1);
  if (!last || !endsInError(state) || (!notice && !hint)) return state;
  const advice = new Map(state.facts.advice).set(last.id, { notice, hint });
  return { ...state, facts: { ...state.facts, advice } };
}
