import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LabelFile } from '@robota-sdk/agent-archive';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudePath, claudeTurn, temporaryHome, writeLines } from './generated-home.ts';

const SESSION = { type: 'claude-agent-sdk', id: 's1' };

function homeWithSessions(): { home: string; catalogue: SqliteCatalogue } {
  const home = temporaryHome();
  for (const id of ['s1', 's2']) {
    const turn = { id, prompt: `Prompt of ${id}`, answer: 'Yes.' };
    writeLines(claudePath(home, id), claudeTurn(turn, { sessionId: id }));
  }
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  return { home, catalogue };
}

describe('a name that a person gives', () => {
  it('is shown, found and resolved at once, for a session of any agent', async () => {
    const { catalogue } = homeWithSessions();
    await catalogue.refresh();
    await catalogue.labels.set(SESSION, { name: 'The big one' });

    const { sessions } = await catalogue.list({ name: 'big' });

    expect(sessions.map(({ id, title, name }) => [id, title, name])).toEqual([
      ['s1', 'The big one', 'The big one'],
    ]);
    expect(await catalogue.resolve('the big one')).toMatchObject({ session: { id: 's1' } });
  });

  it('outlives the catalogue', async () => {
    const { home, catalogue } = homeWithSessions();
    await catalogue.refresh();
    await catalogue.labels.set(SESSION, { name: 'Kept', isPinned: true });
    await catalogue.close();
    rmSync(join(home, '.robota/catalogue.sqlite'));

    const again = new SqliteCatalogue({ home, environment: {} });
    onTestFinished(() => again.close());
    await again.refresh();

    expect(await again.resolve('Kept')).toMatchObject({ session: { id: 's1', isPinned: true } });
  });

  it('is one line without control characters and secrets', async () => {
    const { catalogue } = homeWithSessions();
    await catalogue.labels.set(SESSION, { name: `a\n\u001b[2J ghp_${'a1B2'.repeat(9)}` });

    const { name } = catalogue.labels.get(SESSION);

    expect(name).not.toMatch(/\n|\p{Cc}|ghp_a1/u);
  });

  it('is taken away by an empty one', async () => {
    const { catalogue } = homeWithSessions();
    await catalogue.labels.set(SESSION, { name: 'Gone soon', isArchived: true });
    await catalogue.labels.set(SESSION, { name: '' });

    expect(catalogue.labels.get(SESSION)).toEqual({ isArchived: true });
  });
});

describe('an archived session', () => {
  it('is listed and found only when asked for', async () => {
    const { catalogue } = homeWithSessions();
    await catalogue.refresh();
    await catalogue.labels.set(SESSION, { isArchived: true });
    const ids = async (archived?: 'with' | 'only') =>
      (await catalogue.list({ archived })).sessions.map(({ id }) => id).sort();

    expect(await ids()).toEqual(['s2']);
    expect(await ids('only')).toEqual(['s1']);
    expect(await ids('with')).toEqual(['s1', 's2']);
    expect((await catalogue.search({ text: 'prompt' })).sessions).toHaveLength(1);
    const inside = await catalogue.search({ text: 'prompt', id: 's1' });
    expect(inside.sessions.map(({ session }) => session.id)).toEqual(['s1']);
  });
});

describe('a pinned session', () => {
  it('can be listed by itself', async () => {
    const { catalogue } = homeWithSessions();
    await catalogue.refresh();
    await catalogue.labels.set(SESSION, { isPinned: true });

    const { sessions } = await catalogue.list({ pinned: 'only' });

    expect(sessions.map(({ id }) => id)).toEqual(['s1']);
  });
});

describe('the file of labels', () => {
  it('keeps what many writers write at once', async () => {
    const path = join(temporaryHome(), 'labels.json');
    const writers = Array.from({ length: 12 }, (_, number) => ({
      file: new LabelFile(path),
      number,
    }));

    await Promise.all(
      writers.map(({ file, number }) =>
        file.set({ type: 'pi', id: `s${number}` }, { name: `n${number}` }),
      ),
    );

    expect(new LabelFile(path).all()).toHaveLength(12);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is not overwritten when it cannot be read', async () => {
    const path = join(temporaryHome(), 'labels.json');
    writeFileSync(path, '{"sessions": {');

    await expect(new LabelFile(path).set(SESSION, { name: 'x' })).rejects.toThrow('is not JSON');
    expect(readFileSync(path, 'utf8')).toBe('{"sessions": {');
  });
});
