import type { PlanEntry } from '@agentclientprotocol/sdk';
import { describeTool, type ToolUseBlock } from '@robota-sdk/agent-transcript';

/** The steps of a call that writes a plan; undefined for every other call. */
export function planEntries(call: ToolUseBlock): PlanEntry[] | undefined {
  if (describeTool(call).kind !== 'plan') return undefined;
  const { todos, plan, items } = call.input;
  const steps = [todos, plan, items].find((list) => Array.isArray(list) && list.length > 0);
  return (steps as readonly Step[] | undefined)?.map(entryOf);
}

type Step = Readonly<Record<string, unknown>>;

function entryOf(step: Step): PlanEntry {
  const texts = [step.content, step.step, step.description, step.text];
  const content = texts.find((text) => typeof text === 'string') ?? '';
  const { status, priority } = step;
  return {
    content: String(content),
    status: status === 'completed' || status === 'in_progress' ? status : 'pending',
    priority: priority === 'high' || priority === 'low' ? priority : 'medium',
  };
}
