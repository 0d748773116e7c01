import type { PermissionAnswer, PermissionRequest } from '@robota-sdk/agent-sdk';
import type { ToolDiff } from '@robota-sdk/agent-transcript';
import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';
import type { ScreenState } from './screen-state.ts';

/** Something only a person can decide, asked while they may be typing something else. */
export type Question = PermissionQuestion | TrustQuestion;

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

export interface PermissionQuestion extends AskedQuestion {
  readonly kind: 'permission';
  readonly request: PermissionRequest;
  /** What the call would change in a file, with the file's own line numbers. */
  readonly diff: ToolDiff | undefined;
  /** Present while the person writes why not. */
  readonly refusal: EditorState | undefined;
}

export interface TrustQuestion extends AskedQuestion {
  readonly kind: 'trust';
  readonly directory: string;
  /** What the project's settings want to do. */
  readonly wishes: readonly string[];
}

/** One way to answer. */
export interface QuestionChoice {
  readonly label: string;
  /** What it allows from now on, in the words of a rule. */
  readonly rule: string;
  readonly answer: PermissionAnswer | 'say_why' | 'trust' | 'distrust';
}

/** Milliseconds before a question opens in which a key press means that somebody is typing. */
const TYPING_MS = 1_000;

export function permissionQuestion(
  request: PermissionRequest,
  diff: ToolDiff | undefined,
): PermissionQuestion {
  return {
    kind: 'permission',
    id: request.requestId,
    request,
    diff,
    refusal: undefined,
    selected: 0,
    ...UNSEEN,
  };
}

/** Starts on "no": trust is never given by pressing Enter alone. */
export function trustQuestion(directory: string, wishes: readonly string[]): TrustQuestion {
  return { kind: 'trust', id: 'trust', directory, wishes, selected: 1, ...UNSEEN };
}

const UNSEEN = { phase: 'hidden', isDisturbed: false } as const;

export function choicesOf(question: Question): readonly QuestionChoice[] {
  return question.kind === 'trust' ? TRUST_CHOICES : permissionChoices(question.request);
}

const TRUST_CHOICES: readonly QuestionChoice[] = [
  { label: 'Yes, I know where they come from', rule: '', answer: 'trust' },
  { label: 'No, go on without them', rule: '', answer: 'distrust' },
];

/** Where rules for this project are kept. */
export const PROJECT_RULES_FILE = '.robota/settings.local.json';

function permissionChoices({ toolName, explanation }: PermissionRequest): QuestionChoice[] {
  const pattern = explanation?.suggestedPattern;
  const once: QuestionChoice = { label: 'Yes, once', rule: '', answer: true };
  const no: QuestionChoice = { label: 'No, and say why', rule: '', answer: 'say_why' };
  if (pattern === undefined) {
    const rule = `every call of ${toolName}`;
    return [once, { label: 'Yes, for this session', rule, answer: 'allow-session' }, no];
  }
  return [
    once,
    { label: 'Yes, for this session', rule: pattern, answer: { allow: 'session', pattern } },
    {
      label: 'Yes, always in this project',
      rule: `${pattern} in ${PROJECT_RULES_FILE}`,
      answer: { allow: 'project', pattern },
    },
    no,
  ];
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

/** The person begins to write why not. */
export function beginRefusal(question: PermissionQuestion): PermissionQuestion {
  return { ...question, refusal: EMPTY_EDITOR };
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
