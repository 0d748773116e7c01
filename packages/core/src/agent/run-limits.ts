import type { RunLimits } from '../run/run.ts';
import { systemClock } from '../run/system-clock.ts';
import type { AgentConfig } from './agent-config.ts';
import { AgentConfigError } from './agent-config-error.ts';

const DEFAULT_MAX_ROUNDS = 10;
const DEFAULT_TOOL_CONCURRENCY = 5;
const DEFAULT_ABORT_GRACE_MS = 1_000;

/** Validates the configuration and fills in defaults. */
export function resolveRunLimits(config: AgentConfig): RunLimits {
  const { defaultModel, toolConcurrency, contextMaxTokens, maxExecutionRounds } = config;
  checkProvider(config.provider);
  checkMaxRounds(maxExecutionRounds);
  checkNumber('timeout', config.timeout, 0);
  checkNumber('abortGraceMs', config.abortGraceMs, 0);
  checkNumber('contextMaxTokens', contextMaxTokens, 1);
  checkNumber('toolConcurrency', toolConcurrency, 1);
  checkRetry(config.retry);
  return {
    maxRounds: maxExecutionRounds ?? DEFAULT_MAX_ROUNDS,
    idleTimeoutMs: config.timeout ?? 0,
    toolConcurrency: Math.floor(toolConcurrency ?? DEFAULT_TOOL_CONCURRENCY),
    abortGraceMs: config.abortGraceMs ?? DEFAULT_ABORT_GRACE_MS,
    contextMaxTokens,
    retry: config.retry ?? {},
    clock: config.clock ?? systemClock,
    maxTokens: defaultModel?.maxTokens,
    temperature: defaultModel?.temperature,
    stopSequences: config.stopSequences,
    fallbackModels: config.fallbackModels ?? [],
    cwd: config.cwd,
    sessionId: config.sessionId,
    ownerPath: config.ownerPath ?? [],
  };
}

export function checkMaxRounds(value: number | undefined): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0)) return;
  throw new AgentConfigError('maxExecutionRounds', 'must be a whole number, 0 for no cap');
}

export function checkProvider(provider: unknown): void {
  const { name, chat } = (provider ?? {}) as { name?: unknown; chat?: unknown };
  if (typeof name === 'string' && typeof chat === 'function') return;
  throw new AgentConfigError('provider', 'must have a name and a chat function');
}

function checkRetry(retry: AgentConfig['retry'] = {}): void {
  for (const [field, value] of Object.entries(retry)) checkNumber(`retry.${field}`, value, 0);
}

function checkNumber(field: string, value: unknown, min: number): void {
  if (value === undefined || (typeof value === 'number' && value >= min)) return;
  throw new AgentConfigError(field, `must be a number of at least ${min}`);
}
