import {
  expandModelAlias,
  type ModelProvider,
  modelFamilyOf,
  providerFamilyOf,
} from '@robota-sdk/agent-core';

export interface SubagentModelRequest {
  /** The model named by the definition or the caller; defaults to the parent's. */
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
export function resolveSubagentModel(request: SubagentModelRequest): ResolvedModel {
  const { wanted, parentModel, provider } = request;
  if (wanted === undefined || wanted === 'inherit') return { model: parentModel };
  const model = expandModelAlias(wanted);
  const family = modelFamilyOf(model);
  const parentFamily = familyOfParent(parentModel, provider);
  if (family === undefined || family === parentFamily) return { model };
  // It is unknown what the provider serves, so its default is no better guess than the wanted model.
  if (parentFamily === undefined && parentModel === undefined) return { model };
  return {
    model: parentModel,
    notice: `The model ${model} is not one of ${provider.name}; ${parentModel ?? 'its own model'} is used instead.`,
  };
}

function familyOfParent(parentModel: string | undefined, provider: ModelProvider) {
  const family = parentModel === undefined ? undefined : modelFamilyOf(parentModel);
  return family ?? providerFamilyOf(provider) ?? undefined;
}
