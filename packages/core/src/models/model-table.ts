/** Context window and maximum output of a model, in tokens. */
export interface ModelLimits {
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** A vendor whose models only that vendor's API serves. */
export type ModelFamily = 'anthropic' | 'openai' | 'google';

export interface ModelRow extends ModelLimits {
  /** Matches this id, or this id followed by a date or variant. */
  readonly id: string;
  readonly name: string;
}

/** Default model of each vendor's provider. */
export const DEFAULT_MODELS: Readonly<Record<ModelFamily, string>> = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-5.5',
  google: 'gemini-pro-latest',
};

/** Used if neither the session nor its provider names a model. */
export const UNNAMED_MODEL = 'claude-sonnet-4-5';

/** Short names used in settings, agents and commands. */
export const MODEL_ALIASES: Readonly<Record<string, string>> = {
  opus: 'claude-opus-4-6',
  sonnet: 'claude-sonnet-4-6',
  haiku: 'claude-haiku-4-5',
  fable: 'claude-fable-5',
  best: 'claude-opus-4-6',
  opusplan: 'claude-opus-4-6',
};

/** Ids by family, for models the table below does not list. */
export const FAMILY_PATTERNS: readonly (readonly [ModelFamily, RegExp])[] = [
  ['anthropic', /^claude\b/],
  ['openai', /^(?:gpt|chatgpt|codex|o\d)(?:[-.]|$)/],
  ['google', /^(?:gemini|gemma)\b/],
];

/** For unknown models. */
export const UNKNOWN_MODEL_LIMITS: ModelLimits = {
  contextWindow: 200_000,
  maxOutputTokens: 16_384,
};

/** Limits the price catalogue does not have (output), or that are needed without loading it (windows). */
export const MODEL_TABLE: readonly ModelRow[] = [
  row('claude-fable-5', 'Claude Fable 5', 1_000_000, 128_000),
  row('claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000),
  row('claude-opus-5', 'Claude Opus 5', 1_000_000, 128_000),
  row('claude-opus-4-8', 'Claude Opus 4.8', 1_000_000, 128_000),
  row('claude-opus-4-7', 'Claude Opus 4.7', 1_000_000, 128_000),
  row('claude-opus-4-6', 'Claude Opus 4.6', 1_000_000, 128_000),
  row('claude-opus-4-5', 'Claude Opus 4.5', 200_000, 64_000),
  row('claude-opus-4-1', 'Claude Opus 4.1', 200_000, 32_000),
  row('claude-opus-4', 'Claude Opus 4', 200_000, 32_000),
  row('claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, 64_000),
  row('claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, 64_000),
  row('claude-sonnet-4-6', 'Claude Sonnet 4.6', 1_000_000, 64_000),
  row('claude-sonnet-4-5', 'Claude Sonnet 4.5', 200_000, 64_000),
  row('claude-sonnet-4', 'Claude Sonnet 4', 200_000, 64_000),
  row('claude-haiku-4-5', 'Claude Haiku 4.5', 200_000, 64_000),
  row('claude-3-7-sonnet', 'Claude Sonnet 3.7', 200_000, 64_000),
  row('claude-3-5-sonnet', 'Claude Sonnet 3.5', 200_000, 8_192),
  row('claude-3-5-haiku', 'Claude Haiku 3.5', 200_000, 8_192),
  row('claude-3', 'Claude 3', 200_000, 4_096),
  row('gpt-6', 'GPT-6', 1_050_000, 128_000),
  row('gpt-5.6', 'GPT-5.6', 1_050_000, 128_000),
  row('gpt-5.5', 'GPT-5.5', 1_000_000, 128_000),
  row('gpt-5.4-mini', 'GPT-5.4 mini', 400_000, 128_000),
  row('gpt-5.4-nano', 'GPT-5.4 nano', 400_000, 128_000),
  row('gpt-5.4', 'GPT-5.4', 1_050_000, 128_000),
  row('gpt-5.3-codex', 'GPT-5.3 Codex', 400_000, 128_000),
  row('gpt-5.3', 'GPT-5.3', 128_000, 16_384),
  row('gpt-5', 'GPT-5', 400_000, 128_000),
  row('gpt-4.1', 'GPT-4.1', 1_000_000, 32_768),
  row('gpt-4o', 'GPT-4o', 128_000, 16_384),
  row('gpt-4-turbo', 'GPT-4 Turbo', 128_000, 4_096),
  row('gpt-oss', 'gpt-oss', 131_072, 131_072),
  row('o1', 'o1', 200_000, 100_000),
  row('o3', 'o3', 200_000, 100_000),
  row('o4-mini', 'o4-mini', 200_000, 100_000),
  row('gemini-pro-latest', 'Gemini Pro', 1_048_576, 65_536),
  row('gemini-flash-latest', 'Gemini Flash', 1_048_576, 65_536),
  row('gemini-3', 'Gemini 3', 1_000_000, 65_536),
  row('gemini-2.5', 'Gemini 2.5', 1_048_576, 65_536),
  row('gemini-2.0-flash', 'Gemini 2.0 Flash', 1_000_000, 8_192),
  row('deepseek-reasoner', 'DeepSeek Reasoner', 128_000, 64_000),
  row('deepseek-chat', 'DeepSeek Chat', 128_000, 8_192),
  row('qwen3', 'Qwen 3', 262_144, 32_768),
];

function row(id: string, name: string, contextWindow: number, maxOutputTokens: number): ModelRow {
  return { id, name, contextWindow, maxOutputTokens };
}
