const SHORTCUTS: ReadonlyMap<string, string> = new Map([
  ['sonnet', 'claude-sonnet-4-6'],
  ['haiku', 'claude-haiku-4-5'],
  ['opus', 'claude-opus-4-6'],
]);

const FAMILIES: readonly (readonly [string, RegExp])[] = [
  ['anthropic', /^claude\b/i],
  ['openai', /^(?:gpt|chatgpt|codex|o\d)(?:[-.]|$)/i],
  ['google', /^(?:gemini|gemma)\b/i],
];

export interface ModelQuestion {
  /** What a definition or a caller wants; the parent's model when left out. */
  readonly wanted: string | undefined;
  readonly parentModel: string | undefined;
  readonly providerName: string;
}

export interface ResolvedModel {
  readonly model: string | undefined;
  /** Set when the wanted model belongs to another vendor. */
  readonly notice?: string;
}

/** Expands shortcuts; a model of another vendor's family falls back to the parent's. */
export function resolveSubagentModel(question: ModelQuestion): ResolvedModel {
  const { wanted, parentModel, providerName } = question;
  if (wanted === undefined || wanted === 'inherit') return { model: parentModel };
  const model = SHORTCUTS.get(wanted.toLowerCase()) ?? wanted;
  const family = familyOf(model);
  const home = familyOf(parentModel ?? '') ?? familyNamed(providerName);
  if (family === undefined || family === home) return { model };
  // Nothing says what the provider serves: its own default is no better guess than the wanted model.
  if (home === undefined && parentModel === undefined) return { model };
  return {
    model: parentModel,
    notice: `The model ${model} is not one of ${providerName}; ${parentModel ?? 'its own model'} is used instead.`,
  };
}

function familyOf(model: string): string | undefined {
  return FAMILIES.find(([, pattern]) => pattern.test(model))?.[0];
}

function familyNamed(providerName: string): string | undefined {
  return FAMILIES.find(([family]) => providerName.toLowerCase().includes(family))?.[0];
}
