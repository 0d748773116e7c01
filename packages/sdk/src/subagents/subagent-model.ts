import {
  expandModelAlias,
  type ModelProvider,
  modelFamilyOf,
  providerFamilyOf,
} from '@robota-sdk/agent-core';

export interface ModelQuestion {
  /** What a definition or a caller wants; the parent's model when left out. */
  readonly wanted: string | undefined;
  readonly parentModel: string | undefined;
  readonly provider: ModelProvider;
}

export interface ResolvedModel {
  readonly model: string | undefined;
  /** Set when the wanted model belongs to another vendor. */
  readonly notice?: string;
}

/** Expands short names; a model of another vendor's family falls back to the parent's. */
export function resolveSubagentModel(question: ModelQuestion): ResolvedModel {
  const { wanted, parentModel, provider } = question;
  if (wanted === undefined || wanted === 'inherit') return { model: parentModel };
  const model = expandModelAlias(wanted);
  const family = modelFamilyOf(model);
  const home = familyOfParent(parentModel, provider);
  if (family === undefined || family === home) return { model };
  // Nothing says what the provider serves: its own default is no better guess than the wanted model.
  if (home === undefined && parentModel === undefined) return { model };
  return {
    model: parentModel,
    notice: `The model ${model} is not one of ${provider.name}; ${parentModel ?? 'its own model'} is used instead.`,
  };
}

function familyOfParent(parentModel: string | undefined, provider: ModelProvider) {
  const family = parentModel === undefined ? undefined : modelFamilyOf(parentModel);
  return family ?? providerFamilyOf(provider) ?? undefined;
}
