import { EMPTY_EDITOR } from '../editor/editor-state.ts';
import { offerChoices } from './choices.ts';
import { completionFor, withSameChoice } from './completion.ts';
import { addNote } from './notes.ts';
import { openPicker, withArrived } from './overlay.ts';
import { pressOverlay } from './press-overlay.ts';
import { pressPrompt } from './press-prompt.ts';
import { pressQuestion } from './press-question.ts';
import {
  openConversation,
  printBanner,
  printFinished,
  resyncConversation,
} from './print-blocks.ts';
import {
  agentQuestion,
  currentQuestion,
  settledQuestion,
  shownQuestion,
  trustQuestion,
  unsentWords,
  withoutQuestion,
} from './question.ts';
import { afterRewind, openRewind, rewindDrawn, showPreview } from './rewind-overlay.ts';
import { just, type ScreenAction, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { applyStream, withPrintedOutput } from './stream.ts';
import { endWork, returnUnstarted } from './task-end.ts';
import { advance, enqueue, turnBegan } from './work.ts';

/** The reducer: the next screen state and the side effects to run. Pure. */
export function updateScreen(state: ScreenState, action: ScreenAction): ScreenUpdate {
  const update = applyAction(state, action);
  const at = 'at' in action ? action.at : update.state.now;
  const shown = shownQuestion(update.state, at);
  if (!shown) return update;
  const question = currentQuestion(shown);
  if (question?.phase !== 'opening') return just(shown, ...update.effects);
  return just(shown, ...update.effects, { type: 'await_drawn', id: question.id });
}

function applyAction(state: ScreenState, action: ScreenAction): ScreenUpdate {
  switch (action.type) {
    case 'press':
      return pressed(state, action);
    case 'prompt_given': {
      const editor = { ...EMPTY_EDITOR, text: action.text, cursor: action.text.length };
      const task = { kind: 'prompt', text: action.text, display: action.text } as const;
      return enqueue(state, { task, editor }, action.at);
    }
    case 'task_ended':
      return endWork(state, action.end, action.at);
    case 'turn_ended':
      // A command that runs a turn ends with its own `task_ended`.
      return state.work?.kind === 'command' ? just(state) : endWork(state, action.end, action.at);
    case 'prompt_returned':
      return returnUnstarted(state, action, action.at);
    case 'queue_changed':
      return advance({ ...state, waiting: action.prompts }, action.at);
    case 'picker_opened':
      return just(
        { ...state, overlay: openPicker() },
        { type: 'list_sessions' },
        { type: 'await_drawn', id: 'picker' },
      );
    case 'choices_offered':
      return offerChoices(state, action);
    case 'rewind_opened':
      return openRewind(state);
    case 'rewind_previewed':
      return showPreview(state, action.preview);
    case 'sessions_listed':
    case 'hits_found':
      return listedInPicker(state, action);
    case 'opened': {
      const opened = openConversation(state, action);
      return action.isFresh ? just(opened, { type: 'scroll_away' }) : just(opened);
    }
    default:
      return just(reduceState(state, action));
  }
}

function pressed(
  before: ScreenState,
  { press, at }: Extract<ScreenAction, { type: 'press' }>,
): ScreenUpdate {
  const state = { ...before, lastPressAt: at };
  if (state.overlay) return pressOverlay(state, state.overlay, { press, at });
  const question = currentQuestion(state);
  return question ? pressQuestion(state, question, { press, at }) : pressPrompt(state, press, at);
}

type StateAction = Exclude<
  ScreenAction,
  {
    type:
      | 'press'
      | 'prompt_given'
      | 'task_ended'
      | 'turn_ended'
      | 'prompt_returned'
      | 'queue_changed'
      | 'picker_opened'
      | 'choices_offered'
      | 'rewind_opened'
      | 'rewind_previewed'
      | 'sessions_listed'
      | 'hits_found'
      | 'opened';
  }
>;

/** Actions without side effects. */
function reduceState(state: ScreenState, action: StateAction): ScreenState {
  switch (action.type) {
    case 'stream':
      return applyStream(state, action.event, action.at);
    case 'edit_begun': {
      const diffs = new Map(state.facts.diffs).set(action.toolUseId, action.diff);
      return { ...state, facts: { ...state.facts, diffs } };
    }
    case 'tool_printed':
      return withPrintedOutput(state, action);
    case 'turn_began':
      return turnBegan(state, action.messageId, action.at);
    case 'resynced':
      return resyncConversation(state, action.conversation);
    case 'question_asked':
    case 'question_resolved':
    case 'trust_asked':
    case 'question_settled':
      return updateQuestions(state, action);
    case 'choices_drawn':
      return state.overlay?.kind === 'choices'
        ? { ...state, overlay: { ...state.overlay, isDrawn: true } }
        : state;
    case 'picker_drawn':
    case 'session_previewed':
      return updatePicker(state, action);
    case 'rewind_drawn':
      return rewindDrawn(state);
    case 'rewound':
      return afterRewind(state, action.prompt);
    case 'status':
      return { ...state, status: { ...state.status, ...action.facts } };
    case 'note':
      return addNote(state, action);
    case 'answered_too_late':
      return addNote(withWords(state, action.words), {
        tone: 'warning',
        text: `Someone else answered first.${whereWordsAre(action.words)}`,
      });
    case 'printed': {
      const lines = state.print.lines.slice(action.count);
      return { ...state, print: { ...state.print, lines } };
    }
    case 'tick':
      return { ...state, now: action.at };
    default:
      return applyLoaded(state, action);
  }
}

function updateQuestions(
  state: ScreenState,
  action: Extract<
    ScreenAction,
    { type: 'question_asked' | 'question_resolved' | 'trust_asked' | 'question_settled' }
  >,
): ScreenState {
  switch (action.type) {
    case 'question_asked': {
      const question = agentQuestion(action.question, action.diff);
      const { questions } = withoutQuestion(state, question.id);
      return { ...state, questions: [...questions, question] };
    }
    case 'trust_asked': {
      const question = trustQuestion(action.directory, action.pendingSettings);
      return { ...state, questions: [...state.questions, question] };
    }
    case 'question_resolved':
      return resolvedQuestion(state, action);
    case 'question_settled':
      return settledQuestion(state, action.id);
  }
}

/** Removes an answered question; notes who else answered it and moves unsent text to the editor. */
function resolvedQuestion(
  state: ScreenState,
  { id, by }: { readonly id: string; readonly by?: string | undefined },
): ScreenState {
  const rest = withoutQuestion(state, id);
  if (rest === state) return rest;
  const words = unsentWords(state, id);
  const kept = withWords(rest, words);
  const answered = by === undefined ? '' : `Answered by ${by}.`;
  const text = `${answered}${whereWordsAre(words)}`.trim();
  return text === '' ? kept : addNote(kept, { tone: 'plain', text });
}

/** Appends unsent text to the editor. */
function withWords(state: ScreenState, words: string): ScreenState {
  if (words === '') return state;
  const { editor } = state;
  const text = [editor.text, words].filter((part) => part !== '').join('\n');
  return { ...state, editor: { ...editor, text, cursor: text.length }, completion: undefined };
}

function whereWordsAre(words: string): string {
  return words === '' ? '' : ' What you wrote is in the draft.';
}

/** An Enter sent before another session was drawn as the chosen one must not open it. */
function listedInPicker(
  state: ScreenState,
  action: Extract<ScreenAction, { type: 'sessions_listed' | 'hits_found' }>,
): ScreenUpdate {
  const { overlay } = state;
  if (overlay?.kind !== 'picker') return just(state);
  const { next, isSameChoice } = withArrived(overlay, action);
  if (isSameChoice) return just({ ...state, overlay: next });
  return just(
    { ...state, overlay: { ...next, isDrawn: false } },
    { type: 'await_drawn', id: 'picker' },
  );
}

function updatePicker(
  state: ScreenState,
  action: Extract<ScreenAction, { type: 'picker_drawn' | 'session_previewed' }>,
): ScreenState {
  const { overlay } = state;
  if (overlay?.kind !== 'picker') return state;
  if (action.type === 'picker_drawn') return { ...state, overlay: { ...overlay, isDrawn: true } };
  const { key, preview: content } = action;
  if (overlay.preview?.key !== key) return state;
  return { ...state, overlay: { ...overlay, preview: { key, content } } };
}

type LoadedAction = Extract<
  ScreenAction,
  {
    type:
      | 'banner'
      | 'commands_listed'
      | 'files_listed'
      | 'prompts_loaded'
      | 'highlighter_loaded'
      | 'background_known'
      | 'resized';
  }
>;

/** The draft may have been typed before its completions were known; a menu that was closed stays closed. */
function offerCompletions(
  before: ScreenState,
  known: Partial<Pick<ScreenState, 'commands' | 'files' | 'isListingFiles'>>,
): ScreenState {
  const state = { ...before, ...known };
  const isClosed = !before.completion && completionFor(before.editor, before) !== undefined;
  if (isClosed) return state;
  const completion = withSameChoice(completionFor(state.editor, state), before.completion);
  return { ...state, completion };
}

/** Data that is loaded after the first frame. */
function applyLoaded(state: ScreenState, action: LoadedAction): ScreenState {
  switch (action.type) {
    case 'banner':
      return printBanner({ ...state, banner: { ...state.banner, ...action.facts } });
    case 'commands_listed':
      return offerCompletions(state, { commands: action.commands });
    case 'files_listed':
      return offerCompletions(state, { files: action.files, isListingFiles: false });
    case 'prompts_loaded': {
      const { prompts: later, index } = state.recall;
      const prompts = [...action.prompts, ...later];
      // The prompt that is shown stays the one it is.
      const moved = index === undefined ? undefined : index + action.prompts.length;
      return { ...state, recall: { ...state.recall, prompts, index: moved } };
    }
    case 'highlighter_loaded':
      return { ...state, highlight: action.highlight };
    case 'background_known':
      return { ...state, theme: { ...state.theme, background: action.background } };
    case 'resized':
      return printFinished({ ...state, columns: action.columns, rows: action.rows });
  }
}
