import type { PermissionAnswer } from '@robota-sdk/agent-sdk';
import { edit } from '../editor/edit.ts';
import { EMPTY_EDITOR } from '../editor/editor-state.ts';
import type { KeyPress } from '../keys/key.ts';
import { addNote } from './notes.ts';
import { pressPrompt } from './press-prompt.ts';
import { keyName, written } from './press-text.ts';
import {
  beginRefusal,
  choicesOf,
  type PermissionQuestion,
  PROJECT_RULES_FILE,
  type Question,
  withoutQuestion,
  withQuestion,
} from './question.ts';
import { just, type ScreenUpdate } from './screen-action.ts';
import type { ScreenState } from './screen-state.ts';

/** A key while a question is asked: it answers only a question that has the focus. */
export function pressQuestion(
  state: ScreenState,
  question: Question,
  { press, at }: { readonly press: KeyPress; readonly at: number },
): ScreenUpdate {
  switch (question.phase) {
    case 'hidden':
    case 'opening':
      return pressPrompt(withQuestion(state, { ...question, isDisturbed: true }), press, at);
    case 'waiting':
      return pressBeside(state, question, { press, at });
    case 'focused':
      return question.kind === 'permission' && question.refusal
        ? pressRefusal(state, question, press)
        : pressFocused(state, question, { press, at });
  }
}

interface TimedPress {
  readonly press: KeyPress;
  readonly at: number;
}

/** The draft has the keys; Tab goes to the question, Escape says no to it. */
function pressBeside(state: ScreenState, question: Question, timed: TimedPress): ScreenUpdate {
  const name = keyName(timed.press);
  if (name === 'escape') return sayNo(state, question);
  if (name === 'tab' && !state.completion) {
    return just(withQuestion(state, { ...question, phase: 'focused' }));
  }
  return pressPrompt(state, timed.press, timed.at);
}

function pressFocused(state: ScreenState, question: Question, timed: TimedPress): ScreenUpdate {
  const { press, at } = timed;
  const choices = choicesOf(question);
  if (press.kind === 'text' && /^[1-9]$/.test(press.text)) {
    const selected = Number(press.text) - 1;
    return just(selected < choices.length ? withQuestion(state, { ...question, selected }) : state);
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
      return sayNo(state, question);
    case 'ctrl+c': {
      const { state: answered, effects } = sayNo(state, question);
      return just(answered, ...effects, { type: 'abort' });
    }
    case undefined:
      // What is written is meant for the draft, and so is the Enter behind it.
      return pressPrompt(withQuestion(state, { ...question, phase: 'waiting' }), press, at);
    default:
      return pressPrompt(state, press, at);
  }
}

function moved(question: Question, step: 1 | -1): Question {
  const count = choicesOf(question).length;
  return { ...question, selected: (question.selected + step + count) % count };
}

function choose(state: ScreenState, question: Question): ScreenUpdate {
  const choice = choicesOf(question)[question.selected];
  if (!choice) return just(state);
  if (question.kind === 'trust') return answerTrust(state, choice.answer === 'trust');
  if (choice.answer === 'say_why') return just(withQuestion(state, beginRefusal(question)));
  return answer(state, question, choice.answer as PermissionAnswer);
}

function sayNo(state: ScreenState, question: Question): ScreenUpdate {
  return question.kind === 'trust' ? answerTrust(state, false) : answer(state, question, false);
}

function answerTrust(state: ScreenState, trusted: boolean): ScreenUpdate {
  return just(withoutQuestion(state, 'trust'), { type: 'answer_trust', trusted });
}

function answer(
  state: ScreenState,
  { id, request }: PermissionQuestion,
  given: PermissionAnswer,
): ScreenUpdate {
  const line = grantLine(given, request.toolName);
  const answered = withoutQuestion(state, id);
  return just(line === undefined ? answered : addNote(answered, { tone: 'grant', text: line }), {
    type: 'answer_permission',
    requestId: id,
    answer: given,
  });
}

/** What is allowed from now on never goes by unseen. */
function grantLine(given: PermissionAnswer, toolName: string): string | undefined {
  if (given === 'allow-session') return `Allowed for this session: every call of ${toolName}`;
  if (typeof given !== 'object' || !('allow' in given)) return undefined;
  return given.allow === 'session'
    ? `Allowed for this session: ${given.pattern}`
    : `Allowed always in this project: ${given.pattern} (${PROJECT_RULES_FILE})`;
}

/** Enter denies with what was written; Escape goes back to the choices. */
function pressRefusal(
  state: ScreenState,
  question: PermissionQuestion,
  press: KeyPress,
): ScreenUpdate {
  const refusal = question.refusal ?? EMPTY_EDITOR;
  switch (keyName(press)) {
    case 'escape':
      return just(withQuestion(state, { ...question, refusal: undefined }));
    case 'ctrl+c':
      return just(withQuestion(state, { ...question, refusal: edit(refusal, { type: 'clear' }) }));
    case 'return': {
      const message = refusal.text.trim();
      return answer(state, question, message === '' ? false : { deny: message });
    }
    default:
      return just(withQuestion(state, { ...question, refusal: written(refusal, press) }));
  }
}
