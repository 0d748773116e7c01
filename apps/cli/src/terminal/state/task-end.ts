import { summaryText } from '../views/turn-summary.ts';
import { addNote } from './notes.ts';
import { printFinished } from './print-blocks.ts';
import type { ScreenUpdate, TaskEnd } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { returnTask, workEnded } from './work.ts';

/** Says how a task ended, where the blocks do not, and begins the next one. */
export function endTask(state: ScreenState, end: TaskEnd, at: number): ScreenUpdate {
  const { work } = state;
  if (!work) return workEnded(state, at);
  const costUsd = 'costUsd' in end ? end.costUsd : state.status.costUsd;
  const known = withHint({ ...state, now: at, status: { ...state.status, costUsd } }, end.hint);
  const returned = end.isReturned ? returnTask(known) : known;
  // What is still shown as running is done now.
  const printed = printFinished({ ...returned, work: undefined, openBlocks: new Set() });
  const noticed = end.notice ? addNote(printed, { tone: 'warning', text: end.notice }) : printed;
  const summary = end.isReturned ? undefined : summaryText(noticed, work);
  const summed = summary ? addNote(noticed, { tone: 'summary', text: summary }) : noticed;
  const tails = { ...summed, facts: { ...summed.facts, tails: new Map() } };
  return workEnded(tails, at);
}

/** The hint belongs to the error that ended the turn. */
function withHint(state: ScreenState, hint: string | undefined): ScreenState {
  const last = state.conversation.blocks.at(-1);
  if (!hint || last?.type !== 'system' || last.subtype !== 'error') return state;
  const hints = new Map(state.facts.hints).set(last.id, hint);
  return { ...state, facts: { ...state.facts, hints } };
}
