import { type HooksConfig, mergeHooks, readHooksConfig } from '@robota-sdk/agent-core';
import { readMcpFile } from '../mcp/mcp-servers.ts';
import { projectPaths } from '../paths.ts';
import { problemInRule } from './check-rules.ts';
import type { SettingsSource } from './effective-layers.ts';
import { substituteEnvReferences } from './env-references.ts';
import { bypassForbiddenBy } from './forbidden-bypass.ts';
import { type InactiveSetting, restrictLayer } from './inactive-settings.ts';
import { mergeSettings } from './merge-settings.ts';
import { PERMISSION_MODES, parsePermissionMode } from './permission-modes.ts';
import { configuredModels, currentProfile, withModel } from './provider-profile.ts';
import { describeProblem, type SettingsLayer } from './read-layer.ts';
import type { ResolvedConfig, ResolvedPermissions } from './resolved-config.ts';
import type { Settings } from './settings.ts';
import { readSettingsLayers } from './settings-layers.ts';
import { resolveTrust, trustProblem, type WorkspaceTrust } from './trust.ts';

/** The directory whose settings are read, and what applies in addition. */
export interface ResolveSettingsOptions {
  readonly cwd: string;
  readonly trust?: WorkspaceTrust | undefined;
  /** Settings of the command line: the highest layer. */
  readonly overrides?: Settings | undefined;
  /** Hook types of executors given in code, in addition to the built-in ones. */
  readonly hookTypes?: readonly string[] | undefined;
}

/** The resolved settings of a directory, and what was left out. */
export interface ResolvedSettings {
  readonly config: ResolvedConfig;
  readonly trusted: boolean;
  /** Project settings that are not applied until the directory is trusted. */
  readonly inactive: readonly InactiveSetting[];
  /** The files that were read, highest precedence first. */
  readonly files: readonly string[];
  /** The settings that apply, by where they were written, highest precedence first; `effectiveLayers` drops what is overridden. */
  readonly layers: readonly SettingsSource[];
  /** What was left out or looks misspelled; each names file and field. */
  readonly notices: readonly string[];
}

/** Reads and merges all layers of a directory. */
export async function resolveSettings(options: ResolveSettingsOptions): Promise<ResolvedSettings> {
  const layers = await readSettingsLayers(options.cwd, options.overrides);
  const gate = await applyTrust(layers, options);
  const problems = layers.flatMap((layer) => layer.problems ?? []);
  const { config, notices, layers: active } = mergeLayers(gate.layers, options.hookTypes);
  return {
    config,
    layers: active,
    trusted: gate.trusted,
    inactive: gate.inactive,
    files: layers.filter((layer) => layer.scope !== 'invocation').map((layer) => layer.source),
    notices: [...problems, ...notices, ...trustNotices(gate.trusted, options.trust)],
  };
}

/** Without a decision given in code, an unusable trust file is why a trusted directory is not. */
function trustNotices(trusted: boolean, given: WorkspaceTrust | undefined): string[] {
  const problem = trusted || typeof given === 'boolean' ? undefined : trustProblem();
  return problem === undefined ? [] : [`${problem} No directory is trusted until it is mended.`];
}

/** Resolves settings given in code, without reading any file. */
export function resolveSettingsInCode(
  settings: Settings = {},
  hookTypes?: readonly string[],
): Pick<ResolvedSettings, 'config' | 'notices'> {
  return mergeLayers([{ scope: 'invocation', source: 'the options', settings }], hookTypes);
}

function mergeLayers(
  layers: readonly SettingsLayer[],
  hookTypes: readonly string[] | undefined,
): Pick<ResolvedSettings, 'config' | 'layers' | 'notices'> {
  const notices: string[] = [];
  const active = layers.map((layer) => withUsableRules(layer, notices));
  const { value, missing } = substituteEnvReferences(
    mergeSettings(active.toReversed().map((layer) => layer.settings)),
  );
  const config = toConfig(value, { layers: active, notices, hookTypes });
  const unset = missing.map((name) => `Settings refer to $ENV:${name}, which is not set.`);
  return { config, layers: active, notices: [...notices, ...unset] };
}

/** The layers being resolved, and where notices are collected. */
interface Found {
  readonly layers: readonly SettingsLayer[];
  readonly notices: string[];
  readonly hookTypes: readonly string[] | undefined;
}

/** Asks about trust only when a project file contains something that needs it. */
async function applyTrust(layers: readonly SettingsLayer[], options: ResolveSettingsOptions) {
  const restricted = layers.map((layer) =>
    layer.scope === 'project' ? restrictLayer(layer) : { layer, inactive: [] },
  );
  const inactive = [
    ...restricted.flatMap((entry) => entry.inactive),
    ...(await inactiveServers(options.cwd)),
  ];
  const isMoot = inactive.length === 0 && typeof options.trust === 'function';
  const trusted = await resolveTrust(options.cwd, isMoot ? undefined : options.trust);
  if (trusted) return { layers, inactive: [], trusted };
  return { layers: restricted.map((entry) => entry.layer), inactive, trusted };
}

/** The servers of `.mcp.json` need trust because they are programs a project starts. */
async function inactiveServers(cwd: string): Promise<InactiveSetting[]> {
  const file = projectPaths(cwd).mcpConfig;
  try {
    const servers = await readMcpFile(file, cwd);
    if (servers.length === 0) return [];
    const value = Object.fromEntries(servers.map(({ name, setting }) => [name, setting]));
    return [{ file, field: 'mcpServers', value }];
  } catch {
    return []; // The problem is reported when the servers are started.
  }
}

function toConfig(settings: Settings, found: Found): ResolvedConfig {
  const { permissions, hooks: _written, model: _model, provider: _provider, ...others } = settings;
  const mode = permissionModeOf(found);
  const chosen = currentProfile(settings, found);
  const models = configuredModels(found.layers, chosen);
  const profile = withModel(chosen, models);
  const hooks = hooksOf(settings, found);
  return {
    ...(definedOnly(others) as Omit<ResolvedConfig, 'permissions' | 'hooks' | 'provider'>),
    ...(mode && { permissionMode: mode }),
    ...(profile && { provider: profile }),
    ...(models.length > 0 && { models }),
    ...(permissions && { permissions: rulesOf(permissions, found.layers) }),
    ...(hooks && { hooks }),
  };
}

/** The mode of the highest layer that names a valid one. */
function permissionModeOf({ layers, notices }: Found) {
  for (const { settings, source } of layers) {
    const written = settings.permissions?.defaultMode;
    if (!written) continue;
    const mode = parsePermissionMode(written);
    if (mode) return mode;
    const problem = `"${written}" is not one of ${PERMISSION_MODES.join(', ')}; left out`;
    notices.push(describeProblem(source, 'permissions.defaultMode', problem));
  }
  return undefined;
}

/** A malformed allow rule is dropped; a malformed deny or ask rule is kept, because dropping it would permit more. */
function withUsableRules(layer: SettingsLayer, notices: string[]): SettingsLayer {
  const { permissions } = layer.settings;
  if (!permissions) return layer;
  const check = (list: 'allow' | 'deny' | 'ask') =>
    permissions[list]?.filter((rule) => {
      const problem = problemInRule(rule);
      if (problem === undefined) return true;
      const isKept = list !== 'allow' || problem.includes('did you mean');
      const field = `permissions.${list}`;
      const end = isKept ? '' : '; left out';
      notices.push(describeProblem(layer.source, field, `the rule ${rule} ${problem}${end}`));
      return isKept;
    });
  const lists = definedOnly({ allow: check('allow'), deny: check('deny'), ask: check('ask') });
  return { ...layer, settings: { ...layer.settings, permissions: { ...permissions, ...lists } } };
}

function rulesOf(
  permissions: NonNullable<Settings['permissions']>,
  layers: readonly SettingsLayer[],
): ResolvedPermissions {
  const { defaultMode: _mode, disableBypassPermissionsMode: _forbids, ...lists } = permissions;
  const sources = layers.toReversed().flatMap((layer) => {
    const { allow = [], deny = [], ask = [] } = layer.settings.permissions ?? {};
    return [...allow, ...deny, ...ask].map((rule) => [rule, layer.source] as const);
  });
  return {
    ...definedOnly({ ...lists, bypassForbiddenBy: bypassForbiddenBy(layers) }),
    layers: Object.fromEntries(sources),
  };
}

/** Parsed per layer, so that a notice can name the file; the groups of all layers are concatenated. */
function hooksOf(
  settings: Settings,
  { layers, notices, hookTypes }: Found,
): HooksConfig | undefined {
  if (!settings.hooks) return undefined;
  const configs = layers.toReversed().map(({ settings: { hooks }, source }) => {
    const { value } = substituteEnvReferences(hooks);
    const read = readHooksConfig(value, { customTypes: hookTypes });
    for (const { field, problem, isLeftOut } of read.problems) {
      notices.push(describeProblem(source, field, isLeftOut ? `${problem}; left out` : problem));
    }
    return read.hooks;
  });
  const merged = mergeHooks(...configs);
  if (settings.disableAllHooks && Object.keys(merged).length > 0) {
    const source = layers.find((layer) => layer.settings.disableAllHooks !== undefined)?.source;
    notices.push(describeProblem(source ?? 'settings', 'disableAllHooks', 'no hooks are run'));
  }
  return merged;
}

function definedOnly<Shape extends object>(
  shape: Shape,
): { [Key in keyof Shape]?: NonNullable<Shape[Key]> } {
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Shape]?: NonNullable<Shape[Key]>;
  };
}
