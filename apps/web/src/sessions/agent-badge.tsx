/** Known agents; others show their first letter. */
const AGENTS: Readonly<Record<string, { readonly letter: string; readonly name: string }>> = {
  robota: { letter: 'R', name: 'Robota' },
  claude: { letter: 'C', name: 'Claude Code' },
  codex: { letter: 'X', name: 'Codex' },
  gemini: { letter: 'G', name: 'Gemini CLI' },
  pi: { letter: 'P', name: 'pi' },
  opencode: { letter: 'O', name: 'opencode' },
};

/** Agents for new sessions. */
export const DRIVEN_AGENTS = ['robota', 'claude', 'codex', 'gemini'] as const;

export function agentName(agent: string): string {
  return AGENTS[agent]?.name ?? agent.replace(/^acp:/, '');
}

export function AgentBadge({ agent }: { readonly agent: string }) {
  const known = AGENTS[agent];
  const letter = known?.letter ?? agentName(agent).charAt(0).toUpperCase();
  return (
    <span
      title={agentName(agent)}
      className={`agent agent-${known ? agent : 'other'}`}
      role="img"
      aria-label={agentName(agent)}
    >
      {letter}
    </span>
  );
}
