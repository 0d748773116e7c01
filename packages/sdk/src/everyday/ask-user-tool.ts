import type { Tool } from '@robota-sdk/agent-core';
import { createSchemaTool, type ParametersOf } from '@robota-sdk/agent-tools';
import type { QuestionField } from '@robota-sdk/agent-transcript';
import type { AskQuestion } from '../assembly/session-extension.ts';

export const ASK_USER = 'AskUserQuestion';

const question = {
  type: 'object',
  properties: {
    question: { type: 'string', minLength: 1, description: 'The whole question' },
    header: { description: 'One or two words that name it', type: 'string' },
    options: {
      minItems: 2,
      maxItems: 6,
      type: 'array',
      items: {
        type: 'object',
        properties: { label: { type: 'string', minLength: 1 }, description: { type: 'string' } },
        required: ['label'],
      },
      description: 'What to choose from; the user may always answer in other words',
    },
    multiSelect: { description: 'Several options may be chosen', type: 'boolean' },
  },
  required: ['question', 'options'],
} as const;

/** Lets a model ask the user, on every surface. */
export function createAskUserTool(ask: AskQuestion): Tool {
  return createSchemaTool({
    name: ASK_USER,
    description:
      'Asks the user one to four questions with options when you cannot go on without a decision that is theirs. Do not ask what you can find out, and do not ask for permission: tools do that themselves.',
    parameters: {
      type: 'object',
      properties: { questions: { minItems: 1, maxItems: 4, type: 'array', items: question } },
      required: ['questions'],
    },
    run: async ({ questions }, { signal, executionId }) => {
      const { answer, by } = await ask({
        kind: 'choice',
        toolName: ASK_USER,
        toolArgs: { questions },
        toolCallId: executionId,
        fields: questions.map(toField),
        signal,
      });
      if (typeof answer === 'object' && 'answers' in answer) return describeAnswers(answer.answers);
      if (by === 'nobody') {
        throw new Error('Nobody is there to answer. Decide yourself and say what you assumed.');
      }
      const words =
        typeof answer === 'object' && 'deny' in answer ? ` They said: ${answer.deny}` : '';
      throw new Error(`The user did not answer.${words}`);
    },
  });
}

function toField(asked: ParametersOf<typeof question>): QuestionField {
  const { question: name, header, options, multiSelect } = asked;
  return { name, label: header ?? name, options, isMultiple: multiSelect === true };
}

function describeAnswers(answers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(answers).map(([name, words]) => `- ${name} ${words}`);
  return ['The user answered:', ...lines].join('\n');
}
