import type { PermissionMode, Tool } from '@robota-sdk/agent-core';
import { createSchemaTool } from '@robota-sdk/agent-tools';
import type { AskQuestion, PreparedPrompt } from '../assembly/session-extension.ts';
import type { LiveAnswer } from '../live/live-question.ts';

export const EXIT_PLAN_MODE = 'ExitPlanMode';

export interface PlanToolParts {
  readonly ask: AskQuestion;
  readonly getMode: () => PermissionMode;
  readonly setMode: (mode: PermissionMode) => void;
}

/** The user's decision about a plan. */
type Decision =
  | { readonly mode: PermissionMode; readonly plan: string | undefined }
  | { readonly refusal: string };

/** Lets a model present its plan to the user, who approves, changes or rejects it. */
export function createPlanTool({ ask, getMode, setMode }: PlanToolParts): Tool {
  return createSchemaTool({
    name: EXIT_PLAN_MODE,
    description:
      'Puts your plan to the user once you are in plan mode and know what to do. When they approve it, plan mode ends and you carry the plan out as they left it; when they refuse, you go on planning.',
    parameters: {
      type: 'object',
      properties: {
        plan: {
          type: 'string',
          minLength: 1,
          description: 'The plan in Markdown, short and complete',
        },
      },
      required: ['plan'],
    },
    run: async ({ plan }, { signal, executionId }) => {
      if (getMode() !== 'plan') throw new Error('The session is not in plan mode; carry on.');
      const { answer, by } = await ask({
        kind: 'plan',
        toolName: EXIT_PLAN_MODE,
        toolArgs: { plan },
        toolCallId: executionId,
        signal,
      });
      if (by === 'nobody') {
        throw new Error(
          'Nobody is there to approve the plan. End your turn with the plan as your answer.',
        );
      }
      const decision = decisionOf(answer);
      if ('refusal' in decision) throw new Error(decision.refusal);
      setMode(decision.mode);
      return describeApproval(plan, decision.plan);
    },
  });
}

/** Prepends a reminder in plan mode, marked as not written by the user. */
export function withPlanReminder(prompt: PreparedPrompt, mode: PermissionMode): PreparedPrompt {
  if (mode !== 'plan') return prompt;
  const input = `<system-reminder>\n${PLAN_REMINDER}\n</system-reminder>\n${prompt.input}`;
  return { ...prompt, input };
}

const PLAN_REMINDER = `Plan mode is on: look, think and ask, but change nothing. When you know what to do, call ${EXIT_PLAN_MODE} with the plan; the user decides on it there.`;

function decisionOf(answer: LiveAnswer): Decision {
  if (answer === true || answer === 'allow') return { mode: 'default', plan: undefined };
  if (answer === 'allow-session') return { mode: 'acceptEdits', plan: undefined };
  if (typeof answer === 'object' && 'input' in answer) {
    const { plan } = answer.input;
    return { mode: 'default', plan: typeof plan === 'string' ? plan : undefined };
  }
  const words = typeof answer === 'object' && 'deny' in answer ? answer.deny.trim() : '';
  const said = words === '' ? '' : ` They said: ${words}`;
  return {
    refusal: `The user did not approve the plan.${said} Plan mode stays on; improve the plan.`,
  };
}

function describeApproval(proposed: string, changed: string | undefined): string {
  const rest = 'Plan mode is over: carry it out now.';
  if (changed === undefined || changed.trim() === proposed.trim()) {
    return `The user approved the plan. ${rest}`;
  }
  return `The user changed the plan and approved it as it stands here. ${rest}\n\n${changed}`;
}
