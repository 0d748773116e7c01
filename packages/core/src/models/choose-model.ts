import { bareModelId } from './model-limits.ts';
import { DEFAULT_MODELS, FAMILY_PATTERNS, MODEL_ALIASES, type ModelFamily } from './model-table.ts';

/** What is known of the provider that will be asked. */
export interface ModelProvider {
  readonly name: string;
  readonly model?: string | undefined;
  /** Nobody chose `model`: it is the vendor's default. */
  readonly isDefaultModel?: boolean | undefined;
  /** Whose models it serves; null where it serves anybody's. */
  readonly modelFamily?: ModelFamily | null | undefined;
}

/** A model that somebody named, and where. */
export interface ModelCandidate {
  readonly model: string | undefined;
  /** For people: `the saved session`, a file. */
  readonly source: string;
  /** Written for Claude Code, so it counts only where Claude is asked. */
  readonly isForClaude?: boolean | undefined;
}

/** The model that counts, and what to say about those that do not. */
export interface ChosenModel {
  readonly model: string | undefined;
  /** One sentence for each candidate that was passed over. */
  readonly notices: readonly string[];
}

/** `sonnet` and the like in full, without the `[1m]` that Claude Code writes behind a model. */
export function expandModelAlias(model: string): string {
  const bare = model.trim().replace(/\[1m\]$/i, '');
  const alias = bare.toLowerCase();
  return Object.hasOwn(MODEL_ALIASES, alias) ? (MODEL_ALIASES[alias] ?? bare) : bare;
}

/** The vendor a model belongs to; undefined for models that anybody may serve. */
export function modelFamilyOf(model: string): ModelFamily | undefined {
  const id = bareModelId(expandModelAlias(model));
  return FAMILY_PATTERNS.find(([, pattern]) => pattern.test(id))?.[0];
}

/** Whose models a provider serves; null where anybody's, undefined where nothing says so. */
export function providerFamilyOf(provider: ModelProvider): ModelFamily | null | undefined {
  if (provider.modelFamily !== undefined) return provider.modelFamily;
  const name = provider.name.toLowerCase();
  return (
    (provider.model === undefined ? undefined : modelFamilyOf(provider.model)) ??
    FAMILY_PATTERNS.find(([family]) => name.includes(family))?.[0]
  );
}

/** The first candidate that the provider serves, else its own model or its vendor's default; highest rank first. */
export function chooseModel(
  candidates: readonly ModelCandidate[],
  provider: ModelProvider,
): ChosenModel {
  const passedOver: { readonly model: string; readonly source: string }[] = [];
  let chosen: string | undefined;
  for (const { model: written, source, isForClaude } of candidates) {
    if (written === undefined || /^(?:default|inherit|)$/i.test(written.trim())) continue;
    const model = expandModelAlias(written);
    if (canServe(provider, model, isForClaude === true)) {
      chosen = model;
      break;
    }
    passedOver.push({ model: written, source });
  }
  const model = chosen ?? ownModelOf(provider);
  return {
    model,
    notices: passedOver.map(
      (each) =>
        `The model ${each.model} (${each.source}) is not one of ${provider.name}; ${model ?? 'its own model'} is used.`,
    ),
  };
}

/** A provider may have been made with another vendor's model; then its vendor's default is asked. */
function ownModelOf(provider: ModelProvider): string | undefined {
  const { model } = provider;
  if (model === undefined || canServe(provider, model, false)) return model;
  const home = providerFamilyOf(provider);
  return home ? DEFAULT_MODELS[home] : model;
}

function canServe(provider: ModelProvider, model: string, isForClaude: boolean): boolean {
  const home = providerFamilyOf(provider);
  const family = modelFamilyOf(model);
  if (home === undefined) return true;
  if (home !== null) return isForClaude ? home === 'anthropic' : (family ?? home) === home;
  return !isForClaude || modelFamilyOf(provider.model ?? '') === 'anthropic';
}
