import type { Tool } from '@robota-sdk/agent-core';
import { createZodFunctionTool } from '@robota-sdk/agent-tools';
import type { QuestionField } from '@robota-sdk/agent-transcript';
import { z } from 'zod';
import type { AskQuestion } from '../assembly/session-extension.ts';

export const ASK_USER = 'AskUserQuestion';

const question = z.object({
  question: z.string().min(1).describe('The whole question'),
  header: z.string().optional().describe('One or two words that name it'),
  options: z
    .array(z.object({ label: z.string().min(1), description: z.string().optional() }))
    .min(2)
    .max(6)
    .describe('What to choose from; the user may always answer in other words'),
  multiSelect: z.boolean().optional().describe('Several options may be chosen'),
});

/** Lets a model ask the person it works for, on whichever surface that person is. */
export function createAskUserTool(ask: AskQuestion): Tool {
  return createZodFunctionTool(
    ASK_USER,
    'Asks the user one to four questions with options when you cannot go on without a decision that is theirs. Do not ask what you can find out, and do not ask for permission: tools do that themselves.',
    z.object({ questions: z.array(question).min(1).max(4) }),
    async ({ questions }, { signal, executionId }) => {
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
  );
}

function toField(asked: z.output<typeof question>): QuestionField {
  const { question: name, header, options, multiSelect } = asked;
  return { name, label: header ?? name, options, isMultiple: multiSelect === true };
}

function describeAnswers(answers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(answers).map(([name, words]) => `- ${name} ${words}`);
  return ['The user answered:', ...lines].join('\n');
}
