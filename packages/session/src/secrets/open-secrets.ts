import type { SessionOptions } from '../session-options.ts';
import type { SecretVault } from './secret-vault.ts';
import { SessionSecrets } from './session-secrets.ts';
import type { VaultFileOptions } from './vault-file.ts';

/** The secrets of a session and of the session it continues. */
export interface OpenedSecrets {
  /** For everything this session writes. */
  readonly own: SessionSecrets;
  /** For what it restores: its own earlier state, or that of the session it was forked from. */
  readonly past: SessionSecrets;
}

type SecretsSource = Pick<SessionOptions, 'sessionLogger' | 'sessionStore' | 'restored' | 'vault'>;

/** A fork uses the same salt, so that inherited placeholders stay valid; values are copied as it uses them. */
export function openSecrets(options: SecretsSource, sessionId: string): OpenedSecrets {
  const { sessionLogger, restored, vault: isEnabled } = options;
  const mark = sessionLogger?.redactedValue;
  if (isEnabled === false) {
    const secrets = new SessionSecrets({ mark });
    return { own: secrets, past: secrets };
  }
  const origin = restored?.from?.sessionId;
  const isForked = origin !== undefined && origin !== sessionId;
  const pastVault = isForked ? openVault(options, origin) : undefined;
  const vault = openVault(options, sessionId, { salt: pastVault?.salt });
  const own = new SessionSecrets({ vault, mark });
  return { own, past: pastVault ? new SessionSecrets({ vault: pastVault, mark }) : own };
}

/** Next to the log; next to the record if the logger writes no files. */
function openVault(
  { sessionLogger, sessionStore }: SecretsSource,
  sessionId: string,
  options?: VaultFileOptions,
): SecretVault | undefined {
  if (sessionLogger?.openVault) return sessionLogger.openVault(sessionId, options);
  return sessionStore?.openVault?.(sessionId, options);
}
