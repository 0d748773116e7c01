import { join } from 'node:path';
import type {
  AgentHome,
  AgentSetting,
  TranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { homeDirectory, robotaHome } from '../paths.ts';

/** Where a session of another agent program runs, and where we keep what we know of it. */
export interface AgentPlace {
  readonly home: AgentHome;
  readonly persistence: TranscriptPersistence;
  /** Which program is started and with what surroundings. */
  readonly setting: Pick<AgentSetting, 'program' | 'environment' | 'systemPrompt'>;
  /** The name of the profile a new session gets. */
  readonly profile?: string | undefined;
  /** Where it is written down who asked and who answered; undefined writes nothing. */
  journalFile(sessionId: string): string | undefined;
}

export interface AgentPlaceOptions {
  readonly cwd: string;
  /** The user's own home unless given. */
  readonly homeDirectory?: string | undefined;
  /** `~/.robota/agents` unless given. */
  readonly directory?: string | undefined;
  readonly program?: AgentSetting['program'];
  readonly environment?: AgentSetting['environment'];
  readonly profile?: string | undefined;
}

/** On this machine, in the directory that is given; the files of the project stay where they are and are not copied. */
export async function openAgentPlace(options: AgentPlaceOptions): Promise<AgentPlace> {
  const { FileTranscriptPersistence, LocalAgentHome } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  const { cwd, directory = join(robotaHome(), 'agents'), program, environment, profile } = options;
  const home = new LocalAgentHome({
    root: directory,
    homeDirectory: options.homeDirectory ?? homeDirectory(),
    workspaceDirectory: cwd,
  });
  return {
    home: withoutWorkspaceCopy(home),
    persistence: new FileTranscriptPersistence(directory),
    setting: { program, environment },
    profile,
    journalFile: (sessionId) => join(directory, `${sessionId}.events.jsonl`),
  };
}

/** The workspace is the person's own project: nothing in it is ours to keep a copy of. */
function withoutWorkspaceCopy(home: AgentHome): AgentHome {
  return {
    homeDirectory: home.homeDirectory,
    workspaceDirectory: home.workspaceDirectory,
    start: () => home.start(),
    isHealthy: () => home.isHealthy(),
    spawn: (command) => home.spawn(command),
    readFile: (path, offset) => home.readFile(path, offset),
    writeFile: (path, content) => home.writeFile(path, content),
    deleteFile: (path) => home.deleteFile(path),
    listFiles: async (folder, ignore) =>
      folder === home.workspaceDirectory ? [] : home.listFiles(folder, ignore),
    stop: () => home.stop(),
  };
}
