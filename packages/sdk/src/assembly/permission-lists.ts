import { findConfinement } from '@robota-sdk/agent-tools';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import type { Contributions } from './contributions.ts';

/** The agent may always read its own configuration folders. */
const CONFIG_FOLDERS = ['.agents', '.claude', '.robota'];

const DEFAULT_ALLOW: readonly string[] = ['Read', 'Glob'].flatMap((tool) =>
  CONFIG_FOLDERS.map((folder) => `${tool}(${folder}/**)`),
);

export interface GatherRules {
  readonly config: ResolvedConfig;
  /** Whether the directory is trusted. */
  readonly trusted: boolean;
  readonly options: AssembledSessionOptions;
  readonly contributions: Contributions;
}

/** All rules in force, with the layer each came from. */
export function gatherPermissions({ config, trusted, options, contributions }: GatherRules) {
  const { allow = [], deny = [], ask = [], layers = {} } = config.permissions ?? {};
  const allowed = (options.allowedTools ?? []).map(asRule);
  const denied = (options.deniedTools ?? []).map(asRule);
  return {
    allow: [...DEFAULT_ALLOW, ...allow, ...contributions.allow, ...allowed],
    deny: [...deny, ...contributions.deny, ...denied],
    ask: [...ask],
    /** An untrusted repository can make git run programs, so without confinement git commands ask first. */
    get gitAsks() {
      return !trusted && !isConfinementKnown();
    },
    layers: {
      ...named(DEFAULT_ALLOW, 'built in'),
      ...named([...contributions.allow, ...contributions.deny], 'built in'),
      ...layers,
      ...named([...allowed, ...denied], 'command line'),
    },
  };
}

/** Removes every occurrence of a rule, in place. */
export function withdrawRule(
  lists: { readonly allow: string[]; readonly deny: string[]; readonly ask: string[] },
  rule: string,
): void {
  for (const list of [lists.allow, lists.deny, lists.ask]) {
    for (let at = list.indexOf(rule); at >= 0; at = list.indexOf(rule)) list.splice(at, 1);
  }
}

const confinement = { isRequested: false, isAvailable: false };

/** The first call starts the lookup in the background; false until it has finished. */
function isConfinementKnown(): boolean {
  if (!confinement.isRequested) {
    confinement.isRequested = true;
    void findConfinement().then(({ available }) => {
      confinement.isAvailable = available;
    });
  }
  return confinement.isAvailable;
}

/** A bare name means every call of that tool. */
function asRule(tool: string): string {
  return tool.includes('(') || tool.startsWith('mcp__') ? tool : `${tool}(*)`;
}

function named(rules: readonly string[], layer: string): Record<string, string> {
  return Object.fromEntries(rules.map((rule) => [rule, layer]));
}
