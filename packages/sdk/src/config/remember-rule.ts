import { projectPaths, userPaths } from '../paths.ts';
import { asFields, type EditedFile, editSettings } from './edit-settings.ts';

/** Adds an allow rule to the project's local settings and keeps everything else in the file. */
export async function rememberProjectRule(cwd: string, pattern: string): Promise<void> {
  const edited = { file: projectPaths(cwd).settingsLocal, root: cwd };
  await editSettings(edited, (settings) => {
    const permissions = asFields(settings.permissions);
    const allow = Array.isArray(permissions.allow) ? (permissions.allow as unknown[]) : [];
    if (allow.includes(pattern)) return undefined;
    return { ...settings, permissions: { ...permissions, allow: [...allow, pattern] } };
  });
}

/** Removes a rule from all our settings files; returns the changed files. */
export async function forgetRule(cwd: string, rule: string): Promise<string[]> {
  const changed: string[] = [];
  for (const edited of ownSettingsFiles(cwd)) {
    const isChanged = await editSettings(edited, (settings) => {
      const permissions = asFields(settings.permissions);
      const kept = Object.entries(permissions).map(([list, rules]) => [
        list,
        Array.isArray(rules) ? rules.filter((each) => each !== rule) : rules,
      ]);
      const next = Object.fromEntries(kept) as typeof permissions;
      const isSame = JSON.stringify(next) === JSON.stringify(permissions);
      return isSame ? undefined : { ...settings, permissions: next };
    });
    if (isChanged) changed.push(edited.file);
  }
  return changed;
}

/** The settings files we write, most local first. Claude Code's are read but never written. */
export function ownSettingsFiles(cwd: string): readonly EditedFile[] {
  const { settingsLocal, settings } = projectPaths(cwd);
  const own = userPaths().settings;
  const inProject = [settingsLocal, settings].filter((file) => file !== own);
  return [...inProject.map((file) => ({ file, root: cwd })), { file: own }];
}
