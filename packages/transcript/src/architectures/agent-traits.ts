import type { AgentArchitectureType } from '../architecture-type.ts';
import { type AcpAgent, acpTypeOf, KNOWN_ACP_AGENTS } from './acp/known-agents.ts';

/** Facts about an agent that do not need its parser, so that looking up a name does not load all parsers. */
export interface AgentTraits {
  readonly type: AgentArchitectureType;
  /** The short name users type: `claude`. */
  readonly name: string;
  /** `Claude Code`. */
  readonly title: string;
  /** False if the agent cannot fork sessions. */
  readonly canFork?: false | undefined;
  /** Whether prompts may contain images. */
  readonly takesImages?: true | undefined;
}

export const TRAITS = {
  claude: { type: 'claude-agent-sdk', name: 'claude', title: 'Claude Code', takesImages: true },
  codex: { type: 'codex', name: 'codex', title: 'Codex', takesImages: true },
  gemini: { type: 'gemini-cli', name: 'gemini', title: 'Gemini CLI', takesImages: true },
  robota: { type: 'robota', name: 'robota', title: 'Robota' },
  pi: { type: 'pi', name: 'pi', title: 'pi' },
  opencode: { type: 'opencode', name: 'opencode', title: 'opencode' },
} as const satisfies Readonly<Record<string, AgentTraits>>;

/** Traits of an ACP agent; its name is its type. */
export function acpTraits({ name, title }: AcpAgent): AgentTraits {
  const type = acpTypeOf(name);
  // Whether it takes images is known only once it runs; one that does not reports an error.
  return { type, name: type, title, canFork: false, takesImages: true };
}

/** In the order of registration. */
const KNOWN = new Map<string, AgentTraits>(
  [...Object.values<AgentTraits>(TRAITS), ...KNOWN_ACP_AGENTS.map(acpTraits)].map((traits) => [
    traits.type,
    traits,
  ]),
);

export function keepTraits(traits: AgentTraits): void {
  KNOWN.set(traits.type, traits);
}

export function forgetTraits(type: AgentArchitectureType): void {
  KNOWN.delete(type);
}

/** All known agents, in the order of registration. */
export function knownAgents(): readonly AgentTraits[] {
  return [...KNOWN.values()];
}

/** `undefined` for a type that is not registered. */
export function agentTraits(type: AgentArchitectureType): AgentTraits | undefined {
  return KNOWN.get(type);
}

/** Resolves a name or a type: `claude` and `claude-agent-sdk` are the same agent. */
export function toAgentType(nameOrType: string): AgentArchitectureType | undefined {
  if (KNOWN.has(nameOrType)) return nameOrType;
  return [...KNOWN.values()].find(({ name }) => name === nameOrType)?.type;
}

/** The short name of an agent; an unregistered type is returned as it is. */
export function toAgentName(type: AgentArchitectureType): string {
  return KNOWN.get(type)?.name ?? type;
}
