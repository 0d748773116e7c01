import type { LiveAnswer, LiveChoice, LiveQuestion } from '@robota-sdk/agent-sdk';
import type { QuestionField, ToolDiff } from '@robota-sdk/agent-transcript';
import { type EditorState, EMPTY_EDITOR, expandPastes } from '../editor/editor-state.ts';
import type { ScreenState } from './screen-state.ts';

/** Something only a person can decide, asked while they may be typing something else. */
export type Question = AgentQuestion | TrustQuestion;

/**
 * Who has the keys. `hidden`: not on the screen. `opening`: drawn, but keys may still have been sent before that,
 * so they go to the draft. `waiting`: keys go to the draft until Tab. `focused`: keys answer.
 */
type QuestionPhase = 'hidden' | 'opening' | 'waiting' | 'focused';

interface AskedQuestion {
  readonly id: string;
  readonly phase: QuestionPhase;
  /** A key came shortly before it opened or while it did: it must not take the next one. */
  readonly isDisturbed: boolean;
  readonly selected: number;
}

/** What an agent asks, whichever it is. */
export interface AgentQuestion extends AskedQuestion {
  readonly kind: 'agent';
  readonly asked: LiveQuestion;
  /** What the call would change in a file, with the file's own line numbers. */
  readonly diff: ToolDiff | undefined;
  /** Present while the person writes: why not, words for the field that is asked, or another plan. */
  readonly writing: { readonly purpose: WritingPurpose; readonly editor: EditorState } | undefined;
  /** What was said to the fields before the one that is asked, by name. */
  readonly answers: Readonly<Record<string, string>>;
  /** Options chosen so far, of a field that takes several. */
  readonly picked: readonly string[];
}

export type WritingPurpose = 'why' | 'field' | 'plan';

export interface TrustQuestion extends AskedQuestion {
  readonly kind: 'trust';
  readonly directory: string;
  /** What the settings of an untrusted project would do, in words. */
  readonly pendingSettings: readonly string[];
}

/** One way to answer. */
export interface QuestionOption {
  readonly label: string;
  /** What it allows from now on, in the words of a rule, or what an option means. */
  readonly rule: string;
  readonly answer: LiveAnswer | OptionStep;
}

/** What does not answer yet, or answers something of our own. */
type OptionStep =
  | 'say_why'
  | 'write'
  | 'edit_plan'
  | 'picked'
  | 'trust'
  | 'distrust'
  | { readonly pick: string };

/** Milliseconds before a question opens in which a key press means that somebody is typing. */
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

/** Starts on "no": trust is never given by pressing Enter alone. */
export function trustQuestion(
  directory: string,
  pendingSettings: readonly string[],
): TrustQuestion {
  return { kind: 'trust', id: 'trust', directory, pendingSettings, selected: 1, ...UNSEEN };
}

const UNSEEN = { phase: 'hidden', isDisturbed: false } as const;

export function optionsOf(question: Question): readonly QuestionOption[] {
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

/** The field that wants an answer next; fields are asked one after the other. */
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

/** Approved as it is, in each way that is offered; changed first; or refused. */
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

/** Where rules for this project are kept. */
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

/** The question that is asked now; others wait behind it. */
export function currentQuestion(state: ScreenState): Question | undefined {
  return state.questions[0];
}

export function withQuestion(state: ScreenState, question: Question): ScreenState {
  return { ...state, questions: [question, ...state.questions.slice(1)] };
}

/** A question that is settled, wherever that happened. */
export function withoutQuestion(state: ScreenState, id: string): ScreenState {
  const questions = state.questions.filter((question) => question.id !== id);
  return questions.length === state.questions.length ? state : { ...state, questions };
}

/** The person begins to write; a plan is there already. */
export function beginWriting(
  question: AgentQuestion,
  purpose: WritingPurpose,
  text = '',
): AgentQuestion {
  const editor = text === '' ? EMPTY_EDITOR : { text, cursor: text.length, pastes: [] };
  return { ...question, writing: { purpose, editor } };
}

/** The plan a question is about; some agents say it only in the call that asks. */
export function planOf({ conversation }: ScreenState, asked: LiveQuestion): string {
  const call = conversation.blocks.findLast(
    (block) => block.type === 'tool_use' && block.toolUseId === asked.toolCallId,
  );
  const input = call?.type === 'tool_use' ? { ...call.input, ...asked.input } : asked.input;
  return typeof input.plan === 'string' ? input.plan : (asked.explanation ?? '');
}

/** What a person is writing in answer to a question; a plan that they have not changed is none of theirs. */
export function unsentWords(state: ScreenState, id: string): string {
  const question = state.questions.find((each) => each.id === id);
  if (question?.kind !== 'agent' || !question.writing) return '';
  const { purpose, editor } = question.writing;
  const words = expandPastes(editor).trim();
  const isPlan = purpose === 'plan' && words === planOf(state, question.asked).trim();
  return isPlan ? '' : words;
}

/** It was drawn, and every key sent before that has arrived: from now on it may take keys. */
export function settledQuestion(state: ScreenState, id: string): ScreenState {
  const question = currentQuestion(state);
  if (question?.id !== id || question.phase !== 'opening') return state;
  const isTyping = question.isDisturbed || state.editor.text !== '';
  return withQuestion(state, { ...question, phase: isTyping ? 'waiting' : 'focused' });
}

/** A question comes up as soon as nothing else has the screen, and goes down again when something takes it. */
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
