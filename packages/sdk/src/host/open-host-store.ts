import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenedSessionStore, OpenSessionStoreOptions } from '@robota-sdk/agent-store/open';
import { robotaHome } from '../paths.ts';

/** The store of a server: `memory:`, `sqlite:path`, `postgres://…` or `redis://…`; a SQLite file in our home by default. */
export async function openHostStore(
  url?: string,
  options: OpenSessionStoreOptions = {},
): Promise<OpenedSessionStore> {
  // Imported here so that only a server loads database drivers.
  const { openSessionStore } = await import('@robota-sdk/agent-store/open');
  if (url !== undefined) return openSessionStore(url, options);
  const home = robotaHome();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return openSessionStore(`sqlite:${join(home, 'sessions.db')}`, options);
}
