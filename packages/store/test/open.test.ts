import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SessionInputError } from '@robota-sdk/agent-store';
import { openSessionStore } from '@robota-sdk/agent-store/open';
import { afterEach, describe, expect, it } from 'vitest';

const directory = mkdtempSync(join(tmpdir(), 'robota-store-'));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('openSessionStore', () => {
  it('opens memory:', async () => {
    const store = await openSessionStore('memory:', { maxSurfaces: 1 });

    await store.create({ id: 's', userId: 'ada', initialSurfaceId: 'web' });

    await expect(store.attachSurface('s', 'slack')).rejects.toThrow('limit is 1');
    await store.close();
  });

  it.each(['sqlite:', 'sqlite://'])('opens a file named after %s', async (prefix) => {
    const url = `${prefix}${join(directory, 'sessions.db')}`;
    const store = await openSessionStore(url);
    const session = await store.create({ id: 's', userId: 'ada' });
    await store.close();

    const again = await openSessionStore(url);

    expect(await again.get('s')).toEqual(session);
    await again.close();
  });

  it.each(['mysql://root:hunter2@host/db', 'sessions.db', 'sqlite:', ''])(
    'refuses %j without repeating it',
    async (url) => {
      const failure: unknown = await openSessionStore(url).catch((error: unknown) => error);

      expect(failure).toBeInstanceOf(SessionInputError);
      expect(String(failure)).not.toContain('hunter2');
    },
  );
});
