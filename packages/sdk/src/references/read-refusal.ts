import { explainPermission, type PermissionExplanation } from '@robota-sdk/agent-core';
import type { ExtensionContext } from '../assembly/session-extension.ts';

/** What the rules for reading say about a file that a prompt names; what nobody is asked about is not waved through. */
export function explainReading(
  path: string,
  { ready, config, cwd }: ExtensionContext,
): PermissionExplanation {
  const { session, permissions } = ready();
  const { additionalDirectories } = config.permissions ?? {};
  const mode = session.getPermissionMode();
  return explainPermission(
    'Read',
    { filePath: path },
    mode === 'bypassPermissions' ? 'default' : mode,
    { ...permissions, cwd, ...(additionalDirectories && { additionalDirectories }) },
  );
}
