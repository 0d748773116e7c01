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

/** The merged settings of all layers; may also be given in code. */
export interface ResolvedConfig {
  readonly defaultTrustLevel?: TrustLevel | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly language?: string | undefined;
  /** The current provider profile; the caller builds the provider from it. */
  readonly provider?: ProviderProfile | undefined;
  /** Every model the settings name, highest precedence first; the choice depends on the provider. */
  readonly models?: readonly ConfiguredModel[] | undefined;
  readonly currentProvider?: string | undefined;
  readonly providers?: Readonly<Record<string, ProviderProfile>> | undefined;
  readonly permissions?: ResolvedPermissions | undefined;
  /** Environment variables for commands, hooks and servers. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly hooks?: HooksConfig | undefined;
  /** Disables these hooks and those of plugins, but not hooks given in code. */
  readonly disableAllHooks?: boolean | undefined;
  readonly enabledPlugins?: Readonly<Record<string, boolean>> | undefined;
  readonly extraKnownMarketplaces?: Readonly<Record<string, MarketplaceSetting>> | undefined;
  readonly autoCompactThreshold?: AutoCompactSetting | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServerSetting>> | undefined;
  readonly agents?: Readonly<Record<string, AgentSettings>> | undefined;
  readonly transports?: Readonly<Record<string, TransportSetting>> | undefined;
  /** Where a server stores which surfaces are attached to which sessions. */
  readonly store?: string | undefined;
  readonly sandbox?: 'on' | 'auto' | 'off' | undefined;
  /** `pass` lists variables that commands see although their names look like secrets. */
  readonly toolEnv?: { readonly pass?: readonly string[] | undefined } | undefined;
  readonly vault?: boolean | undefined;
  readonly statusline?: {
    readonly enabled?: boolean | undefined;
    readonly gitBranch?: boolean | undefined;
  };
}

export interface ConfiguredModel extends ModelCandidate {
  /** True when given for this invocation, on the command line or in the environment. */
  readonly isExplicit?: boolean | undefined;
}

/** The permission rules of all layers together. */
export interface ResolvedPermissions {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  readonly additionalDirectories?: readonly string[];
  /** The highest layer that forbids `bypassPermissions`; no other layer can lift it. */
  readonly bypassForbiddenBy?: string;
  /** The file each rule came from. */
  readonly layers?: Readonly<Record<string, string>>;
}

/** The threshold of one model: its own, the table's default, or the common one. */
export function autoCompactThresholdFor(
  setting: AutoCompactSetting | undefined,
  model: string,
): number | false | undefined {
  if (typeof setting !== 'object') return setting;
  return setting[model] ?? setting.default;
}
