import type { InactiveSetting } from '../config/inactive-settings.ts';
import { resolveSettings, resolveSettingsInCode } from '../config/resolve-settings.ts';
import type { ResolvedConfig } from '../config/resolved-config.ts';
import { resolveTrust } from '../config/trust.ts';
import { loadContext, type ProjectContext } from '../context/load-context.ts';
import type { SessionNotice } from '../interactive/events.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import { assertDirectory } from '../paths.ts';

/** Settings, instructions and trust of the session's directory. */
export interface Surroundings {
  readonly config: ResolvedConfig;
  readonly context: ProjectContext;
  readonly trusted: boolean;
  readonly inactive: readonly InactiveSetting[];
  readonly notices: readonly SessionNotice[];
}

/** Options take precedence; the rest is read from disk. Rejects on an invalid settings file. */
export async function readSurroundings(options: AssembledSessionOptions): Promise<Surroundings> {
  assertDirectory(options.cwd);
  const settings = await settingsOf(options);
  const context =
    options.context ??
    (options.bare ? {} : loadContext({ cwd: options.cwd, trusted: settings.trusted }));
  return {
    config: settings.config,
    context,
    trusted: settings.trusted,
    inactive: settings.inactive,
    notices: [
      ...settings.notices.map((message) => ({ kind: 'settings', message })),
      ...inactiveNotice(settings.inactive),
      ...(context.notices ?? []).map((message) => ({ kind: 'context', message })),
    ],
  };
}

async function settingsOf(options: AssembledSessionOptions) {
  const hookTypes = options.hookTypeExecutors?.map(({ type }) => type);
  const { cwd, trust, settings: overrides } = options;
  if (!options.config && !options.bare)
    return resolveSettings({ cwd, trust, overrides, hookTypes });
  const { config, notices } = options.config
    ? { config: options.config, notices: [] }
    : resolveSettingsInCode(overrides, hookTypes);
  return { config, notices, trusted: await trustWithoutSettings(options), inactive: [] };
}

/** Never asks the user: without settings files nothing of the directory needs trust. */
async function trustWithoutSettings({ trust, cwd, bare }: AssembledSessionOptions) {
  if (typeof trust === 'boolean') return trust;
  return bare ? false : await resolveTrust(cwd, undefined);
}

function inactiveNotice(inactive: readonly InactiveSetting[]): SessionNotice[] {
  if (inactive.length === 0) return [];
  const fields = inactive.map(({ file, field }) => `${field} (${file})`).join(', ');
  return [
    {
      kind: 'trust',
      message: `This directory is not trusted, so these settings of the project are not applied: ${fields}.`,
    },
  ];
}
