import type { PermissionAnswer, PermissionRequest } from '../interactive/permission-broker.ts';
import type { LiveAnswer, LiveChoice, LiveQuestion } from './live-question.ts';

/** A permission question of our own engine, as every surface shows questions. */
export function questionOf(request: PermissionRequest, thread = 'main'): LiveQuestion {
  const { requestId, toolName, toolArgs, toolCallId, explanation } = request;
  const pattern = explanation?.suggestedPattern;
  return {
    id: requestId,
    kind: 'permission',
    conversationId: thread,
    toolName,
    input: toolArgs,
    choices: choicesFor(pattern),
    ...(toolCallId !== undefined && { toolCallId }),
    ...(explanation?.reason !== undefined && { explanation: explanation.reason }),
    ...(pattern !== undefined && { pattern }),
  };
}

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

/** What an answer means to our own engine. Without a rule to write down, a lasting yes is a yes for this call. */
export function permissionAnswerOf(
  answer: LiveAnswer,
  pattern: string | undefined,
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
  if ('pattern' in answer) return answer;
  // A call with another input than the model gave would be another call: the model is told to make that one.
  return { deny: `Call it with this input instead: ${JSON.stringify(answer.input)}` };
}
