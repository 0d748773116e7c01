import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, normalize, sep } from 'node:path';

/** Read on each call, so that a changed `HOME` takes effect immediately. */
export function homeDirectory(): string {
  return process.env.HOME ?? process.env.USERPROFILE ?? homedir();
}

/** The user's data directory; `ROBOTA_HOME` overrides it. */
export function robotaHome(): string {
  return process.env.ROBOTA_HOME || join(homeDirectory(), '.robota');
}

/**
 * A name in a directory whose path is normalized. `join` takes a path apart character by character, and a start has dozens
 * of these.
 */
export function within(directory: string, name: string): string {
  return directory.endsWith(sep) ? `${directory}${name}` : `${directory}${sep}${name}`;
}

/** Files and folders of the user. */
export interface UserPaths {
  readonly home: string;
  readonly settings: string;
  readonly claudeSettings: string;
  readonly claudeMd: string;
  /** The user's own instructions for every project. */
  readonly agentsMd: string;
  readonly sessions: string;
  readonly logs: string;
  readonly trust: string;
  readonly plugins: string;
  readonly skills: string;
  readonly agents: string;
  readonly claudeSkills: string;
  readonly claudeCommands: string;
  readonly claudeAgents: string;
}

/** Paths of the files that Robota reads and writes in the home directory. */
export function userPaths(): UserPaths {
  return userPathsOf(process.env.ROBOTA_HOME ?? '', homeDirectory());
}

const userPathsOf = rememberLatest((given: string, home: string): UserPaths => {
  const robota = given || join(home, '.robota');
  const own = normalize(robota);
  const claude = join(home, '.claude');
  return {
    home: robota,
    settings: within(own, 'settings.json'),
    claudeSettings: within(claude, 'settings.json'),
    claudeMd: within(claude, 'CLAUDE.md'),
    agentsMd: within(own, 'AGENTS.md'),
    sessions: within(own, 'sessions'),
    logs: within(own, 'logs'),
    trust: within(own, 'trust.json'),
    plugins: within(own, 'plugins'),
    skills: within(own, 'skills'),
    agents: within(own, 'agents'),
    claudeSkills: within(claude, 'skills'),
    claudeCommands: within(claude, 'commands'),
    claudeAgents: within(claude, 'agents'),
  };
});

/** Files and folders of a project. */
export interface ProjectPaths {
  readonly settings: string;
  readonly settingsLocal: string;
  readonly claudeSettings: string;
  readonly claudeSettingsLocal: string;
  readonly mcpConfig: string;
  /** Where an earlier implementation stored sessions; read but never written. */
  readonly oldSessions: string;
  readonly plugins: string;
  readonly agents: string;
  readonly claudeSkills: string;
  readonly claudeCommands: string;
  readonly claudeAgents: string;
  readonly agentsSkills: string;
}

/** Paths of the files that Robota reads and writes in a project. */
export function projectPaths(cwd: string): ProjectPaths {
  return projectPathsOf(cwd);
}

const projectPathsOf = rememberLatest((cwd: string): ProjectPaths => {
  const robota = join(cwd, '.robota');
  const claude = join(cwd, '.claude');
  return {
    settings: within(robota, 'settings.json'),
    settingsLocal: within(robota, 'settings.local.json'),
    claudeSettings: within(claude, 'settings.json'),
    claudeSettingsLocal: within(claude, 'settings.local.json'),
    mcpConfig: join(cwd, '.mcp.json'),
    oldSessions: within(robota, 'sessions'),
    plugins: within(robota, 'plugins'),
    agents: within(robota, 'agents'),
    claudeSkills: within(claude, 'skills'),
    claudeCommands: within(claude, 'commands'),
    claudeAgents: within(claude, 'agents'),
    agentsSkills: join(cwd, '.agents', 'skills'),
  };
});

/** A start asks for the same paths a dozen times, and joining them would be most of its work on paths. */
function rememberLatest<Given extends readonly string[], Paths extends object>(
  pathsOf: (...given: Given) => Paths,
): (...given: Given) => Paths {
  let latest: { readonly given: Given; readonly paths: Paths } | undefined;
  return (...given) => {
    if (!latest?.given.every((path, index) => path === given[index])) {
      latest = { given, paths: Object.freeze(pathsOf(...given)) };
    }
    return latest.paths;
  };
}

/** Throws `invalid_cwd` unless `cwd` is an existing directory. */
export function assertDirectory(cwd: string): void {
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const problem = found ? 'is not a directory' : 'does not exist';
  throw Object.assign(new Error(`Cannot start a session: the directory ${cwd} ${problem}`), {
    code: 'invalid_cwd',
  });
}
