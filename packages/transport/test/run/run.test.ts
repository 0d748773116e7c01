import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import {
  announceServer,
  findServer,
  joinSocketSession,
  listSocketSessions,
  openSessionSocket,
} from '@robota-sdk/agent-transport/run';
import { expect, it } from 'vitest';
import { usePlace } from '../support/place.ts';

const place = usePlace();

it('finds the running server, and none once it has stopped', () => {
  const folder = join(place.home, 'run');

  expect(findServer(folder)).toBeUndefined();
  const leave = announceServer({ url: 'http://127.0.0.1:7070', tokenPath: '/token' }, folder);
  const found = findServer(folder);
  const mode = statSync(join(folder, 'server.json')).mode & 0o777;
  leave();

  expect(found).toMatchObject({ url: 'http://127.0.0.1:7070', pid: process.pid });
  expect(mode).toBe(0o600);
  expect(findServer(folder)).toBeUndefined();
});

it('does not mistake another process with the same id for the server', () => {
  const folder = join(place.home, 'run');
  announceServer({ url: 'http://127.0.0.1:7070', tokenPath: '/token' }, folder);
  const file = join(folder, 'server.json');
  const server = JSON.parse(readFileSync(file, 'utf8'));
  const { pid } = spawnSync('true');

  writeFileSync(file, JSON.stringify({ ...server, startedAt: '1' }));
  const restarted = findServer(folder);
  writeFileSync(file, JSON.stringify({ ...server, pid }));
  const ended = findServer(folder);
  writeFileSync(file, 'not ours');

  expect([restarted, ended, findServer(folder)]).toEqual([undefined, undefined, undefined]);
});

it('lets another surface join a session of this process and answer its questions', async () => {
  const folder = join(place.home, 'run');
  const session = place.session({ queueDepth: 5 });
  const socket = await openSessionSocket(session, folder);
  place.after(() => socket.close());
  const joined = await joinSocketSession(session.sessionId, { folder });
  place.after(() => joined?.shutdown());
  joined?.on('question', ({ id }) => void joined.answer(id, 'deny'));

  const outcome = await session.submit('touch');

  expect(statSync(socket.path).mode & 0o777).toBe(0o600);
  expect(outcome.status).toBe('completed');
  expect(await joined?.submit('hello')).toMatchObject({ result: { response: 'You said hello' } });
  expect(joined?.getBlocks()).toEqual(session.getBlocks());
  expect(await listSocketSessions(folder)).toEqual([session.sessionId]);
  await socket.close();
  expect(existsSync(socket.path)).toBe(false);
});

it('removes stale socket files and does not list them', async () => {
  const folder = join(place.home, 'run');
  mkdirSync(folder);
  const path = join(folder, 'old.sock');
  writeFileSync(path, '');
  const held = createServer();
  await new Promise<void>((resolve) => held.listen(join(folder, 'held.sock'), resolve));
  place.after(() => held.close());

  expect(await joinSocketSession('old', { folder })).toBeUndefined();
  expect(await listSocketSessions(folder)).toEqual(['held']);
  expect(existsSync(path)).toBe(false);
  await expect(joinSocketSession('../outside', { folder })).rejects.toThrow('not the id');
});
