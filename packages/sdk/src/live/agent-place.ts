import { join } from 'node:path';
import type {
  AgentHome,
  AgentProfile,
  AgentSetting,
  TranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { assertDirectory, homeDirectory, robotaHome } from '../paths.ts';

/** Where a session of another agent program runs, and where we keep what we know of it. */
export interface AgentPlace {
  readonly home: AgentHome;
  readonly persistence: TranscriptPersistence;
  /** Which program is started and with what surroundings. */
  readonly setting: Pick<AgentSetting, 'program' | 'environment' | 'systemPrompt'>;
  /** The name of the profile a new session gets. */
  readonly profile?: string | undefined;
  readonly loadProfile?: LoadProfile | undefined;
  /** Where it is written down who asked and who answered; undefined writes nothing. */
  journalFile(sessionId: string): string | undefined;
}

/** What a profile's name stands for; null where there is none of that name. */
export type LoadProfile = (name: string) => Promise<AgentProfile | null>;

/** Where an agent works and with what. */
export interface AgentPlaceOptions {
  readonly cwd: string;
  /** The user's own home unless given. */
  readonly homeDirectory?: string | undefined;
  /** `~/.robota/agents` unless given. */
  readonly directory?: string | undefined;
  readonly program?: AgentSetting['program'] | undefined;
  readonly environment?: AgentSetting['environment'] | undefined;
  /** The name of the profile a new session gets. */
  readonly profile?: string | undefined;
  /** Finds profiles by name; without it there are none. */
  readonly loadProfile?: LoadProfile | undefined;
  /** Where transcripts are kept; in files below `directory` unless given. */
  readonly persistence?: TranscriptPersistence | undefined;
}

/**
 * On this machine, in the directory that is given; the files of the project stay where they are and are not copied.
 * Rejects with `invalid_cwd` where there is no such directory, with `unknown_profile` for a name that nobody knows.
 */
export async function openAgentPlace(options: AgentPlaceOptions): Promise<AgentPlace> {
  const { FileTranscriptPersistence, LocalAgentHome } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  const { cwd, directory = join(robotaHome(), 'agents'), program, environment } = options;
  const { profile, loadProfile } = options;
  assertDirectory(cwd);
  if (profile !== undefined) await assertProfile(profile, loadProfile);
  const home = new LocalAgentHome({
    root: directory,
    homeDirectory: options.homeDirectory ?? homeDirectory(),
    workspaceDirectory: cwd,
  });
  return {
    home: withoutWorkspaceCopy(home),
    persistence: options.persistence ?? new FileTranscriptPersistence(directory),
    setting: { program, environment },
    profile,
    loadProfile,
    journalFile: (sessionId) => join(directory, `${sessionId}.events.jsonl`),
  };
}

async function assertProfile(name: string, load: LoadProfile | undefined): Promise<void> {
  if (await load?.(name)) return;
  const why = load ? '' : ' Sessions of other agents take profiles that a program of yours gives.';
  const error = new Error(`There is no profile called "${name}".${why}`);
  throw Object.assign(error, { code: 'unknown_profile' });
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
