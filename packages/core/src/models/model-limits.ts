import {
  MODEL_TABLE,
  type ModelLimits,
  type ModelRow,
  UNKNOWN_MODEL_LIMITS,
} from './model-table.ts';

/** Limits by model id, to correct the table or add custom models. */
export type ModelOverrides = Readonly<Record<string, Partial<ModelLimits>>>;

/** Limits of a model; unknown models get a conservative default. An override wins field by field. */
export function getModelLimits(model: string, overrides: ModelOverrides = {}): ModelLimits {
  const { contextWindow, maxOutputTokens } = findModelRow(model) ?? UNKNOWN_MODEL_LIMITS;
  return { contextWindow, maxOutputTokens, ...overrides[model] };
}

/** Display name of a model; its id if unknown. */
export function getModelName(model: string): string {
  return findModelRow(model)?.name ?? model;
}

/** `0K`, `<1K`, `1.5K`, `200K`, `1.2M`. */
export function formatTokenCount(tokens: number): string {
  if (tokens <= 0) return '0K';
  if (tokens < 1_000) return '<1K';
  if (tokens < 999_950) return `${oneDecimal(tokens / 1_000)}K`;
  return `${oneDecimal(tokens / 1_000_000)}M`;
}

/** The longest row id that is a prefix of the model's id, ignoring vendor path and region. */
export function findModelRow(model: string): ModelRow | undefined {
  const id = bareModelId(model);
  let best: ModelRow | undefined;
  for (const row of MODEL_TABLE) {
    if (startsWithId(id, row.id) && row.id.length > (best?.id.length ?? 0)) best = row;
  }
  return best;
}

/** `us.anthropic.claude-sonnet-4-5-v1:0` and `anthropic/claude-sonnet-4.5` are both claude-sonnet-4-5. */
export function bareModelId(model: string): string {
  const lastSegment = model.toLowerCase().split('/').at(-1) ?? '';
  const id = lastSegment.replace(/^(?:[a-z]+\.)*(?=claude-)/, '');
  return id.startsWith('claude-') ? id.replaceAll('.', '-') : id;
}

function startsWithId(id: string, prefix: string): boolean {
  if (!id.startsWith(prefix)) return false;
  const next = id.charAt(prefix.length);
  return next === '' || !/[a-z0-9]/.test(next);
}

function oneDecimal(value: number): string {
  return String(Math.round(value * 10) / 10);
}
