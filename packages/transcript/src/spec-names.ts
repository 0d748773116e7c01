export type { AgentArchitectureType as AGENT_ARCHITECTURE_TYPE } from './architecture-type.ts';
