import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenedSessionStore, OpenSessionStoreOptions } from '@robota-sdk/agent-store/open';
import { robotaHome } from '../paths.ts';

/** The store of a server: `memory:`, `sqlite:path`, `postgres://…` or `redis://…`; a SQLite file in our home unless given. */
export async function openHostStore(
  url?: string,
  options: OpenSessionStoreOptions = {},
): Promise<OpenedSessionStore> {
  // A process that serves nobody loads no driver.
  const { openSessionStore } = await import('@robota-sdk/agent-store/open');
  if (url !== undefined) return openSessionStore(url, options);
  const home = robotaHome();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  return openSessionStore(`sqlite:${join(home, 'sessions.db')}`, options);
}
