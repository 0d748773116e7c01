import {
  type InactiveSetting,
  isDirectoryTrusted,
  resolveSettings,
  trustDirectory,
} from '@robota-sdk/agent-sdk';

/** Descriptions of what an untrusted directory's settings would do. */
async function pendingSettings(cwd: string): Promise<string[]> {
  if (await isDirectoryTrusted(cwd)) return [];
  const { inactive } = await resolveSettings({ cwd, trust: false });
  return inactive.map(describeSetting);
}

/** Asks once; a yes is saved, after a no the question returns next time. */
export async function askForTrust(
  cwd: string,
  ask: (directory: string, settings: readonly string[]) => Promise<boolean>,
): Promise<boolean> {
  const settings = await pendingSettings(cwd);
  if (settings.length === 0) return isDirectoryTrusted(cwd);
  const trusted = await ask(cwd, settings);
  if (trusted) await trustDirectory(cwd);
  return trusted;
}

const EFFECTS: Readonly<Record<string, string>> = {
  'permissions.allow': 'allow tools without asking',
  'permissions.defaultMode': 'change the permission mode',
  'permissions.additionalDirectories': 'reach further directories',
  hooks: 'run commands of their own (hooks)',
  env: 'set variables for commands',
  mcpServers: 'start MCP servers',
  provider: 'change the model provider',
  providers: 'change the model provider',
  currentProvider: 'change the model provider',
};

function describeSetting({ field, value, file }: InactiveSetting): string {
  const effect = EFFECTS[field] ?? `set ${field}`;
  const what = Array.isArray(value) ? `: ${value.slice(0, 5).join(', ')}` : '';
  return `${effect}${what} (${file})`;
}
