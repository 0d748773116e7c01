import type {
  HooksConfig,
  ModelCandidate,
  PermissionMode,
  TrustLevel,
} from '@robota-sdk/agent-core';
import type {
  AgentSettings,
  AutoCompactSetting,
  MarketplaceSetting,
  McpServerSetting,
  ProviderProfile,
  TransportSetting,
} from './settings.ts';

/** Everything the layers say together. All of it may also be written by hand and given in code. */
export interface ResolvedConfig {
  readonly defaultTrustLevel?: TrustLevel | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly language?: string | undefined;
  /** The current provider profile; the caller builds the provider from it. */
  readonly provider?: ProviderProfile | undefined;
  /** Every model the settings name, highest rank first; what is chosen depends on the provider. */
  readonly models?: readonly ConfiguredModel[] | undefined;
  readonly currentProvider?: string | undefined;
  readonly providers?: Readonly<Record<string, ProviderProfile>> | undefined;
  readonly permissions?: ResolvedPermissions | undefined;
  /** Variables for commands, hooks and servers that the agent starts. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly hooks?: HooksConfig | undefined;
  /** Neither these hooks nor those of plugins run; hooks given in code do. */
  readonly disableAllHooks?: boolean | undefined;
  readonly enabledPlugins?: Readonly<Record<string, boolean>> | undefined;
  readonly extraKnownMarketplaces?: Readonly<Record<string, MarketplaceSetting>> | undefined;
  readonly autoCompactThreshold?: AutoCompactSetting | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServerSetting>> | undefined;
  readonly agents?: Readonly<Record<string, AgentSettings>> | undefined;
  readonly transports?: Readonly<Record<string, TransportSetting>> | undefined;
  /** Where a server keeps who talks where. */
  readonly store?: string | undefined;
  readonly sandbox?: 'on' | 'auto' | 'off' | undefined;
  /** Variables that commands see although they are named like secrets. */
  readonly toolEnv?: { readonly pass?: readonly string[] | undefined } | undefined;
  readonly vault?: boolean | undefined;
  readonly statusline?: {
    readonly enabled?: boolean | undefined;
    readonly gitBranch?: boolean | undefined;
  };
}

export interface ConfiguredModel extends ModelCandidate {
  /** Said for this start alone, on the command line or in the environment. */
  readonly isExplicit?: boolean | undefined;
}

/** The permission rules of all layers together. */
export interface ResolvedPermissions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly additionalDirectories?: readonly string[];
  /** The highest layer that forbids `bypassPermissions`; a higher layer that does not mention it lifts nothing. */
  readonly bypassForbiddenBy?: string;
  /** Which file a rule came from. */
  readonly layers?: Readonly<Record<string, string>>;
}

/** The threshold for one model: its own, the table's default, or the one for all. */
export function autoCompactThresholdFor(
  setting: AutoCompactSetting | undefined,
  model: string,
): number | false | undefined {
  if (typeof setting !== 'object') return setting;
  return setting[model] ?? setting.default;
}
