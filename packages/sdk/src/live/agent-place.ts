import { join } from 'node:path';
import type {
  AgentHome,
  AgentProfile,
  AgentSetting,
  TranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { assertDirectory, homeDirectory, robotaHome } from '../paths.ts';

/** Where a session of another agent's program runs, and where we store its files. */
export interface AgentPlace {
  readonly home: AgentHome;
  readonly persistence: TranscriptPersistence;
  /** The program, its environment and system prompt. */
  readonly setting: Pick<AgentSetting, 'program' | 'environment' | 'systemPrompt'>;
  /** Profile name of a new session. */
  readonly profile?: string | undefined;
  readonly loadProfile?: LoadProfile | undefined;
  /** The journal's path; undefined writes no journal. */
  journalFile(sessionId: string): string | undefined;
}

/** Loads a profile by name; null if there is none. */
export type LoadProfile = (name: string) => Promise<AgentProfile | null>;

/** Directories, program and environment of an agent. */
export interface AgentPlaceOptions {
  readonly cwd: string;
  /** The user's own home by default. */
  readonly homeDirectory?: string | undefined;
  /** `~/.robota/agents` by default. */
  readonly directory?: string | undefined;
  readonly program?: AgentSetting['program'] | undefined;
  readonly environment?: AgentSetting['environment'] | undefined;
  /** Profile name of a new session. */
  readonly profile?: string | undefined;
  /** Without it there are no profiles. */
  readonly loadProfile?: LoadProfile | undefined;
  /** Transcripts; files below `directory` by default. */
  readonly persistence?: TranscriptPersistence | undefined;
}

/**
 * A place on this machine, in the given directory; the project's files are not copied. Rejects with `invalid_cwd` if
 * the directory does not exist, with `unknown_profile` for an unknown profile.
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

/** The workspace is the user's own project, so its files are not saved with the session. */
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
