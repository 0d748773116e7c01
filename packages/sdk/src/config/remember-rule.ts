import { projectPaths, userPaths } from '../paths.ts';
import { asFields, editSettings } from './edit-settings.ts';

/** Adds an allow rule to the project's local settings and keeps everything else in the file. */
export async function rememberProjectRule(cwd: string, pattern: string): Promise<void> {
  await editSettings(projectPaths(cwd).settingsLocal, (settings) => {
    const permissions = asFields(settings.permissions);
    const allow = Array.isArray(permissions.allow) ? (permissions.allow as unknown[]) : [];
    if (allow.includes(pattern)) return undefined;
    return { ...settings, permissions: { ...permissions, allow: [...allow, pattern] } };
  });
}

/** Removes a rule from all our settings files; returns the changed files. */
export async function forgetRule(cwd: string, rule: string): Promise<string[]> {
  const changed: string[] = [];
  for (const file of ownSettingsFiles(cwd)) {
    const isChanged = await editSettings(file, (settings) => {
      const permissions = asFields(settings.permissions);
      const kept = Object.entries(permissions).map(([list, rules]) => [
        list,
        Array.isArray(rules) ? rules.filter((each) => each !== rule) : rules,
      ]);
      const next = Object.fromEntries(kept) as typeof permissions;
      const isSame = JSON.stringify(next) === JSON.stringify(permissions);
      return isSame ? undefined : { ...settings, permissions: next };
    });
    if (isChanged) changed.push(file);
  }
  return changed;
}

/** The settings files we write, most local first. Claude Code's are read but never written. */
export function ownSettingsFiles(cwd: string): readonly string[] {
  const { settingsLocal, settings } = projectPaths(cwd);
  return [...new Set([settingsLocal, settings, userPaths().settings])];
}
