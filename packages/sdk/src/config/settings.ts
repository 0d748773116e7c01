import type { ModelOptions, TrustLevel } from '@robota-sdk/agent-core';

/** One settings file as it was written, after validation. */
export interface Settings {
  readonly defaultTrustLevel?: TrustLevel | undefined;
  readonly language?: string | undefined;
  /** As in Claude Code's settings: the model for the current provider. */
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
  /** Agents that speak ACP, by what follows `acp:` in their name. */
  readonly agents?: Readonly<Record<string, AgentSettings>> | undefined;
  readonly transports?: Readonly<Record<string, TransportSetting>> | undefined;
  /** Where a server stores attached surfaces: `sqlite:path`, `postgres://…`, `redis://…` or `memory:`. */
  readonly store?: string | undefined;
  /** Confinement of commands: `auto` for those run without approval, `on` for all (without it none runs). */
  readonly sandbox?: 'on' | 'auto' | 'off' | undefined;
  readonly toolEnv?: { readonly pass?: readonly string[] | undefined } | undefined;
  /** False: no session stores the values of secrets for its own resume. */
  readonly vault?: boolean | undefined;
  readonly statusline?:
    | { readonly enabled?: boolean | undefined; readonly gitBranch?: boolean | undefined }
    | undefined;
}

/** How a model is reached and called, as in settings. */
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
  readonly stopSequences?: ModelOptions['stopSequences'];
  readonly fallbackModels?: ModelOptions['fallbackModels'];
  readonly maxBudgetTokens?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
  readonly toolConcurrency?: number | undefined;
  readonly contextMaxTokens?: number | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}

/** Permission rules as in settings. */
export interface PermissionSettings {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly defaultMode?: string | undefined;
  readonly additionalDirectories?: readonly string[] | undefined;
  /** Forbids `bypassPermissions`; there is no value that lifts it. */
  readonly disableBypassPermissionsMode?: 'disable' | undefined;
}

/** A fraction of the window, `false` for never, or one of these per model (`default` for the others). */
export type AutoCompactSetting = number | false | Readonly<Record<string, number | false>>;

/** An MCP server as settings and `.mcp.json` describe it. */
export interface McpServerSetting {
  readonly type?: string | undefined;
  readonly command?: string | undefined;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly [key: string]: unknown;
}

export interface AgentSettings {
  /** The program and its arguments; replaces the built-in command line. */
  readonly command?: readonly string[] | undefined;
}

/** A marketplace as in settings. */
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

/** A transport as in settings. */
export interface TransportSetting {
  readonly enabled?: boolean | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}
