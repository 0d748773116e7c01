import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FileSessionLogger, SessionStore } from '@robota-sdk/agent-session';
import type {
  AgentPaths,
  AgentQuery,
  AgentSetting,
} from '@robota-sdk/agent-transcript/architectures';
import type { SessionExtension } from '../assembly/session-extension.ts';
import type { McpServerSetting } from '../config/settings.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import { readMcpFile } from '../mcp/mcp-servers.ts';
import { homeDirectory, projectPaths } from '../paths.ts';
import { findSkills, skillPlaces } from '../skills/find-skills.ts';
import { AgentDefinitionLoader } from '../subagents/agent-definition-loader.ts';
import { profileMcpFile, robotaAgentPaths } from './robota-paths.ts';

/** How sessions are assembled; where they run and are stored depends on the home of each. */
export type RobotaArchitectureDefaults = Omit<
  AssembledSessionOptions,
  | 'cwd'
  | 'session'
  | 'sessionId'
  | 'resumeSessionId'
  | 'forkSession'
  | 'readOnly'
  | 'persistence'
  | 'sessionStore'
  | 'sessionLogger'
  | 'logDirectory'
  | 'permissionHandler'
>;

/** The options of a session in this setting, with what the profile wrote into its home. */
export async function sessionOptions(
  defaults: RobotaArchitectureDefaults,
  setting: AgentSetting,
  query: AgentQuery,
): Promise<AssembledSessionOptions> {
  const paths = robotaAgentPaths(setting.home);
  const { model, permissionMode } = setting;
  return {
    ...defaults,
    ...placeOf(paths),
    ...(await profileOptions(defaults, setting, paths)),
    ...environmentOptions(defaults, setting),
    ...(model !== undefined && { model }),
    ...(permissionMode !== undefined && { permissionMode }),
    ...identityOf(query),
  };
}

/** Large values stay in the log itself, because a transcript that is moved elsewhere must be complete. */
function placeOf({ WORKSPACE_DIR, AGENT_PROFILE_DIR, AGENT_STORAGE_DIR }: AgentPaths) {
  return {
    cwd: WORKSPACE_DIR,
    persistence: true,
    logDirectory: AGENT_STORAGE_DIR,
    sessionStore: new SessionStore(join(AGENT_PROFILE_DIR, 'sessions'), {
      logDir: AGENT_STORAGE_DIR,
    }),
    sessionLogger: new FileSessionLogger(AGENT_STORAGE_DIR, {
      externalPayloadThresholdBytes: Number.POSITIVE_INFINITY,
    }),
  };
}

function identityOf({ sessionId, isNewSession, forkOf }: AgentQuery) {
  if (!isNewSession) return { resumeSessionId: sessionId };
  if (forkOf === undefined) return { sessionId };
  return { sessionId, resumeSessionId: forkOf, forkSession: true };
}

async function profileOptions(
  defaults: RobotaArchitectureDefaults,
  setting: AgentSetting,
  paths: AgentPaths,
) {
  const { skills, problems } = skillsOf(defaults, setting, paths);
  const { agents, problems: agentProblems } = agentsOf(defaults, setting, paths);
  const append = [
    defaults.appendSystemPrompt,
    setting.systemPrompt,
    await readIfThere(paths.AGENT_MD_FILE),
  ].filter((text) => text !== undefined && text.trim() !== '');
  return {
    skills,
    agents,
    mcpServers: { ...defaults.mcpServers, ...(await serversOf(paths)) },
    ...(append.length > 0 && { appendSystemPrompt: append.join('\n\n') }),
    extensions: [...(defaults.extensions ?? []), reporter([...problems, ...agentProblems])],
  };
}

function skillsOf(defaults: RobotaArchitectureDefaults, setting: AgentSetting, paths: AgentPaths) {
  const { homeDirectory: home, workspaceDirectory } = setting.home;
  const readsDisk = defaults.skills === undefined && !defaults.bare;
  const found = findSkills([
    { folder: join(paths.AGENT_PROFILE_DIR, 'skills'), form: 'folders', scope: 'user' },
    { folder: join(paths.AGENT_PROFILE_DIR, 'commands'), form: 'files', scope: 'user' },
    ...(readsDisk ? skillPlaces(workspaceDirectory, home) : []),
  ]);
  const names = new Set(found.skills.map(({ name }) => name));
  const given = (defaults.skills ?? []).filter(({ name }) => !names.has(name));
  return { skills: [...found.skills, ...given], problems: found.problems };
}

function agentsOf(defaults: RobotaArchitectureDefaults, setting: AgentSetting, paths: AgentPaths) {
  const { homeDirectory: home, workspaceDirectory } = setting.home;
  const project = projectPaths(workspaceDirectory);
  const readsDisk = defaults.agents === undefined && !defaults.bare;
  const others = [
    project.agents,
    join(workspaceDirectory, '.agents', 'agents'),
    project.claudeAgents,
    join(home, '.claude', 'agents'),
  ];
  const folders = [join(paths.AGENT_PROFILE_DIR, 'agents'), ...(readsDisk ? others : [])];
  return new AgentDefinitionLoader(folders).load(defaults.agents);
}

async function serversOf(paths: AgentPaths): Promise<Readonly<Record<string, McpServerSetting>>> {
  const servers = await readMcpFile(profileMcpFile(paths));
  return Object.fromEntries(servers.map(({ name, setting }) => [name, setting]));
}

/** The environment of tools and hooks; a separate home also becomes `HOME`. */
function environmentOptions(defaults: RobotaArchitectureDefaults, setting: AgentSetting) {
  const home = setting.home.homeDirectory;
  const own = Object.entries(setting.environment ?? {}).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const env = {
    ...(home !== homeDirectory() && { HOME: home }),
    ...Object.fromEntries(own),
  };
  const { config, settings, bare } = defaults;
  if (config !== undefined || bare)
    return { config: { ...config, env: { ...config?.env, ...env } } };
  return { settings: { ...settings, env: { ...settings?.env, ...env } } };
}

function reporter(problems: readonly string[]): SessionExtension {
  return {
    name: 'agent profile',
    extend(context) {
      for (const problem of problems) context.notice(problem);
      return {};
    },
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`Cannot read the instructions ${file}`, { cause: error });
  }
}
