import { knownAgents } from '@robota-sdk/agent-transcript/blocks';
import { UsageError } from '../usage-error.ts';

/** Finds an agent by name or type. */
export function readAgent(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const known = knownAgents();
  const found = known.find(({ name, type }) => name === text || type === text);
  if (found) return found.name;
  // ACP agents may be defined in the settings, which are checked when a session is opened.
  if (/^acp:[\w.-]+$/.test(text)) return text;
  throw new UsageError(
    `Unknown agent "${text}". Valid: ${known.map(({ name }) => name).join(' | ')}`,
  );
}

/** `Claude Code` for `claude`. */
export function agentTitle(agent: string): string {
  const found = knownAgents().find(({ name, type }) => name === agent || type === agent);
  return found?.title ?? agent;
}
