import { createNodeFetch, type Fetch } from '../http/node-fetch.ts';
import type { Environment } from '../http/proxy.ts';

/** Options of all vendors' providers; the environment supplies defaults. */
export interface ProviderOptions {
  readonly apiKey?: string | undefined;
  readonly baseURL?: string | undefined;
  /** Used when a call names no model. */
  readonly model?: string | undefined;
  readonly maxTokens?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch?: Fetch | undefined;
  /** Instead of `process.env`. */
  readonly environment?: Environment | undefined;
}

export function fetchOf(options: ProviderOptions): Fetch {
  return options.fetch ?? createNodeFetch(options.environment);
}

/** The first variable that is set and not empty. */
export function firstSet(
  environment: Environment,
  ...names: readonly string[]
): string | undefined {
  for (const name of names) {
    const value = environment[name]?.trim();
    if (value) return value;
  }
  return undefined;
}

/** The configured base URL; an invalid one is rejected early. */
export function configuredBase(options: ProviderOptions, variable: string): string | undefined {
  const base = options.baseURL ?? firstSet(options.environment ?? process.env, variable);
  if (base !== undefined && !URL.canParse(base)) {
    throw new Error(`The base URL "${base}" is not a URL. Correct ${variable} or the setting.`);
  }
  return base;
}

/** Adds the version segment to a base URL unless it has one. */
export function withVersion(baseURL: string, version: string): string {
  const trimmed = baseURL.replace(/\/+$/, '');
  return /\/v\d+\w*$/.test(trimmed) ? trimmed : `${trimmed}/${version}`;
}
