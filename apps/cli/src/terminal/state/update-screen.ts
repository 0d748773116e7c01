import { EMPTY_EDITOR } from '../editor/editor-state.ts';
import { offerChoices } from './choices.ts';
import { completionFor } from './completion.ts';
import { addNote } from './notes.ts';
import { openPicker } from './overlay.ts';
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
import { afterRewind, openRewind, showPreview } from './rewind-overlay.ts';
import { just, type ScreenAction, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';
import { applyStream, withPrintedOutput } from './stream.ts';
import { endUnbegun, endWork } from './task-end.ts';
import { advance, takeOn, turnBegan } from './work.ts';

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
      return endWork(state, action.end, action.at);
    case 'turn_ended':
      // A command that asked something of the model knows its own end.
      return state.work?.kind === 'command' ? just(state) : endWork(state, action.end, action.at);
    case 'prompt_returned':
      return endUnbegun(state, action, action.at);
    case 'queue_told':
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

type QuietAction = Exclude<
  ScreenAction,
  {
    type:
      | 'press'
      | 'prompt_given'
      | 'task_ended'
      | 'turn_ended'
      | 'prompt_returned'
      | 'queue_told'
      | 'picker_opened'
      | 'choices_offered'
      | 'rewind_opened'
      | 'opened';
  }
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
    case 'turn_began':
      return turnBegan(state, action.messageId, action.at);
    case 'resynced':
      return resyncConversation(state, action.conversation);
    case 'question_asked':
    case 'question_resolved':
    case 'trust_asked':
    case 'question_settled':
      return asked(state, action);
    case 'choices_drawn':
      return state.overlay?.kind === 'choices'
        ? { ...state, overlay: { ...state.overlay, isDrawn: true } }
        : state;
    case 'picker_drawn':
    case 'sessions_listed':
    case 'hits_found':
    case 'session_previewed':
      return picking(state, action);
    case 'rewind_previewed':
      return showPreview(state, action.preview);
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

/** Gone wherever it was answered; what somebody else decided is said, and what was being written is kept. */
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

/** Words that nobody read stand below what the draft says already. */
function withWords(state: ScreenState, words: string): ScreenState {
  if (words === '') return state;
  const { editor } = state;
  const text = [editor.text, words].filter((part) => part !== '').join('\n');
  return { ...state, editor: { ...editor, text, cursor: text.length }, completion: undefined };
}

function whereWordsAre(words: string): string {
  return words === '' ? '' : ' What you wrote is in the draft.';
}

/** Sessions arrive in parts, as each agent's are found; the newest stand first. */
function picking(
  state: ScreenState,
  action: Extract<
    ScreenAction,
    { type: 'picker_drawn' | 'sessions_listed' | 'hits_found' | 'session_previewed' }
  >,
): ScreenState {
  const { overlay } = state;
  if (overlay?.kind !== 'picker') return state;
  if (action.type === 'hits_found') {
    return { ...state, overlay: { ...overlay, hits: action.hits } };
  }
  if (action.type === 'session_previewed') {
    const { key, preview: said } = action;
    if (overlay.preview?.key !== key) return state;
    return { ...state, overlay: { ...overlay, preview: { key, said } } };
  }
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
