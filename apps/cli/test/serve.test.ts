import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createPlace, finished, type Place, runRobota, startRobota } from './support/run-robota.ts';

/** Starts a server on a free port and waits until it says where. */
async function serve(
  place: Place,
): Promise<{ child: ChildProcessWithoutNullStreams; url: string }> {
  const child = startRobota(place, ['serve', '--port', '0', '--provider', 'demo']);
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    child.once('exit', (code) => reject(new Error(`robota serve ended with ${code}`)));
  });
  return { child, url };
}

it('serves sessions to clients that know the token, and ends when told to', async () => {
  using place = createPlace();
  const { child, url } = await serve(place);
  const ended = finished(child);
  const file = join(place.home, '.robota/server-token');
  const token = readFileSync(file, 'utf8').trim();
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const server = new RemoteServer({ url, token, WebSocket });
  const session = server.openSession(await server.createSession({ name: 'From afar' }));
  await session.whenReady();
  const outcome = await session.submit('Hello there');
  expect(outcome).toMatchObject({ status: 'completed' });
  expect(await server.listSessions()).toMatchObject({
    sessions: [{ name: 'From afar', is_live: true }],
  });
  expect((await fetch(`${url}/api/sessions`)).status).toBe(401);
  session.close();
  child.kill('SIGTERM');

  const { code, stderr } = await ended;
  expect(code).toBe(0);
  expect(stderr).toContain(`Open ${url}/#code=`);
  expect(stderr).not.toContain(token);
});

it('says how it is used, and when the port is bad', async () => {
  using place = createPlace();

  const results = [
    await runRobota(place, ['serve', '--port', 'many']),
    await runRobota(place, ['serve', 'a', 'prompt']),
  ];

  expect(results.map(({ code }) => code)).toEqual([2, 2]);
  expect(results[0]?.stderr).toContain('Invalid --port "many"');
  expect(results[1]?.stderr).toContain('Usage: robota serve');
});
