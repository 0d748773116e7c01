import type { HookOutcome, ToolOutcome } from '@robota-sdk/agent-core';

/** The outcome for the model, with the feedback of PostToolUse hooks. */
export function withHookFeedback(outcome: ToolOutcome, hooks: HookOutcome): ToolOutcome {
  const replaced =
    hooks.updatedOutput === undefined ? outcome : { ...outcome, data: hooks.updatedOutput };
  const feedback = [hooks.blocked ? hooks.reason : undefined, hooks.additionalContext]
    .filter(Boolean)
    .join('\n');
  if (feedback === '') return replaced;
  return { ...replaced, data: addFeedback(replaced.data, feedback) };
}

/** JSON stays JSON: feedback becomes a field of an object, or a line after any other text. */
function addFeedback(data: unknown, feedback: string): unknown {
  const object = typeof data === 'string' ? parseObject(data) : data;
  if (typeof object === 'object' && object !== null && !Array.isArray(object)) {
    const extended = { ...object, hookFeedback: feedback };
    return typeof data === 'string' ? JSON.stringify(extended) : extended;
  }
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return `${text}\n\n<system-reminder>\nPostToolUse hook: ${feedback}\n</system-reminder>`.trimStart();
}

function parseObject(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Ordinary text that begins with a brace.
    return undefined;
  }
}
