import type { ModelOptions, TrustLevel } from '@robota-sdk/agent-core';

/** One settings file as it was written, after validation. */
export interface Settings {
  readonly defaultTrustLevel?: TrustLevel | undefined;
  readonly language?: string | undefined;
  /** As in Claude Code's settings: the model of whichever provider is current. */
  readonly model?: string | undefined;
  readonly currentProvider?: string | undefined;
  readonly providers?: Readonly<Record<string, ProviderProfile>> | undefined;
  readonly provider?: ProviderProfile | undefined;
  readonly permissions?: PermissionSettings | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** As Claude Code writes them; parsed when the layers are resolved. */
  readonly hooks?: Readonly<Record<string, unknown>> | undefined;
  /** No hook of a settings file or a plugin runs. */
  readonly disableAllHooks?: boolean | undefined;
  readonly enabledPlugins?: Readonly<Record<string, boolean>> | undefined;
  readonly extraKnownMarketplaces?: Readonly<Record<string, MarketplaceSetting>> | undefined;
  readonly autoCompactThreshold?: AutoCompactSetting | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServerSetting>> | undefined;
  readonly transports?: Readonly<Record<string, TransportSetting>> | undefined;
  /** False: no session keeps the values of secrets for its own resume. */
  /** How commands are held by the system: `auto` what nobody approved, `on` all of them or none runs. */
  readonly sandbox?: 'on' | 'auto' | 'off' | undefined;
  readonly toolEnv?: { readonly pass?: readonly string[] | undefined } | undefined;
  readonly vault?: boolean | undefined;
  readonly statusline?:
    | { readonly enabled?: boolean | undefined; readonly gitBranch?: boolean | undefined }
    | undefined;
}

export interface ProviderProfile {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  /** Milliseconds a provider may stay silent. */
  readonly timeout?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly thinking?: ModelOptions['thinking'];
  readonly retry?: ModelOptions['retry'];
  readonly toolConcurrency?: number | undefined;
  readonly contextMaxTokens?: number | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

export interface PermissionSettings {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly defaultMode?: string | undefined;
  readonly additionalDirectories?: readonly string[] | undefined;
}

/** A fraction of the window, `false` for never, or one of these per model (`default` for the others). */
export type AutoCompactSetting = number | false | Readonly<Record<string, number | false>>;

export interface McpServerSetting {
  readonly type?: string | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly [key: string]: unknown;
}

export interface MarketplaceSetting {
  readonly source: {
    readonly type?: string | undefined;
    readonly source?: string | undefined;
    readonly repo?: string | undefined;
    readonly url?: string | undefined;
    readonly path?: string | undefined;
    readonly ref?: string | undefined;
    readonly [key: string]: unknown;
  };
}

export interface TransportSetting {
  readonly enabled?: boolean | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}
