import { chooseModel, type ModelCandidate } from '@robota-sdk/agent-core';
import { familyOfProvider, type ProviderProfile } from '@robota-sdk/agent-sdk';
import { UsageError } from '../usage-error.ts';

export type ProviderKind = 'anthropic' | 'openai' | 'google' | 'ollama' | 'demo';

/** Which provider to build, and why that one. */
export interface ProviderChoice {
  readonly kind: ProviderKind;
  readonly model: string | undefined;
  readonly apiKey: string | undefined;
  readonly baseURL: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  /** Shown to the user: `ANTHROPIC_API_KEY is set`. */
  readonly reason: string;
  /** Which models of the settings were ignored, and why. */
  readonly notices: readonly string[];
}

export interface ProviderRequest {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  /** The current profile of the settings, and all of them by name. */
  readonly profile: ProviderProfile | undefined;
  readonly profiles: Readonly<Record<string, ProviderProfile>>;
  /** Models from the settings, highest precedence first; one applies only to its own vendor. */
  readonly models: readonly ModelCandidate[];
  readonly environment: NodeJS.ProcessEnv;
}

/** Accepted names of each provider kind. */
const ALIASES: Readonly<Record<string, ProviderKind>> = {
  anthropic: 'anthropic',
  claude: 'anthropic',
  openai: 'openai',
  'openai-compatible': 'openai',
  google: 'google',
  gemini: 'google',
  ollama: 'ollama',
  demo: 'demo',
};

/** API key variables by vendor, in order of preference. */
const KEY_VARIABLES: readonly (readonly [ProviderKind, readonly string[]])[] = [
  ['anthropic', ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN']],
  ['openai', ['OPENAI_API_KEY']],
  ['google', ['GEMINI_API_KEY', 'GOOGLE_API_KEY']],
  ['openai', ['OPENAI_BASE_URL']],
  ['ollama', ['OLLAMA_HOST']],
];

/** Precedence: flag, settings, environment, demo provider. */
export function chooseProvider(request: ProviderRequest): ProviderChoice {
  const choice = fromFlag(request) ?? fromProfile(request) ?? fromEnvironment(request) ?? DEMO;
  const baseURL = request.baseUrl ?? choice.baseURL;
  if (request.model !== undefined) return { ...choice, model: request.model, baseURL };
  return { ...choice, ...modelOf({ ...choice, baseURL }, request), baseURL };
}

/** A custom base URL may serve models of any vendor; a vendor serves only its own. */
function modelOf(
  { kind, model, baseURL }: ProviderChoice,
  { models, environment }: ProviderRequest,
): Pick<ProviderChoice, 'model' | 'notices'> {
  if (kind === 'demo') return { model, notices: [] };
  const isElsewhere =
    baseURL !== undefined || (kind === 'openai' && Boolean(environment.OPENAI_BASE_URL));
  const modelFamily = isElsewhere ? null : (familyOfProvider(kind) ?? null);
  return chooseModel([{ model, source: 'settings' }, ...models], { name: kind, modelFamily });
}

const DEMO: ProviderChoice = {
  kind: 'demo',
  model: undefined,
  apiKey: undefined,
  baseURL: undefined,
  options: {},
  reason: 'no key found',
  notices: [],
};

function fromFlag(request: ProviderRequest): ProviderChoice | undefined {
  const { provider, profiles, baseUrl } = request;
  if (provider === undefined) {
    if (baseUrl === undefined || request.profile) return undefined;
    return { ...DEMO, kind: 'openai', reason: '--base-url' };
  }
  const profile = profiles[provider];
  if (profile) return toChoice(profile, `--provider ${provider}`);
  const kind = ALIASES[provider.toLowerCase()];
  if (kind) return { ...DEMO, kind, reason: `--provider ${provider}` };
  const known = [...new Set([...Object.values(ALIASES), ...Object.keys(profiles)])];
  throw new UsageError(`Unknown provider "${provider}". Valid: ${known.join(' | ')}`);
}

function fromProfile({ profile }: ProviderRequest): ProviderChoice | undefined {
  if (!profile?.type && !profile?.name) return undefined;
  return toChoice(profile, 'settings');
}

function toChoice(profile: ProviderProfile, reason: string): ProviderChoice {
  const name = (profile.type ?? profile.name ?? '').toLowerCase();
  // Other vendors offer OpenAI-compatible endpoints.
  const kind = ALIASES[name] ?? (profile.baseURL ? 'openai' : undefined);
  if (!kind)
    throw new UsageError(
      `Provider type "${name}" is unknown; give its profile a baseURL or use ${Object.values(ALIASES).join(', ')}.`,
    );
  return {
    kind,
    model: profile.model,
    apiKey: profile.apiKey,
    baseURL: profile.baseURL,
    options: profile.options ?? {},
    reason,
    notices: [],
  };
}

function fromEnvironment({ environment }: ProviderRequest): ProviderChoice | undefined {
  for (const [kind, names] of KEY_VARIABLES) {
    const name = names.find((candidate) => environment[candidate]?.trim());
    if (name) return { ...DEMO, kind, reason: `${name} is set` };
  }
  return undefined;
}
