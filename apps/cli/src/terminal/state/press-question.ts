import type { LiveAnswer } from '@robota-sdk/agent-sdk';
import { edit } from '../editor/edit.ts';
import type { EditorState } from '../editor/editor-state.ts';
import type { KeyPress } from '../keys/key.ts';
import { addNote } from './notes.ts';
import { pressPrompt } from './press-prompt.ts';
import { keyName, written } from './press-text.ts';
import {
  type AgentQuestion,
  askedField,
  beginWriting,
  optionsOf,
  PROJECT_RULES_FILE,
  planOf,
  type QuestionOption,
  type ScreenQuestion,
  withoutQuestion,
  withQuestion,
} from './question.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** Handles a key while a question is open; it answers only a question that has the focus. */
export function pressQuestion(
  state: ScreenState,
  question: ScreenQuestion,
  { press, at }: { readonly press: KeyPress; readonly at: number },
): ScreenUpdate {
  switch (question.phase) {
    case 'hidden':
    case 'opening':
      return pressPrompt(withQuestion(state, { ...question, isDisturbed: true }), press, at);
    case 'waiting':
      return pressUnfocused(state, question, { press, at });
    case 'focused':
      return question.kind === 'agent' && question.writing
        ? pressWriting(state, { ...question, writing: question.writing }, press)
        : pressFocused(state, question, { press, at });
  }
}

interface TimedPress {
  readonly press: KeyPress;
  readonly at: number;
}

/** The prompt has the focus: Tab moves it to the question, Escape declines the question. */
function pressUnfocused(
  state: ScreenState,
  question: ScreenQuestion,
  timed: TimedPress,
): ScreenUpdate {
  const name = keyName(timed.press);
  if (name === 'escape') return decline(state, question);
  if (name === 'tab' && !state.completion) {
    return just(withQuestion(state, { ...question, phase: 'focused' }));
  }
  return pressPrompt(state, timed.press, timed.at);
}

function pressFocused(
  state: ScreenState,
  question: ScreenQuestion,
  timed: TimedPress,
): ScreenUpdate {
  const { press, at } = timed;
  const options = optionsOf(question);
  if (press.kind === 'text' && /^[1-9]$/.test(press.text)) {
    const selected = Number(press.text) - 1;
    return just(selected < options.length ? withQuestion(state, { ...question, selected }) : state);
  }
  if (press.kind === 'text' && press.text === ' ' && marksOptions(question)) {
    return choose(state, question);
  }
  switch (keyName(press)) {
    case 'up':
    case 'down':
      return just(withQuestion(state, moved(question, keyName(press) === 'up' ? -1 : 1)));
    case 'return':
      return choose(state, question);
    case 'tab':
      return just(withQuestion(state, { ...question, phase: 'waiting' }));
    case 'escape':
      return decline(state, question);
    case 'ctrl+c': {
      const { state: answered, effects } = decline(state, question);
      return just(answered, ...effects, { type: 'abort' });
    }
    case undefined:
      // Typed text belongs to the prompt, and so does the Enter after it.
      return pressPrompt(withQuestion(state, { ...question, phase: 'waiting' }), press, at);
    default:
      return pressPrompt(state, press, at);
  }
}

/** Whether space toggles the selected option, as in a list of checkboxes. */
function marksOptions(question: ScreenQuestion): boolean {
  if (question.kind !== 'agent' || !askedField(question)?.isMultiple) return false;
  const { answer: given } = optionsOf(question)[question.selected] ?? {};
  return typeof given === 'object' && 'pick' in given;
}

function moved(question: ScreenQuestion, step: 1 | -1): ScreenQuestion {
  const count = optionsOf(question).length;
  return { ...question, selected: (question.selected + step + count) % count };
}

function choose(state: ScreenState, question: ScreenQuestion): ScreenUpdate {
  const option = optionsOf(question)[question.selected];
  if (!option) return just(state);
  if (question.kind === 'trust') return answerTrust(state, option.answer === 'trust');
  return take(state, question, option.answer);
}

function take(
  state: ScreenState,
  question: AgentQuestion,
  given: QuestionOption['answer'],
): ScreenUpdate {
  switch (given) {
    case 'say_why':
      return just(withQuestion(state, beginWriting(question, 'why')));
    case 'write':
      return just(withQuestion(state, beginWriting(question, 'field')));
    case 'edit_plan': {
      const plan = planOf(state, question.asked);
      return just(withQuestion(state, beginWriting(question, 'plan', plan)));
    }
    case 'picked':
      if (question.picked.length === 0) return just(state);
      return fill(state, question, question.picked.join(', '));
    case 'trust':
    case 'distrust':
      return just(state);
    default:
  }
  if (typeof given !== 'object' || !('pick' in given)) return answer(state, question, given);
  if (!askedField(question)?.isMultiple) return fill(state, question, given.pick);
  const { picked } = question;
  const next = picked.includes(given.pick)
    ? picked.filter((label) => label !== given.pick)
    : [...picked, given.pick];
  return just(withQuestion(state, { ...question, picked: next }));
}

/** Fills in the current field; the last field submits the answer. */
function fill(state: ScreenState, question: AgentQuestion, text: string): ScreenUpdate {
  const field = askedField(question);
  if (!field) return just(state);
  const answers = { ...question.answers, [field.name]: text };
  const next = { ...question, answers, picked: [], selected: 0, writing: undefined };
  return askedField(next) ? just(withQuestion(state, next)) : answer(state, question, { answers });
}

function decline(state: ScreenState, question: ScreenQuestion): ScreenUpdate {
  return question.kind === 'trust' ? answerTrust(state, false) : answer(state, question, false);
}

function answerTrust(state: ScreenState, trusted: boolean): ScreenUpdate {
  return just(withoutQuestion(state, 'trust'), { type: 'answer_trust', trusted });
}

function answer(state: ScreenState, { id, asked }: AgentQuestion, given: LiveAnswer): ScreenUpdate {
  const line = asked.kind === 'permission' ? grantLine(given, asked.toolName) : undefined;
  const answered = withoutQuestion(state, id);
  return just(line === undefined ? answered : addNote(answered, { tone: 'grant', text: line }), {
    type: 'answer',
    questionId: id,
    answer: given,
  });
}

/** Every permission granted beyond this call is shown. */
function grantLine(given: LiveAnswer, toolName: string): string | undefined {
  if (given === 'allow-session') return `Allowed for this session: every call of ${toolName}`;
  if (typeof given !== 'object' || !('pattern' in given)) return undefined;
  return given.allow === 'session'
    ? `Allowed for this session: ${given.pattern}`
    : `Allowed always in this project: ${given.pattern} (${PROJECT_RULES_FILE})`;
}

type WrittenQuestion = AgentQuestion & {
  readonly writing: NonNullable<AgentQuestion['writing']>;
};

/** Enter submits the text; Escape returns to the choices. */
function pressWriting(
  state: ScreenState,
  question: WrittenQuestion,
  press: KeyPress,
): ScreenUpdate {
  const { purpose, editor } = question.writing;
  const rewritten = (next: typeof editor) =>
    just(withQuestion(state, { ...question, writing: { purpose, editor: next } }));
  switch (keyName(press)) {
    case 'escape':
      return just(withQuestion(state, { ...question, writing: undefined }));
    case 'ctrl+c':
      return rewritten(edit(editor, { type: 'clear' }));
    case 'return': {
      const text = editor.text.trim();
      if (purpose === 'plan') {
        const input = { ...question.asked.input, plan: editor.text };
        return answer(state, question, { allow: true, input });
      }
      if (purpose === 'field') return text === '' ? just(state) : fill(state, question, text);
      return answer(state, question, text === '' ? false : { deny: text });
    }
    default:
      return rewritten(purpose === 'plan' ? writtenLines(editor, press) : written(editor, press));
  }
}

/** A multi-line text after a key press. */
function writtenLines(editor: EditorState, press: KeyPress): EditorState {
  if (press.kind !== 'key') return edit(editor, { type: 'insert', text: press.text });
  switch (press.name) {
    case 'enter':
    case 'shift+return':
    case 'meta+return':
      return edit(editor, { type: 'insert', text: '\n' });
    case 'up':
    case 'down':
      return edit(editor, { type: 'move', motion: press.name });
    default:
      return written(editor, press);
  }
}
