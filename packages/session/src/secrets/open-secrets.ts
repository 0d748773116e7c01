import type { SessionOptions } from '../session-options.ts';
import type { SecretVault } from './secret-vault.ts';
import { SessionSecrets } from './session-secrets.ts';
import type { VaultFileOptions } from './vault-file.ts';

/** The secrets of a session and of the past it goes on with. */
export interface OpenedSecrets {
  /** For everything that this session writes. */
  readonly own: SessionSecrets;
  /** For what it takes over: its own past, or that of the session it is a fork of. */
  readonly past: SessionSecrets;
}

type SecretsSource = Pick<SessionOptions, 'sessionLogger' | 'sessionStore' | 'restored' | 'vault'>;

/** A fork takes over the salt, so that what it inherits keeps its placeholders; the values it uses follow by themselves. */
export function openSecrets(options: SecretsSource, sessionId: string): OpenedSecrets {
  const { sessionLogger, restored, vault: isWanted } = options;
  const mark = sessionLogger?.redactedValue;
  if (isWanted === false) {
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

/** Beside the log; beside the record where the logger keeps no files. */
function openVault(
  { sessionLogger, sessionStore }: SecretsSource,
  sessionId: string,
  options?: VaultFileOptions,
): SecretVault | undefined {
  if (sessionLogger?.openVault) return sessionLogger.openVault(sessionId, options);
  return sessionStore?.openVault?.(sessionId, options);
}
