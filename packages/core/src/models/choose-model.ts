import { bareModelId } from './model-limits.ts';
import { DEFAULT_MODELS, FAMILY_PATTERNS, MODEL_ALIASES, type ModelFamily } from './model-table.ts';

/** The provider for which a model is chosen. */
export interface ModelProvider {
  readonly name: string;
  readonly model?: string | undefined;
  /** `model` is only the vendor's default. */
  readonly isDefaultModel?: boolean | undefined;
  /** The vendor whose models it serves; null for any vendor. */
  readonly modelFamily?: ModelFamily | null | undefined;
}

/** A configured model and its source. */
export interface ModelCandidate {
  readonly model: string | undefined;
  /** For messages: `the saved session`, a file. */
  readonly source: string;
  /** Configured for Claude Code, so it is used only with Claude. */
  readonly isForClaude?: boolean | undefined;
}

/** The chosen model, and notices about the others. */
export interface ChosenModel {
  readonly model: string | undefined;
  /** One sentence for each skipped candidate. */
  readonly notices: readonly string[];
}

/** Expands aliases such as `sonnet` and removes the `[1m]` that Claude Code appends. */
export function expandModelAlias(model: string): string {
  const bare = model.trim().replace(/\[1m\]$/i, '');
  const alias = bare.toLowerCase();
  return Object.hasOwn(MODEL_ALIASES, alias) ? (MODEL_ALIASES[alias] ?? bare) : bare;
}

/** The vendor of a model; undefined for models that several vendors serve. */
export function modelFamilyOf(model: string): ModelFamily | undefined {
  const id = bareModelId(expandModelAlias(model));
  return FAMILY_PATTERNS.find(([, pattern]) => pattern.test(id))?.[0];
}

/** The vendor whose models a provider serves; null for any vendor, undefined if unknown. */
export function providerFamilyOf(provider: ModelProvider): ModelFamily | null | undefined {
  if (provider.modelFamily !== undefined) return provider.modelFamily;
  const name = provider.name.toLowerCase();
  return (
    (provider.model === undefined ? undefined : modelFamilyOf(provider.model)) ??
    FAMILY_PATTERNS.find(([family]) => name.includes(family))?.[0]
  );
}

/**
 * The first candidate that the provider serves, else its own model or its vendor's default; candidates in order of
 * precedence.
 */
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

/** A provider may be configured with another vendor's model; then its vendor's default is used. */
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
