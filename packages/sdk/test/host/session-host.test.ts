import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it('tells which sessions are opened and let go, and describes one without listing all', async () => {
  const told: string[] = [];
  host.onOpen(({ sessionId }) => told.push(`opened ${sessionId}`));
  host.onClose(({ sessionId }) => told.push(`closed ${sessionId}`));
  const { sessionId: id } = await host.create({ sessionId: 'mine', sessionName: 'Mine' });

  const open = await host.describe(id);
  const live = host.live().map(({ sessionId }) => sessionId);
  await host.close(id);

  expect(open).toMatchObject({ id, name: 'Mine', isLive: true, state: 'created' });
  expect(live).toEqual([id]);
  expect(await host.describe(id)).toMatchObject({ id, isLive: false });
  expect(await host.describe('nobody')).toBeUndefined();
  expect([host.live(), told]).toEqual([[], ['opened mine', 'closed mine']]);
});

it('brings a session back where it took place, and asks whoever holds it first', async () => {
  const created = await host.create({ sessionId: 'mine' });
  await created.submit('hello');
  await host.closeAll();
  const elsewhere = mkdtempSync(join(tmpdir(), 'robota-elsewhere-'));
  const asked: string[] = [];
  const other = new SessionHost({
    defaults: {
      cwd: place.project,
      provider: scriptedProvider(says('two')),
      sessionStore: createProjectSessionStore(place.project),
      bare: true,
    },
    findCwd: async (id) => {
      asked.push(`where ${id}`);
      return elsewhere;
    },
    openElsewhere: async (id) => {
      asked.push(`who ${id}`);
      return undefined;
    },
  });

  const back = await other.open('mine');

  expect(back.getCwd()).toBe(elsewhere);
  expect(asked).toEqual(['who mine', 'where mine']);
  await other.closeAll();
  rmSync(elsewhere, { recursive: true, force: true });
});
