import type { JsonObject } from '../json.ts';
import type { HookAnswer, HookEvent, HookOutcome } from './hook.ts';

/** The content of one answer: a failure of the hook itself, or the fields it sets. */
export type ReadAnswer =
  | { readonly failure: string }
  | { readonly failure?: undefined; readonly says: Partial<HookOutcome> };

/** Reads an answer in Claude Code's protocol: the exit code first, then JSON or plain text on stdout. */
export function readHookAnswer(answer: HookAnswer, event: HookEvent): ReadAnswer {
  const stdout = (answer.stdout ?? '').trim();
  const stderr = (answer.stderr ?? '').trim();
  if (answer.exitCode === 2) return { says: block(stderr || 'Blocked by hook') };
  if (answer.exitCode !== 0)
    return { failure: stderr || `ended with exit code ${answer.exitCode}` };
  if (stdout === '') return { says: {} };
  if (!stdout.startsWith('{')) return { says: { stdout } };
  const output = parseObject(stdout);
  if (output === undefined)
    return { failure: 'printed text that starts like JSON but is not valid JSON' };
  const problem = problemIn(output, event);
  return problem === undefined ? { says: readOutput(output) } : { failure: problem };
}

function block(reason: string): Partial<HookOutcome> {
  return { blocked: true, reason };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject; // Starts with `{`, so it is an object when it parses.
  } catch {
    return undefined;
  }
}

const DECISIONS = ['allow', 'deny', 'ask', 'defer'] as const;

/** A known field of the wrong type must not count as “no objection”. */
function problemIn(output: JsonObject, event: HookEvent): string | undefined {
  const specific = output.hookSpecificOutput;
  if (specific !== undefined && !isObject(specific)) return 'hookSpecificOutput is not an object';
  const fields = { ...specific };
  const named = fields.hookEventName;
  if (named !== undefined && named !== event) {
    return `hookSpecificOutput is for ${String(named)}, but the event is ${event}`;
  }
  return (
    wrongKind(output, 'continue', 'boolean') ??
    wrongKind(output, 'decision', 'string') ??
    wrongKind(output, 'reason', 'string') ??
    wrongKind(output, 'stopReason', 'string') ??
    wrongKind(output, 'systemMessage', 'string') ??
    wrongKind(fields, 'additionalContext', 'string') ??
    wrongKind(fields, 'permissionDecisionReason', 'string') ??
    wrongDecision(fields.permissionDecision) ??
    (fields.updatedInput !== undefined && !isObject(fields.updatedInput)
      ? 'updatedInput is not an object'
      : undefined)
  );
}

function wrongKind(
  output: JsonObject,
  field: string,
  kind: 'boolean' | 'string',
): string | undefined {
  const value = output[field];
  if (value === undefined || value === null || typeof value === kind) return undefined;
  return `${field} is not a ${kind}`;
}

function wrongDecision(value: unknown): string | undefined {
  if (value === undefined || DECISIONS.some((decision) => decision === value)) return undefined;
  return `permissionDecision is not one of ${DECISIONS.join(', ')}`;
}

function readOutput(output: JsonObject): Partial<HookOutcome> {
  const specific = isObject(output.hookSpecificOutput) ? output.hookSpecificOutput : {};
  const decision = readDecision(output, specific);
  const reason = text(specific.permissionDecisionReason) ?? text(output.reason);
  const updatedOutput =
    specific.updatedToolOutput ?? specific.updatedMCPToolOutput ?? output.updatedToolOutput;
  return {
    ...readBlock(output, decision, reason),
    ...given('permissionDecision', decision),
    ...(decision === undefined ? {} : given('permissionDecisionReason', reason)),
    ...given('updatedInput', isObject(specific.updatedInput) ? specific.updatedInput : undefined),
    ...given('updatedOutput', updatedOutput),
    ...given(
      'additionalContext',
      text(specific.additionalContext) ?? text(output.additionalContext),
    ),
    ...given('systemMessage', text(output.systemMessage)),
  };
}

function readDecision(output: JsonObject, specific: JsonObject): HookOutcome['permissionDecision'] {
  const decision = DECISIONS.find((known) => known === specific.permissionDecision);
  if (decision !== undefined) return decision;
  return output.decision === 'approve' ? 'allow' : undefined;
}

function readBlock(
  output: JsonObject,
  decision: HookOutcome['permissionDecision'],
  reason: string | undefined,
): Partial<HookOutcome> {
  if (output.continue === false) {
    const stopReason = text(output.stopReason) ?? 'Blocked by hook (continue: false)';
    return { ...block(stopReason), stop: { reason: stopReason } };
  }
  if (decision === 'deny') return block(reason ?? 'Blocked by hook (permissionDecision: deny)');
  if (output.decision === 'block' || output.decision === 'deny') {
    return block(reason ?? 'Blocked by hook');
  }
  return {};
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function given<Key extends string, Value>(key: Key, value: Value | undefined) {
  return value === undefined ? {} : { [key]: value };
}
