import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

  it('keeps fields and entries that it does not understand', async () => {
    const path = join(temporaryHome(), 'labels.json');
    const written = {
      version: 1,
      theme: 'later version',
      sessions: {
        'pi:a': { name: 'A', colour: 'red' },
        'pi:b': 'not a label',
        'pi:c': { name: 7, isPinned: true },
        ['__proto__']: { name: 'own' },
      },
    };
    writeFileSync(path, JSON.stringify(written));
    const file = new LabelFile(path);

    await file.set({ type: 'pi', id: 'a' }, { isPinned: true });

    expect(file.problem()).toBeUndefined();
    expect(file.get({ type: 'pi', id: 'a' })).toEqual({ name: 'A', isPinned: true });
    expect(file.get({ type: 'pi', id: 'b' })).toEqual({});
    expect(file.get({ type: 'pi', id: 'c' })).toEqual({ isPinned: true });
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      ...written,
      sessions: { ...written.sessions, 'pi:a': { name: 'A', colour: 'red', isPinned: true } },
    });
  });

  it('may be a link, which a change keeps', async () => {
    const home = temporaryHome();
    const path = join(home, 'labels.json');
    writeFileSync(join(home, 'elsewhere.json'), '{"sessions":{"pi:a":{"name":"A"}}}');
    symlinkSync('elsewhere.json', path);

    await new LabelFile(path).set(SESSION, { name: 'B' });

    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(new LabelFile(join(home, 'elsewhere.json')).all()).toHaveLength(2);
  });
});

describe('a damaged file of labels', () => {
  const DAMAGED: Readonly<Record<string, string>> = {
    'cut off': '{"sessions": {"pi:a": {"name": "A"',
    empty: '',
    'filled with zeros': '\0'.repeat(64),
    'an array': '[1, 2]',
    'the word null': 'null',
    'without sessions in it': '{"version": 1, "sessions": "abc"}',
    'nested too deeply': '['.repeat(100_000),
  };

  it.each(Object.entries(DAMAGED))('that is %s costs only the labels', async (_, content) => {
    const { home, catalogue } = homeWithSessions();
    mkdirSync(join(home, '.robota'), { recursive: true });
    writeFileSync(join(home, '.robota/labels.json'), content);
    await catalogue.refresh();

    const { sessions } = await catalogue.list();
    const found = await catalogue.search({ text: 'prompt' });

    expect(sessions).toHaveLength(2);
    expect(found.sessions).toHaveLength(2);
    expect(catalogue.labels.problem()).toContain(join(home, '.robota/labels.json'));
    expect(readFileSync(catalogue.labels.path, 'utf8')).toBe(content);
  });

  it.each(Object.entries(DAMAGED))('that is %s is kept by a change', async (_, content) => {
    const folder = temporaryHome();
    const path = join(folder, 'labels.json');
    writeFileSync(path, content);
    const file = new LabelFile(path);

    await file.set(SESSION, { name: 'First' });
    await file.set({ ...SESSION, id: 's2' }, { name: 'Second' });

    expect(file.problem()).toBeUndefined();
    expect(file.all().map(({ name }) => name)).toEqual(['First', 'Second']);
    const kept = file.damagedCopies();
    expect(kept.map((copy) => readFileSync(copy, 'utf8'))).toEqual([content]);
  });

  it('that is a pipe, a device or a folder never blocks', async () => {
    const folder = temporaryHome();
    const paths = ['pipe', 'device', 'folder', 'ring'].map((name) => join(folder, name));
    const [pipe = '', device = '', directory = '', ring = ''] = paths;
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/dev/zero', device);
    mkdirSync(directory);
    symlinkSync('ring', ring);

    expect(paths.map((path) => new LabelFile(path).all())).toEqual([[], [], [], []]);
    expect(paths.map((path) => new LabelFile(path).problem())).toEqual([
      `${pipe} is not a regular file`,
      `${device} is not a regular file`,
      `${directory} is not a regular file`,
      `${ring} cannot be read (ELOOP)`,
    ]);
  });

  it('is not moved when it only cannot be read now', async () => {
    const path = join(temporaryHome(), 'labels.json');
    symlinkSync('labels.json', path);

    await expect(new LabelFile(path).set(SESSION, { name: 'x' })).rejects.toThrow(
      `Cannot change ${path}: it cannot be read (ELOOP)`,
    );
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });
});
