import { summaryText } from '../views/turn-summary.ts';
import { addNote } from './notes.ts';
import { printFinished } from './print-blocks.ts';
import type { ScreenUpdate, TaskEnd } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { advance, returnCommand, returnPrompt } from './work.ts';

/** Says how a turn or a command ended, where the blocks do not, and begins what waits behind it. */
export function endWork(state: ScreenState, end: TaskEnd, at: number): ScreenUpdate {
  const { work } = state;
  if (!work) return advance(state, at);
  const costUsd = 'costUsd' in end ? end.costUsd : state.status.costUsd;
  const known = withAdvice({ ...state, now: at, status: { ...state.status, costUsd } }, end);
  const returned = end.isReturned ? returnCommand(known) : known;
  // What is still shown as running is done now.
  const printed = printFinished({ ...returned, work: undefined, openBlocks: new Set() });
  const isTold = end.notice === undefined || isErrorOf(state, end);
  const noticed = isTold ? printed : addNote(printed, { tone: 'warning', text: end.notice });
  const summary = end.isReturned ? undefined : summaryText(noticed, work);
  const summed = summary ? addNote(noticed, { tone: 'summary', text: summary }) : noticed;
  return advance({ ...summed, facts: { ...summed.facts, tails: new Map() } }, at);
}

/** The session took a prompt back or would not have it: it stands in the editor again. */
export function endUnbegun(
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

/** Whether the notice is about the error that ended the turn: an error with a hint of its own is another one. */
function isErrorOf(state: ScreenState, { hint }: TaskEnd): boolean {
  return hint === undefined && endsInError(state);
}

function endsInError({ conversation }: ScreenState): boolean {
  const last = conversation.blocks.at(-1);
  return last?.type === 'system' && last.subtype === 'error';
}

/** What is said about an end belongs to the error that ended the turn, where there is one. */
function withAdvice(state: ScreenState, end: TaskEnd): ScreenState {
  const { hint } = end;
  const notice = isErrorOf(state, end) ? end.notice : undefined;
  const last = state.conversation.blocks.at(-1);
  if (!last || !endsInError(state) || (!notice && !hint)) return state;
  const advice = new Map(state.facts.advice).set(last.id, { notice, hint });
  return { ...state, facts: { ...state.facts, advice } };
}
