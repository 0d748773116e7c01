/** The agent programs whose sessions we can read, watch and drive. */
export type AgentArchitectureType = 'claude-agent-sdk' | 'gemini-cli' | 'codex' | 'robota';
