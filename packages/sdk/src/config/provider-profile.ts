import { chooseModel, type ModelFamily, modelFamilyOf } from '@robota-sdk/agent-core';
import { describeProblem, type SettingsLayer } from './read-layer.ts';
import type { ConfiguredModel } from './resolved-config.ts';
import type { ProviderProfile, Settings } from './settings.ts';

/** The selected profile; an invalid selection is ignored with a notice. */
export function currentProfile(
  { currentProvider, providers, provider }: Settings,
  { layers, notices }: { readonly layers: readonly SettingsLayer[]; readonly notices: string[] },
): ProviderProfile | undefined {
  if (!currentProvider) return provider;
  const chosen = providers?.[currentProvider];
  if (chosen?.type) return chosen;
  const source = layers.find((layer) => layer.settings.currentProvider)?.source ?? 'settings';
  const [field, problem] = chosen
    ? [`providers.${currentProvider}.type`, 'a provider profile needs a type; left out']
    : ['currentProvider', `"${currentProvider}" was not found in providers; left out`];
  notices.push(describeProblem(source, field, problem));
  return provider;
}

/** Every model the layers name, in order: invocation and our own files, the profile, Claude Code's files. */
export function configuredModels(
  layers: readonly SettingsLayer[],
  profile: ProviderProfile | undefined,
): ConfiguredModel[] {
  const named = layers.flatMap(({ settings: { model }, source, scope, isForeign = false }) =>
    model ? [{ model, source, isExplicit: scope === 'invocation', isForClaude: isForeign }] : [],
  );
  const ofProfile = profile?.model ? [{ model: profile.model, source: 'settings' }] : [];
  return [
    ...named.filter((each) => !each.isForClaude),
    ...ofProfile,
    ...named.filter((each) => each.isForClaude),
  ];
}

/** The profile with the model chosen for its vendor. */
export function withModel(
  profile: ProviderProfile | undefined,
  models: readonly ConfiguredModel[],
): ProviderProfile | undefined {
  const { model: _own, ...others } = profile ?? {};
  const { model } = chooseModel(models, {
    name: profile?.type ?? 'the provider',
    modelFamily: familyOf(profile),
  });
  return profile || model ? { ...others, ...(model && { model }) } : undefined;
}

const FAMILIES: Readonly<Record<string, ModelFamily>> = {
  anthropic: 'anthropic',
  claude: 'anthropic',
  openai: 'openai',
  google: 'google',
  gemini: 'google',
};

/** The model family a provider of this type serves; undefined when it may serve any. */
export function familyOfProvider(type: string): ModelFamily | undefined {
  return FAMILIES[type.toLowerCase()];
}

/** Null when the provider may serve any model, such as a custom address; undefined without a type. */
function familyOf(profile: ProviderProfile | undefined): ModelFamily | null | undefined {
  if (profile?.type === undefined) return undefined;
  const family = familyOfProvider(profile.type);
  if (profile.baseURL && profile.model && modelFamilyOf(profile.model) !== family) return null;
  return family ?? null;
}
