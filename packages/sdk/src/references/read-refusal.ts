import type { PermissionExplanation } from '@robota-sdk/agent-core';
import type { ExtensionContext } from '../assembly/session-extension.ts';

/** Applies the Read rules to a mentioned file; `bypassPermissions` counts as `default`. */
export async function explainReading(
  path: string,
  { ready, config, cwd }: ExtensionContext,
): Promise<PermissionExplanation> {
  const { explainPermission } = await import('@robota-sdk/agent-core/permissions');
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
