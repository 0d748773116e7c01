import type { HookAnswer, HookInput } from '@robota-sdk/agent-core';

/** Events on which a hook only adds context for the model. */
const CONTEXT_EVENTS: ReadonlySet<HookInput['hook_event_name']> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'SubagentStart',
]);

export function addsContext(input: HookInput): boolean {
  return CONTEXT_EVENTS.has(input.hook_event_name);
}

/** The prompt that asks a model to judge an event; `$ARGUMENTS` is replaced with the event. */
export function verdictQuestion(instruction: string, input: HookInput): string {
  const facts = JSON.stringify(input, null, 2);
  const asked = instruction.includes('$ARGUMENTS')
    ? instruction.replaceAll('$ARGUMENTS', () => facts)
    : `${instruction}\n\nContext:\n${facts}`;
  return `${asked}\n\n${ANSWER_FORM}`;
}

export const ANSWER_FORM = 'Respond with JSON: { "ok": boolean, "reason"?: string }';

/** `{ ok: false }` blocks; an invalid answer is a failure of the hook. */
export function readVerdict(text: string): HookAnswer {
  const verdict = parseVerdict(text);
  if (typeof verdict?.ok !== 'boolean') {
    const received = text.trim().slice(0, 200) || 'nothing';
    return {
      exitCode: 1,
      stderr: `the model was to answer {"ok": true or false} and said: ${received}`,
    };
  }
  const reason = typeof verdict.reason === 'string' ? verdict.reason : '';
  if (verdict.ok) return { exitCode: 0, stdout: '' };
  return { exitCode: 2, stderr: reason || 'Blocked by hook' };
}

/** Models often wrap JSON in a code fence or in prose. */
function parseVerdict(
  text: string,
): { readonly ok?: unknown; readonly reason?: unknown } | undefined {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1)) as { ok?: unknown; reason?: unknown };
  } catch {
    return undefined;
  }
}
