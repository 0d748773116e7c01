import type { AgentArchitectureType } from '../architecture-type.ts';
import { type AcpAgent, acpTypeOf, KNOWN_ACP_AGENTS } from './acp/known-agents.ts';

/** What is known of an agent without its parser: whoever needs a name does not load all parsers. */
export interface AgentTraits {
  readonly type: AgentArchitectureType;
  /** What people type and read: `claude`. */
  readonly name: string;
  /** `Claude Code`. */
  readonly title: string;
  /** False where a session cannot begin as a copy of another. */
  readonly canFork?: false | undefined;
  /** Whether its program can be sent images with a prompt. */
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

/** An agent that speaks the Agent Client Protocol; its name is its type. */
export function acpTraits({ name, title }: AcpAgent): AgentTraits {
  const type = acpTypeOf(name);
  // Which agent takes images is known once it runs; one that does not says so.
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

/** Everybody who is known, in the order of registration. */
export function knownAgents(): readonly AgentTraits[] {
  return [...KNOWN.values()];
}

/** Undefined for a type that nobody has registered. */
export function agentTraits(type: AgentArchitectureType): AgentTraits | undefined {
  return KNOWN.get(type);
}

/** The type meant by what a person wrote: `claude` and `claude-agent-sdk` are one. */
export function toAgentType(nameOrType: string): AgentArchitectureType | undefined {
  if (KNOWN.has(nameOrType)) return nameOrType;
  return [...KNOWN.values()].find(({ name }) => name === nameOrType)?.type;
}

/** What people call the agent; a type that nobody has registered is its own name. */
export function toAgentName(type: AgentArchitectureType): string {
  return KNOWN.get(type)?.name ?? type;
}
