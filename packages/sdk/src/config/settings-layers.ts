import { homeDirectory, projectPaths, userPaths } from '../paths.ts';
import { readLayer, type SettingsFile, type SettingsLayer } from './read-layer.ts';
import type { Settings } from './settings.ts';

/**
 * All layers that exist, highest precedence first: invocation, `.robota` local, `.robota`, `.claude` local,
 * `.claude`, `~/.robota`, `~/.claude`.
 */
export async function readSettingsLayers(
  cwd: string,
  invocation: Settings = {},
): Promise<SettingsLayer[]> {
  const user = userPaths();
  const files = await Promise.all([
    ...projectFiles(cwd).map(readLayer),
    readLayer({ scope: 'user', file: user.settings }),
    readLayer({ scope: 'user', file: user.claudeSettings, isForeign: true }),
  ]);
  return [
    { scope: 'invocation' as const, source: 'command line', settings: invocation },
    { scope: 'invocation' as const, source: 'environment', settings: settingsFromEnvironment() },
    ...files.filter((layer) => layer !== null),
  ];
}

/** In the home directory some project files are the user's own and are read only once. */
function projectFiles(cwd: string): SettingsFile[] {
  const project = projectPaths(cwd);
  const place = { scope: 'project', root: cwd } as const;
  const files = [
    { ...place, file: project.settingsLocal },
    { ...place, file: project.settings },
    { ...place, file: project.claudeSettingsLocal, isForeign: true },
    { ...place, file: project.claudeSettings, isForeign: true },
  ];
  if (cwd !== homeDirectory()) return files;
  const { settings, claudeSettings } = userPaths();
  return files.filter(({ file }) => file !== settings && file !== claudeSettings);
}

function settingsFromEnvironment(): Settings {
  const { ROBOTA_MODEL, ROBOTA_LANGUAGE, ROBOTA_PERMISSION_MODE } = process.env;
  return {
    ...(ROBOTA_MODEL && { model: ROBOTA_MODEL }),
    ...(ROBOTA_LANGUAGE && { language: ROBOTA_LANGUAGE }),
    ...(ROBOTA_PERMISSION_MODE && { permissions: { defaultMode: ROBOTA_PERMISSION_MODE } }),
  };
}
