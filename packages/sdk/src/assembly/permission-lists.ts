import { findConfinement } from '@robota-sdk/agent-tools';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import type { Contributions } from './contributions.ts';

/** The agent may always look at its own configuration folders. */
const CONFIG_FOLDERS = ['.agents', '.claude', '.robota'];

const DEFAULT_ALLOW: readonly string[] = ['Read', 'Glob'].flatMap((tool) =>
  CONFIG_FOLDERS.map((folder) => `${tool}(${folder}/**)`),
);

export interface GatherRules {
  readonly config: ResolvedConfig;
  /** The directory is trusted. */
  readonly trusted: boolean;
  readonly options: AssembledSessionOptions;
  readonly contributions: Contributions;
}

/** All rules in force, with where each came from. */
export function gatherPermissions({ config, trusted, options, contributions }: GatherRules) {
  const { allow = [], deny = [], ask = [], layers = {} } = config.permissions ?? {};
  const allowed = (options.allowedTools ?? []).map(asRule);
  const denied = (options.deniedTools ?? []).map(asRule);
  return {
    allow: [...DEFAULT_ALLOW, ...allow, ...contributions.allow, ...allowed],
    deny: [...deny, ...contributions.deny, ...denied],
    ask: [...ask],
    /** A stranger's repository can make git run programs; where nothing holds them, git asks. */
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

/** Takes a rule out of lists that are in force. */
export function withdrawRule(
  lists: { readonly allow: string[]; readonly deny: string[]; readonly ask: string[] },
  rule: string,
): void {
  for (const list of [lists.allow, lists.deny, lists.ask]) {
    for (let at = list.indexOf(rule); at >= 0; at = list.indexOf(rule)) list.splice(at, 1);
  }
}

const confinement = { isLookedFor: false, isThere: false };

/** Looked for with the first question, in the background: until the answer is there, it is no. */
function isConfinementKnown(): boolean {
  if (!confinement.isLookedFor) {
    confinement.isLookedFor = true;
    void findConfinement().then(({ available }) => {
      confinement.isThere = available;
    });
  }
  return confinement.isThere;
}

/** A bare name means every call of that tool. */
function asRule(tool: string): string {
  return tool.includes('(') || tool.startsWith('mcp__') ? tool : `${tool}(*)`;
}

function named(rules: readonly string[], layer: string): Record<string, string> {
  return Object.fromEntries(rules.map((rule) => [rule, layer]));
}
