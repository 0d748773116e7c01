import type { LiveAnswer, LiveChoice, LiveQuestion } from '@robota-sdk/agent-sdk';
import type { QuestionField, ToolDiff } from '@robota-sdk/agent-transcript';
import { type EditorState, EMPTY_EDITOR, expandPastes } from '../editor/editor-state.ts';
import type { ScreenState } from './screen-state.ts';

/** A question to the user, which may open while they are typing something else. */
export type ScreenQuestion = AgentQuestion | TrustQuestion;

/**
 * Who receives the keys. `hidden`: not on the screen. `opening`: drawn, but keys may have been sent before that, so they
 * go to the prompt. `waiting`: keys go to the prompt until Tab. `focused`: keys answer the question.
 */
type QuestionPhase = 'hidden' | 'opening' | 'waiting' | 'focused';

interface AskedQuestion {
  readonly id: string;
  readonly phase: QuestionPhase;
  /** A key arrived shortly before or while it opened, so it must not receive the next one. */
  readonly isDisturbed: boolean;
  readonly selected: number;
}

/** A question of an agent: permission, plan, choice or form. */
export interface AgentQuestion extends AskedQuestion {
  readonly kind: 'agent';
  readonly asked: LiveQuestion;
  /** The change that the call would make to a file, with the file's line numbers. */
  readonly diff: ToolDiff | undefined;
  /** Present while the user writes a reason, a field value or a changed plan. */
  readonly writing: { readonly purpose: WritingPurpose; readonly editor: EditorState } | undefined;
  /** Answers to the previous fields, by field name. */
  readonly answers: Readonly<Record<string, string>>;
  /** Options selected so far in a multiple-choice field. */
  readonly picked: readonly string[];
}

export type WritingPurpose = 'why' | 'field' | 'plan';

export interface TrustQuestion extends AskedQuestion {
  readonly kind: 'trust';
  readonly directory: string;
  /** Descriptions of what the untrusted project's settings would do. */
  readonly pendingSettings: readonly string[];
}

export interface QuestionOption {
  readonly label: string;
  /** The permission rule it grants, or the description of the option. */
  readonly rule: string;
  readonly answer: LiveAnswer | OptionStep;
}

/** Steps that need further input before answering, and the answers to a trust question. */
type OptionStep =
  | 'say_why'
  | 'write'
  | 'edit_plan'
  | 'picked'
  | 'trust'
  | 'distrust'
  | { readonly pick: string };

/** A key press within this many milliseconds before a question opens means that the user is typing. */
const TYPING_MS = 1_000;

export function agentQuestion(asked: LiveQuestion, diff: ToolDiff | undefined): AgentQuestion {
  return {
    kind: 'agent',
    id: asked.id,
    asked,
    diff,
    writing: undefined,
    answers: {},
    picked: [],
    selected: 0,
    ...UNSEEN,
  };
}

/** Preselects "no": Enter alone never grants trust. */
export function trustQuestion(
  directory: string,
  pendingSettings: readonly string[],
): TrustQuestion {
  return { kind: 'trust', id: 'trust', directory, pendingSettings, selected: 1, ...UNSEEN };
}

const UNSEEN = { phase: 'hidden', isDisturbed: false } as const;

export function optionsOf(question: ScreenQuestion): readonly QuestionOption[] {
  if (question.kind === 'trust') return TRUST_OPTIONS;
  const field = askedField(question);
  if (field) return fieldOptions(field, question.picked);
  return question.asked.kind === 'plan'
    ? planOptions(question.asked)
    : permissionOptions(question.asked);
}

const TRUST_OPTIONS: readonly QuestionOption[] = [
  { label: 'Yes, I know where they come from', rule: '', answer: 'trust' },
  { label: 'No, go on without them', rule: '', answer: 'distrust' },
];

/** The next unanswered field; fields are asked one at a time. */
export function askedField({ asked, answers }: AgentQuestion): QuestionField | undefined {
  if (asked.kind !== 'choice' && asked.kind !== 'form') return undefined;
  return asked.fields?.find(({ name }) => !Object.hasOwn(answers, name));
}

function fieldOptions(field: QuestionField, picked: readonly string[]): QuestionOption[] {
  const mark = (label: string) => {
    if (!field.isMultiple) return '';
    return picked.includes(label) ? '☑ ' : '☐ ';
  };
  const options = field.options.map(({ label, description = '' }) => ({
    label: `${mark(label)}${label}`,
    rule: description,
    answer: { pick: label },
  }));
  const rule = picked.length === 0 ? 'nothing is marked yet' : picked.join(', ');
  const done: QuestionOption = { label: 'That is all', rule, answer: 'picked' };
  return [
    ...options,
    ...(field.isMultiple ? [done] : []),
    { label: 'Something else', rule: '', answer: 'write' },
    { label: 'No answer', rule: '', answer: false },
  ];
}

const GO_AHEAD = 'Yes, go ahead';

/** Approve in each offered way, change the plan first, or refuse. */
function planOptions({ choices }: LiveQuestion): QuestionOption[] {
  const yes = choices.flatMap(({ answer, label }) =>
    answer === 'deny' ? [] : [{ label: label === 'Yes' ? GO_AHEAD : label, rule: '', answer }],
  );
  return [
    ...yes,
    { label: 'Change the plan first', rule: '', answer: 'edit_plan' },
    { label: 'No, and say why', rule: '', answer: 'say_why' },
  ];
}

/** Permission rules of this project are saved here. */
export const PROJECT_RULES_FILE = '.robota/settings.local.json';

function permissionOptions(asked: LiveQuestion): QuestionOption[] {
  return asked.choices.flatMap((choice) => permissionOption(choice, asked) ?? []);
}

function permissionOption(
  { answer }: LiveChoice,
  { toolName, pattern }: LiveQuestion,
): QuestionOption | undefined {
  switch (answer) {
    case 'allow':
      return { label: 'Yes, once', rule: '', answer: true };
    case 'allow-session': {
      const label = 'Yes, for this session';
      if (pattern === undefined) return { label, rule: `every call of ${toolName}`, answer };
      return { label, rule: pattern, answer: { allow: 'session', pattern } };
    }
    case 'allow-project':
      return pattern === undefined
        ? undefined
        : {
            label: 'Yes, always in this project',
            rule: `${pattern} in ${PROJECT_RULES_FILE}`,
            answer: { allow: 'project', pattern },
          };
    case 'deny':
      return { label: 'No, and say why', rule: '', answer: 'say_why' };
  }
}

/** The question shown now; the others are queued. */
export function currentQuestion(state: ScreenState): ScreenQuestion | undefined {
  return state.questions[0];
}

export function withQuestion(state: ScreenState, question: ScreenQuestion): ScreenState {
  return { ...state, questions: [question, ...state.questions.slice(1)] };
}

/** Removes a question that was answered here or elsewhere. */
export function withoutQuestion(state: ScreenState, id: string): ScreenState {
  const questions = state.questions.filter((question) => question.id !== id);
  return questions.length === state.questions.length ? state : { ...state, questions };
}

/** Opens the text field of a question; a plan is prefilled. */
export function beginWriting(
  question: AgentQuestion,
  purpose: WritingPurpose,
  text = '',
): AgentQuestion {
  const editor = text === '' ? EMPTY_EDITOR : { text, cursor: text.length, pastes: [] };
  return { ...question, writing: { purpose, editor } };
}

/** The plan in question; some agents send it only in the tool call that asks. */
export function planOf({ conversation }: ScreenState, asked: LiveQuestion): string {
  const call = conversation.blocks.findLast(
    (block) => block.type === 'tool_use' && block.toolUseId === asked.toolCallId,
  );
  const input = call?.type === 'tool_use' ? { ...call.input, ...asked.input } : asked.input;
  return typeof input.plan === 'string' ? input.plan : (asked.explanation ?? '');
}

/** The unsent text of an answer; empty for a plan that the user has not changed. */
export function unsentWords(state: ScreenState, id: string): string {
  const question = state.questions.find((each) => each.id === id);
  if (question?.kind !== 'agent' || !question.writing) return '';
  const { purpose, editor } = question.writing;
  const words = expandPastes(editor).trim();
  const isPlan = purpose === 'plan' && words === planOf(state, question.asked).trim();
  return isPlan ? '' : words;
}

/** The question was drawn and every key sent before that has arrived: it may receive keys now. */
export function settledQuestion(state: ScreenState, id: string): ScreenState {
  const question = currentQuestion(state);
  if (question?.id !== id || question.phase !== 'opening') return state;
  const isTyping = question.isDisturbed || state.editor.text !== '';
  return withQuestion(state, { ...question, phase: isTyping ? 'waiting' : 'focused' });
}

/** Shows the question when no overlay is open and hides it when one opens; undefined when nothing changes. */
export function shownQuestion(state: ScreenState, at: number): ScreenState | undefined {
  const question = currentQuestion(state);
  if (!question) return undefined;
  if (state.overlay) {
    return question.phase === 'hidden'
      ? undefined
      : withQuestion(state, { ...question, ...UNSEEN });
  }
  if (question.phase !== 'hidden') return undefined;
  const isDisturbed = at - state.lastPressAt < TYPING_MS;
  return withQuestion(state, { ...question, phase: 'opening', isDisturbed });
}
