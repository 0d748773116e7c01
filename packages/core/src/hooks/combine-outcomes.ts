import type { HookOutcome } from './hook.ts';

/** Merges the outcome of one more hook. Texts are joined, the strictest decision wins, a later replacement wins. */
export function combineOutcomes(sofar: HookOutcome, says: Partial<HookOutcome>): HookOutcome {
  const firstBlock = !sofar.blocked && says.blocked === true;
  return {
    ...sofar,
    ...says,
    blocked: sofar.blocked || says.blocked === true,
    ...optional('reason', firstBlock ? says.reason : sofar.reason),
    ...optional('stop', sofar.stop ?? says.stop),
    ...strictest(sofar, says),
    ...optional('stdout', joined(sofar.stdout, says.stdout)),
    ...optional('additionalContext', joined(sofar.additionalContext, says.additionalContext)),
    ...optional('systemMessage', joined(sofar.systemMessage, says.systemMessage)),
    failures: [...sofar.failures, ...(says.failures ?? [])],
  };
}

const STRICTNESS = { allow: 0, ask: 1, defer: 2, deny: 3 } as const;

function strictest(sofar: HookOutcome, says: Partial<HookOutcome>): Partial<HookOutcome> {
  const older = sofar.permissionDecision;
  const newer = says.permissionDecision;
  if (older === undefined || (newer !== undefined && STRICTNESS[newer] > STRICTNESS[older])) {
    return decisionOf(says);
  }
  return decisionOf(sofar);
}

function decisionOf(outcome: Partial<HookOutcome>): Partial<HookOutcome> {
  return {
    ...optional('permissionDecision', outcome.permissionDecision),
    ...optional('permissionDecisionReason', outcome.permissionDecisionReason),
  };
}

function joined(older: string | undefined, newer: string | undefined): string | undefined {
  if (older === undefined || newer === undefined) return older ?? newer;
  return `${older}\n${newer}`;
}

function optional<Key extends keyof HookOutcome>(
  key: Key,
  value: HookOutcome[Key],
): Partial<HookOutcome> {
  return value === undefined ? {} : ({ [key]: value } as Partial<HookOutcome>);
}
