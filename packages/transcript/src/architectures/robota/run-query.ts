import { parseTranscripts } from '../../parse-transcripts.ts';
import type { AgentArchitectureAdapter } from '../agent-architecture-adapter.ts';
import type { AgentSetting } from '../agent-program.ts';

/** The adapter of our own engine is registered by the sdk package; until then sessions can only be read. */
export function robotaArchitecture(setting: AgentSetting): AgentArchitectureAdapter {
  return {
    type: 'robota',
    getPaths() {
      const { homeDirectory, workspaceDirectory } = setting.home;
      return {
        AGENT_STORAGE_DIR: `${homeDirectory}/.robota/logs`,
        WORKSPACE_DIR: workspaceDirectory,
        AGENT_PROFILE_DIR: `${homeDirectory}/.robota`,
        AGENT_MD_FILE: `${homeDirectory}/.robota/AGENTS.md`,
      };
    },
    parseTranscripts: (raw) => parseTranscripts('robota', raw),
    setupAgentProfile: async () => {
      throw notRegistered();
    },
    setupSessionTranscripts: async () => {
      throw notRegistered();
    },
    findTranscripts: async () => {
      throw notRegistered();
    },
    executeQuery: () => {
      throw notRegistered();
    },
    close: async () => undefined,
  };
}

function notRegistered(): Error {
  return new Error(
    'Nothing is registered to drive "robota" sessions; call registerAgentArchitecture("robota", …) first',
  );
}
