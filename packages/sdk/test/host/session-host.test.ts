import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { createProjectSessionStore, SessionHost } from '@robota-sdk/agent-sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
let host: SessionHost;

beforeEach(() => {
  host = newHost();
});
afterEach(() => host.closeAll());

function newHost(): SessionHost {
  return new SessionHost({
    defaults: {
      cwd: place.project,
      provider: scriptedProvider(says('one'), says('two'), says('three')),
      sessionStore: createProjectSessionStore(place.project),
      bare: true,
    },
  });
}

it('creates sessions, finds them again and lists live ones first', async () => {
  const first = await host.create({ sessionName: 'first' });
  await first.submit('hello');
  await host.close(first.sessionId);
  const second = await host.create();

  expect(await host.open(second.sessionId)).toBe(second);
  expect(host.get(first.sessionId)).toBeUndefined();
  expect(await host.list()).toMatchObject([
    { id: second.sessionId, isLive: true, isExecuting: false },
    { id: first.sessionId, name: 'first', isLive: false, cwd: place.project },
  ]);
});

it('brings a saved session back once for two callers', async () => {
  const created = await host.create();
  await created.submit('hello');
  await host.close(created.sessionId);

  const [one, two] = await Promise.all([
    host.open(created.sessionId),
    host.open(created.sessionId),
  ]);

  expect(one).toBe(two);
  expect(one.getConversation().blocks).toHaveLength(2);
});

it('rejects an unknown id and may be asked again', async () => {
  await expect(host.open('nobody')).rejects.toMatchObject({ code: 'session_not_found' });
  await expect(host.open('nobody')).rejects.toMatchObject({ code: 'session_not_found' });
});

it('refuses a second live session with the same id', async () => {
  await host.create({ sessionId: 'same' });

  await expect(host.create({ sessionId: 'same' })).rejects.toMatchObject({
    code: 'session_exists',
  });
});

it('tells who is locked out by another host', async () => {
  const created = await host.create();
  await created.submit('hello');
  const other = newHost();

  await expect(other.open(created.sessionId)).rejects.toMatchObject({ code: 'session_locked' });
});
