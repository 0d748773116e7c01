import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type {
  AgentArchitectureAdapter,
  AgentQuery,
  AgentSetting,
  CreateAdapter,
  WriteFile,
} from '@robota-sdk/agent-transcript/architectures';
import { parseRobotaTranscripts } from '@robota-sdk/agent-transcript/blocks';
import { type ProfileFile, profileFiles } from './profile-files.ts';
import { RobotaConversation } from './robota-conversation.ts';
import { robotaAgentPaths } from './robota-paths.ts';
import { type RobotaArchitectureDefaults, sessionOptions } from './session-options.ts';
import { findLogs, logFiles } from './transcript-files.ts';

/** Lets `AgentSession` drive our own engine; a later call replaces the defaults of new sessions. */
export async function registerRobotaArchitecture(
  defaults: RobotaArchitectureDefaults,
): Promise<void> {
  // Loaded on demand, because most programs drive no other agents.
  const { registerAgentArchitecture } = await import('@robota-sdk/agent-transcript/architectures');
  registerAgentArchitecture('robota', createRobotaArchitecture(defaults));
}

/** Our own engine as one agent program among others. It runs in this process. */
export function createRobotaArchitecture(defaults: RobotaArchitectureDefaults): CreateAdapter {
  return (setting) => createAdapter(defaults, setting);
}

function createAdapter(
  defaults: RobotaArchitectureDefaults,
  setting: AgentSetting,
): AgentArchitectureAdapter {
  const paths = robotaAgentPaths(setting.home);
  const logs = paths.AGENT_STORAGE_DIR;
  const runner = new RobotaRunner(defaults, setting);
  return {
    type: 'robota',
    getPaths: () => paths,
    setupAgentProfile: ({ agentProfile, writeFile }) =>
      writeAll(profileFiles(agentProfile, paths), writeFile),
    setupSessionTranscripts: async ({ sessionId, transcripts, writeFile }) =>
      writeAll(logFiles(logs, sessionId, transcripts), writeFile),
    findTranscripts: (sessionId) => findLogs(logs, sessionId),
    executeQuery: (query) => runner.run(query),
    parseTranscripts: parseRobotaTranscripts,
    close: () => runner.close(),
  };
}

class RobotaRunner {
  readonly #defaults: RobotaArchitectureDefaults;
  readonly #setting: AgentSetting;
  readonly #open = new Map<string, RobotaConversation>();

  constructor(defaults: RobotaArchitectureDefaults, setting: AgentSetting) {
    this.#defaults = defaults;
    this.#setting = setting;
  }

  async *run(query: AgentQuery): AsyncGenerator<StreamEvent> {
    const conversation = this.#ready(query) ?? (await this.#start(query));
    try {
      yield* conversation.ask(query);
    } finally {
      if (!conversation.isOpen) this.#forget(query.sessionId, conversation);
    }
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(open.map((conversation) => conversation.close()));
  }

  #ready({ sessionId, isNewSession }: AgentQuery): RobotaConversation | undefined {
    const known = isNewSession ? undefined : this.#open.get(sessionId);
    return known?.isOpen ? known : undefined;
  }

  async #start(query: AgentQuery): Promise<RobotaConversation> {
    const options = await sessionOptions(this.#defaults, this.#setting, query);
    await this.#open.get(query.sessionId)?.close();
    const conversation = new RobotaConversation(options);
    this.#open.set(query.sessionId, conversation);
    return conversation;
  }

  #forget(sessionId: string, conversation: RobotaConversation): void {
    if (this.#open.get(sessionId) === conversation) this.#open.delete(sessionId);
  }
}

async function writeAll(files: readonly ProfileFile[], writeFile: WriteFile): Promise<void> {
  for (const { path, content } of files) await writeFile(path, content);
}
