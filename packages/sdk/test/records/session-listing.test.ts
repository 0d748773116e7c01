import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  createProjectSessionStore,
  deleteSession,
  InteractiveSession,
  latestSessionId,
  listSessionSummaries,
  renameSession,
  resolveSessionReference,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

async function saveSession(cwd: string, sessionId: string, sessionName?: string): Promise<void> {
  const provider = scriptedProvider(says(`answer of ${sessionId}`));
  const session = new InteractiveSession({
    cwd,
    provider,
    sessionId,
    sessionName,
    persistence: true,
    bare: true,
  });
  await session.submit('hello');
  await session.shutdown();
}

it('lists the sessions of a directory or of all, newest first', async () => {
  await saveSession(place.project, 'first-one', 'alpha');
  await saveSession(place.home, 'elsewhere');
  await saveSession(place.project, 'second-one');

  expect(listSessionSummaries({ cwd: place.project })).toMatchObject([
    { id: 'second-one', preview: 'answer of second-one', cwd: place.project },
    { id: 'first-one', name: 'alpha' },
  ]);
  expect(listSessionSummaries().map(({ id }) => id)).toEqual([
    'second-one',
    'elsewhere',
    'first-one',
  ]);
  expect(latestSessionId(place.home)).toBe('elsewhere');
  expect(latestSessionId('/nowhere')).toBeNull();
});

describe('a reference', () => {
  it('is an id, the beginning of one, or a name', async () => {
    await saveSession(place.project, 'abcdefgh-1234', 'my work');

    expect(
      ['abcdefgh-1234', 'abcdefgh', 'my work'].map((reference) =>
        resolveSessionReference(reference),
      ),
    ).toEqual(['abcdefgh-1234', 'abcdefgh-1234', 'abcdefgh-1234']);
  });

  it('that nobody bears is a typed error', () => {
    expect(() => resolveSessionReference('nobody')).toThrow(
      expect.objectContaining({ code: 'session_not_found', message: 'Session not found: nobody' }),
    );
  });

  it('that two bear names both, unless one of them is here', async () => {
    await saveSession(place.project, 'one', 'twin');
    await saveSession(place.home, 'two', 'twin');

    expect(() => resolveSessionReference('twin')).toThrow(
      expect.objectContaining({ code: 'session_ambiguous', ids: ['two', 'one'] }),
    );
    expect(resolveSessionReference('twin', { cwd: place.project })).toBe('one');
  });
});

it('renames and deletes what is saved', async () => {
  await saveSession(place.project, 'some-session', 'old');

  renameSession('some-session', 'new');
  const names = listSessionSummaries().map(({ name }) => name);
  deleteSession('some-session');

  expect(names).toEqual(['new']);
  expect(listSessionSummaries()).toEqual([]);
  expect(() => renameSession('some-session', 'x')).toThrow(
    expect.objectContaining({ code: 'session_not_found' }),
  );
});

it('does not delete or rename a session that is open', async () => {
  const provider = scriptedProvider(says('hi'));
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    sessionId: 'open-one',
    persistence: true,
    bare: true,
  });
  await session.submit('hello');

  expect(() => deleteSession('open-one')).toThrow(
    expect.objectContaining({ code: 'session_locked' }),
  );
  expect(() => renameSession('open-one', 'x')).toThrow(
    expect.objectContaining({ code: 'session_locked' }),
  );
  await session.shutdown();
});

it('reads the sessions an earlier implementation left in the project', () => {
  place.write('.robota/sessions/old-one.json', {
    id: 'old-one',
    cwd: place.project,
    createdAt: '2025-01-01T00:00:00.000Z',
    updatedAt: '2025-01-01T00:00:00.000Z',
    messages: [],
    history: [],
  });
  const store = createProjectSessionStore(place.project);

  expect(store.list().map(({ id }) => id)).toEqual(['old-one']);
  expect(store.load('old-one')?.createdAt).toBe('2025-01-01T00:00:00.000Z');
  expect(resolveSessionReference('old-one', { cwd: place.project })).toBe('old-one');
});
