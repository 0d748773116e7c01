/** The agents that come with this package. */
export type BuiltInArchitectureType =
  | 'claude-agent-sdk'
  | 'gemini-cli'
  | 'codex'
  | 'robota'
  | 'pi'
  | 'opencode';

/** An agent whose sessions can be read, followed or driven; more are added with `registerAgent`. */
export type AgentArchitectureType = BuiltInArchitectureType | (string & {});
