import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storeAddresses } from '../../../packages/sdk/test/host/store-addresses.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';
import { type Served, serve } from './support/served.ts';

const addresses = await storeAddresses();

function newPlace(): Place {
  const place = createPlace();
  onTestFinished(() => place[Symbol.dispose]());
  return place;
}

function writeSettings(place: Place, settings: object): void {
  mkdirSync(join(place.home, '.robota'), { recursive: true });
  writeFileSync(join(place.home, '.robota/settings.json'), JSON.stringify(settings));
}

/** Which session answers a message of Ada; a server that knows her answers in the same one. */
async function sessionOfAda(server: Served): Promise<string> {
  const message = { user_id: 'ada', surface_id: 'slack:C1', text: 'hello' };
  const { session_id: id } = await server.json<{ session_id: string }>(
    'POST',
    '/api/messages',
    message,
  );
  return id;
}

describe.each(Object.entries(addresses))('a server with its store on %s', (kind, create) => {
  it.each(['ROBOTA_STORE_URL', 'settings'])('takes the address from %s', async (from) => {
    const place = newPlace();
    const { url, drop } = await create(place.home);
    onTestFinished(drop);
    const env: Record<string, string> = from === 'settings' ? {} : { ROBOTA_STORE_URL: url };
    if (from === 'settings') writeSettings(place, { store: url });

    const first = await serve(place, [], env);
    const before = await sessionOfAda(first);
    await first.stop();
    const next = await serve(place, [], env);
    const after = await sessionOfAda(next);
    await next.stop();

    expect(after === before).toBe(kind !== 'memory');
  });
});

it('the flag goes before the settings, and these before the environment', async () => {
  const place = newPlace();
  const at = (name: string) => `sqlite:${join(place.home, name)}`;
  const env = { ROBOTA_STORE_URL: at('environment.db') };
  writeSettings(place, { store: at('settings.db') });

  await (await serve(place, [], env)).stop();
  const isSettings = ['settings.db', 'environment.db'].map((name) =>
    existsSync(join(place.home, name)),
  );
  await (await serve(place, ['--store', at('flag.db')], env)).stop();

  expect(isSettings).toEqual([true, false]);
  expect(existsSync(join(place.home, 'flag.db'))).toBe(true);
});

it('an address of no kind that is known is refused, and not repeated', async () => {
  const place = newPlace();

  const { code, stderr } = await runRobota(place, ['serve', '--port', '0'], {
    env: { ROBOTA_STORE_URL: 'mysql://root:hunter2@db/x' },
  });

  expect(code).not.toBe(0);
  expect(stderr).toContain('memory:, sqlite:, postgres:// or redis://');
  expect(stderr).not.toContain('hunter2');
});
