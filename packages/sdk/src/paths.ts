import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Read at call time, so that a changed `HOME` counts at once. */
export function homeDirectory(): string {
  return process.env.HOME ?? process.env.USERPROFILE ?? homedir();
}

/** Where everything of the user is kept; `ROBOTA_HOME` moves it. */
export function robotaHome(): string {
  return process.env.ROBOTA_HOME || join(homeDirectory(), '.robota');
}

/** Where a user keeps what configures agents. */
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

/** The places of this user. */
export function userPaths(): UserPaths {
  const robota = robotaHome();
  const claude = join(homeDirectory(), '.claude');
  return {
    home: robota,
    settings: join(robota, 'settings.json'),
    claudeSettings: join(claude, 'settings.json'),
    claudeMd: join(claude, 'CLAUDE.md'),
    agentsMd: join(robota, 'AGENTS.md'),
    sessions: join(robota, 'sessions'),
    logs: join(robota, 'logs'),
    trust: join(robota, 'trust.json'),
    plugins: join(robota, 'plugins'),
    skills: join(robota, 'skills'),
    agents: join(robota, 'agents'),
    claudeSkills: join(claude, 'skills'),
    claudeCommands: join(claude, 'commands'),
    claudeAgents: join(claude, 'agents'),
  };
}

/** Where a project keeps what configures agents. */
export interface ProjectPaths {
  readonly settings: string;
  readonly settingsLocal: string;
  readonly claudeSettings: string;
  readonly claudeSettingsLocal: string;
  readonly mcpConfig: string;
  /** Where an earlier implementation kept sessions: read, never written. */
  readonly oldSessions: string;
  readonly plugins: string;
  readonly agents: string;
  readonly claudeSkills: string;
  readonly claudeCommands: string;
  readonly claudeAgents: string;
  readonly agentsSkills: string;
}

/** The places of one project. */
export function projectPaths(cwd: string): ProjectPaths {
  const robota = join(cwd, '.robota');
  const claude = join(cwd, '.claude');
  return {
    settings: join(robota, 'settings.json'),
    settingsLocal: join(robota, 'settings.local.json'),
    claudeSettings: join(claude, 'settings.json'),
    claudeSettingsLocal: join(claude, 'settings.local.json'),
    mcpConfig: join(cwd, '.mcp.json'),
    oldSessions: join(robota, 'sessions'),
    plugins: join(robota, 'plugins'),
    agents: join(robota, 'agents'),
    claudeSkills: join(claude, 'skills'),
    claudeCommands: join(claude, 'commands'),
    claudeAgents: join(claude, 'agents'),
    agentsSkills: join(cwd, '.agents', 'skills'),
  };
}

/** Refuses a directory that is not there; `code` is `invalid_cwd`. */
export function assertDirectory(cwd: string): void {
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const problem = found ? 'is not a directory' : 'does not exist';
  throw Object.assign(new Error(`Cannot start a session: the directory ${cwd} ${problem}`), {
    code: 'invalid_cwd',
  });
}
