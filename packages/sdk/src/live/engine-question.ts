import type { QuestionKind } from '@robota-sdk/agent-transcript';
import type { EngineQuestion, PermissionAnswer } from '../interactive/permission-broker.ts';
import type { LiveAnswer, LiveChoice, LiveQuestion } from './live-question.ts';

/** Converts a question of our own engine to the format of all surfaces. */
export function questionOf(request: EngineQuestion, thread = 'main'): LiveQuestion {
  const { requestId, toolName, toolArgs, toolCallId, explanation, fields } = request;
  const { kind = 'permission' } = request;
  const pattern = explanation?.suggestedPattern;
  return {
    id: requestId,
    kind,
    conversationId: thread,
    toolName,
    input: toolArgs,
    choices: kind === 'permission' ? choicesFor(pattern) : CHOICES[kind],
    ...(fields !== undefined && { fields }),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(explanation?.reason !== undefined && { explanation: explanation.reason }),
    ...(pattern !== undefined && { pattern }),
  };
}

const NO_ANSWER: readonly LiveChoice[] = [{ answer: 'deny', label: 'No answer' }];

/** Approving a plan also chooses how its changes are permitted. */
const CHOICES: Readonly<Record<Exclude<QuestionKind, 'permission'>, readonly LiveChoice[]>> = {
  plan: [
    { answer: 'allow', label: 'Yes, and ask before each change' },
    { answer: 'allow-session', label: 'Yes, and accept edits' },
    { answer: 'deny', label: 'No, keep planning' },
  ],
  choice: NO_ANSWER,
  form: NO_ANSWER,
};

function choicesFor(pattern: string | undefined): readonly LiveChoice[] {
  const session: LiveChoice = {
    answer: 'allow-session',
    label: `Yes, and do not ask again in this session${pattern ? ` for ${pattern}` : ''}`,
  };
  const project: LiveChoice = {
    answer: 'allow-project',
    label: `Yes, and do not ask again in this project for ${pattern}`,
  };
  return [
    { answer: 'allow', label: 'Yes' },
    session,
    ...(pattern === undefined ? [] : [project]),
    { answer: 'deny', label: 'No' },
  ];
}

/** Converts an answer to our own engine's format; without a pattern to store, `allow-project` allows this call only. */
export function permissionAnswerOf(
  answer: LiveAnswer,
  pattern?: string | undefined,
): PermissionAnswer {
  if (typeof answer === 'boolean') return answer;
  switch (answer) {
    case 'allow':
      return true;
    case 'deny':
      return false;
    case 'allow-session':
      return pattern === undefined ? answer : { allow: 'session', pattern };
    case 'allow-project':
      return pattern === undefined ? true : { allow: 'project', pattern };
    default:
  }
  if ('deny' in answer) return answer;
  if ('answers' in answer) return { deny: `The answer is ${JSON.stringify(answer.answers)}` };
  return answer;
}
