import { EMPTY_EDITOR } from '../editor/editor-state.ts';
import { completionFor } from './completion.ts';
import { addNote } from './notes.ts';
import { openPicker } from './overlay.ts';
import { pressOverlay } from './press-overlay.ts';
import { pressPrompt } from './press-prompt.ts';
import { pressQuestion } from './press-question.ts';
import { openConversation, printBanner, printFinished } from './print-blocks.ts';
import {
  currentQuestion,
  permissionQuestion,
  settledQuestion,
  shownQuestion,
  trustQuestion,
  withoutQuestion,
} from './question.ts';
import { just, type ScreenAction, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { applyStream, withPrintedOutput } from './stream.ts';
import { endTask } from './task-end.ts';
import { sessionBegan, takeOn } from './work.ts';

/** The screen after something happened, and what the world is asked to do about it. Pure. */
export function updateScreen(state: ScreenState, action: ScreenAction): ScreenUpdate {
  const update = happened(state, action);
  const at = 'at' in action ? action.at : update.state.now;
  const shown = shownQuestion(update.state, at);
  if (!shown) return update;
  const question = currentQuestion(shown);
  if (question?.phase !== 'opening') return just(shown, ...update.effects);
  return just(shown, ...update.effects, { type: 'await_drawn', id: question.id });
}

function happened(state: ScreenState, action: ScreenAction): ScreenUpdate {
  switch (action.type) {
    case 'press':
      return pressed(state, action);
    case 'prompt_given': {
      const editor = { ...EMPTY_EDITOR, text: action.text, cursor: action.text.length };
      const task = { kind: 'prompt', text: action.text, display: action.text } as const;
      return takeOn(state, { task, editor }, action.at);
    }
    case 'task_ended':
      return endTask(state, action.end, action.at);
    case 'session_busy':
      return sessionBusy(state, action);
    case 'picker_opened':
      return just(
        { ...state, overlay: openPicker() },
        { type: 'list_sessions' },
        { type: 'await_drawn', id: 'picker' },
      );
    case 'opened': {
      const opened = openConversation(state, action);
      return action.isFresh ? just(opened, { type: 'scroll_away' }) : just(opened);
    }
    default:
      return just(changed(state, action));
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

/** Only what the session does by itself begins and ends with it; a task knows its own end. */
function sessionBusy(
  state: ScreenState,
  { isBusy, at }: Extract<ScreenAction, { type: 'session_busy' }>,
): ScreenUpdate {
  if (isBusy) return just(sessionBegan(state, at));
  const isItsOwn = state.work !== undefined && state.work.editor === undefined;
  return isItsOwn ? endTask(state, {}, at) : just(state);
}

type QuietAction = Exclude<
  ScreenAction,
  { type: 'press' | 'prompt_given' | 'task_ended' | 'session_busy' | 'picker_opened' | 'opened' }
>;

/** What happens without asking anything of the world. */
function changed(state: ScreenState, action: QuietAction): ScreenState {
  switch (action.type) {
    case 'stream':
      return applyStream(state, action.event, action.at);
    case 'edit_begun': {
      const diffs = new Map(state.facts.diffs).set(action.toolUseId, action.diff);
      return { ...state, facts: { ...state.facts, diffs } };
    }
    case 'tool_printed':
      return withPrintedOutput(state, action);
    case 'permission_asked':
    case 'permission_resolved':
    case 'trust_asked':
    case 'question_settled':
      return asked(state, action);
    case 'picker_drawn':
    case 'sessions_listed':
      return picking(state, action);
    case 'status':
      return { ...state, status: { ...state.status, ...action.facts } };
    case 'note':
      return addNote(state, action);
    case 'printed': {
      const { items, batch } = state.print;
      const print = { ...state.print, batch: batch + 1, items: items.slice(action.count) };
      return { ...state, print };
    }
    case 'tick':
      return { ...state, now: action.at };
    default:
      return learned(state, action);
  }
}

function asked(
  state: ScreenState,
  action: Extract<
    ScreenAction,
    { type: 'permission_asked' | 'permission_resolved' | 'trust_asked' | 'question_settled' }
  >,
): ScreenState {
  switch (action.type) {
    case 'permission_asked': {
      const question = permissionQuestion(action.request, action.diff);
      return { ...state, questions: [...state.questions, question] };
    }
    case 'trust_asked': {
      const question = trustQuestion(action.directory, action.wishes);
      return { ...state, questions: [...state.questions, question] };
    }
    case 'permission_resolved':
      return withoutQuestion(state, action.requestId);
    case 'question_settled':
      return settledQuestion(state, action.id);
  }
}

/** Sessions arrive in parts, as each agent's are found; the newest stand first. */
function picking(
  state: ScreenState,
  action: Extract<ScreenAction, { type: 'picker_drawn' | 'sessions_listed' }>,
): ScreenState {
  const { overlay } = state;
  if (overlay?.kind !== 'picker') return state;
  if (action.type === 'picker_drawn') return { ...state, overlay: { ...overlay, isDrawn: true } };
  const sessions = [...overlay.sessions, ...action.sessions].sort(
    (left, right) => right.updatedAt - left.updatedAt,
  );
  return { ...state, overlay: { ...overlay, sessions, isLoading: !action.isLast } };
}

type Knowledge = Extract<
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

/** What becomes known a little later than the first picture. */
function learned(state: ScreenState, action: Knowledge): ScreenState {
  switch (action.type) {
    case 'banner':
      return printBanner({ ...state, banner: { ...state.banner, ...action.facts } });
    case 'commands_listed':
      return { ...state, commands: action.commands };
    case 'files_listed':
      return {
        ...state,
        files: action.files,
        completion: completionFor(state.editor, state.commands, action.files),
      };
    case 'prompts_loaded': {
      const prompts = [...action.prompts, ...state.recall.prompts];
      return { ...state, recall: { ...state.recall, prompts } };
    }
    case 'highlighter_loaded':
      return { ...state, highlight: action.highlight };
    case 'background_known':
      return { ...state, theme: { ...state.theme, background: action.background } };
    case 'resized':
      return printFinished({ ...state, columns: action.columns, rows: action.rows });
  }
}
