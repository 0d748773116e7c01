import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { placeIn, type RewindPlace, treeOf, WorkingSession } from './rewind-session.ts';

const test = useTestPlace();
let place: RewindPlace;
let open: WorkingSession[] = [];

beforeEach(() => {
  place = placeIn(test.home, test.project);
});

afterEach(async () => {
  for (const { session } of open) await session.shutdown();
  open = [];
});

function start(options: ConstructorParameters<typeof WorkingSession>[1] = {}): WorkingSession {
  const working = new WorkingSession(place, options);
  open.push(working);
  return working;
}

describe('a rewind', () => {
  it('takes back what Write, Edit and a command did, and the conversation', async () => {
    test.write('kept.txt', 'one\n');
    test.write('gone.txt', 'still here\n');
    const before = treeOf(test.project);
    const agent = start();
    await agent.ask('Nothing much');
    const to = await agent.ask('Work', [
      { edit: 'kept.txt', from: 'one', to: 'two' },
      { write: 'new/deep/file.txt', content: 'new\n' },
      { bash: 'rm gone.txt; echo more >> kept.txt; mkdir -p made/by; echo x > made/by/shell' },
    ]);
    const after = treeOf(test.project);
    expect(after).not.toEqual(before);

    const preview = await agent.session.previewRewind(to);
    expect(preview.files.map(({ path, change, conflict }) => [path, change, conflict])).toEqual([
      ['gone.txt', 'create', undefined],
      ['kept.txt', 'restore', undefined],
      ['made/by/shell', 'delete', undefined],
      ['new/deep/file.txt', 'delete', undefined],
    ]);
    expect(treeOf(test.project), 'a preview changes nothing').toEqual(after);
    const result = await agent.session.rewind({ to });
    expect(result).toMatchObject({ prompt: 'Work', what: 'both', kept: [] });
    expect(treeOf(test.project)).toEqual(before);
    expect(agent.said()).toEqual(['Nothing much']);
    expect(agent.heard()).toEqual(['Nothing much']);

    await agent.session.undoRewind();
    expect(treeOf(test.project)).toEqual(after);
    expect(agent.said()).toEqual(['Nothing much', 'Work']);
    expect(agent.heard()).toEqual(['Nothing much', 'Work']);
    await expect(agent.session.undoRewind()).rejects.toMatchObject({ code: 'nothing_to_undo' });
  });

  it('leaves the files for the conversation alone, and the conversation for files alone', async () => {
    test.write('a.txt', 'old');
    const agent = start();
    const to = await agent.ask('Work', [{ write: 'a.txt', content: 'new' }]);
    await agent.session.rewind({ to, what: 'files' });
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 old' });
    expect(agent.heard()).toEqual(['Work']);
    await agent.session.undoRewind();
    await agent.session.rewind({ to, what: 'conversation' });
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 new' });
    expect(agent.heard()).toEqual([]);
  });

  it('never overwrites what a person changed without being told so', async () => {
    const file = test.write('a.txt', 'old');
    test.write('b.txt', 'old');
    const agent = start();
    const to = await agent.ask('Work', [
      { write: 'a.txt', content: 'new' },
      { write: 'b.txt', content: 'new' },
    ]);
    writeFileSync(file, 'mine');
    const [conflict] = (await agent.session.previewRewind(to)).files;
    expect(conflict).toMatchObject({ path: 'a.txt', conflict: expect.any(String) });
    expect(conflict?.diff).toContainEqual({ type: 'remove', text: 'mine', lineNumber: 1 });

    await expect(agent.session.rewind({ to })).rejects.toMatchObject({ code: 'rewind_conflict' });
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 mine', 'b.txt': '644 new' });
    expect(agent.heard()).toEqual(['Work']);
    const kept = await agent.session.rewind({ to, conflicts: 'keep' });
    expect(kept).toMatchObject({ kept: ['a.txt'] });
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 mine', 'b.txt': '644 old' });
    await agent.session.undoRewind();
    await agent.session.rewind({ to, conflicts: 'overwrite' });
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 old', 'b.txt': '644 old' });
    await agent.session.undoRewind();
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 mine', 'b.txt': '644 new' });
    await expect(agent.session.rewind({ to })).rejects.toMatchObject({ code: 'rewind_conflict' });
  });

  it('overwrites what was shown to the person, and nothing that changed since', async () => {
    const file = test.write('a.txt', 'old');
    const agent = start();
    const to = await agent.ask('Work', [{ write: 'a.txt', content: 'new' }]);
    writeFileSync(file, 'mine');
    const { seen } = await agent.session.previewRewind(to);
    writeFileSync(file, 'mine, and more');
    const consent = { to, conflicts: 'overwrite' } as const;
    await expect(agent.session.rewind({ ...consent, seen })).rejects.toMatchObject({
      code: 'rewind_conflict',
      message: expect.stringContaining('Look again'),
    });
    expect(readFileSync(file, 'utf8')).toBe('mine, and more');
    expect(agent.heard()).toEqual(['Work']);
    const again = await agent.session.previewRewind(to);
    await agent.session.rewind({ ...consent, seen: again.seen });
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  it('knows that somebody changed a file between two changes of the agent', async () => {
    const file = test.write('a.txt', 'one');
    const agent = start();
    const to = await agent.ask('First', [{ write: 'a.txt', content: 'two' }]);
    writeFileSync(file, 'three, mine');
    const second = await agent.ask('Second', [{ write: 'a.txt', content: 'four' }]);
    await expect(agent.session.rewind({ to })).rejects.toMatchObject({ code: 'rewind_conflict' });
    await agent.session.rewind({ to: second });
    expect(readFileSync(file, 'utf8')).toBe('three, mine');
  });

  it('keeps permissions, links and bytes, and follows no link', async () => {
    const script = test.write('run.sh', '#!/bin/sh\n');
    chmodSync(script, 0o750);
    const bytes = Buffer.from([0, 255, 1, 254, 10, 0]);
    writeFileSync(join(test.project, 'image.bin'), bytes);
    mkdirSync(join(test.home, 'outside'));
    writeFileSync(join(test.home, 'outside', 'theirs.txt'), 'theirs');
    symlinkSync('run.sh', join(test.project, 'link'));
    symlinkSync(join(test.home, 'outside'), join(test.project, 'way-out'));
    const before = treeOf(test.project);
    const agent = start();
    const to = await agent.ask('Work', [
      {
        bash: 'chmod 600 run.sh; printf "\\1\\0" > image.bin; ln -sf image.bin link; mv run.sh moved.sh; echo changed > way-out/theirs.txt',
      },
    ]);
    expect((await agent.session.previewRewind(to)).files.map(({ path }) => path)).toEqual([
      'image.bin',
      'link',
      'moved.sh',
      'run.sh',
    ]);
    await agent.session.rewind({ to });
    expect(treeOf(test.project)).toEqual(before);
    expect(readFileSync(join(test.project, 'image.bin'))).toEqual(bytes);
    expect(readFileSync(join(test.home, 'outside', 'theirs.txt'), 'utf8')).toBe('changed\n');
  });

  it('does not touch what git ignores, nor .git itself', async () => {
    test.write('.gitignore', 'build/\n*.log\n');
    test.write('build/out.js', 'built');
    test.write('.git/HEAD', 'ref: refs/heads/main\n');
    const agent = start();
    const to = await agent.ask('Work', [
      { bash: 'echo 2 > build/out.js; echo x > a.log; echo y > .git/HEAD; echo z > seen.txt' },
    ]);
    const { files } = await agent.session.previewRewind(to);
    expect(files.map(({ path }) => path)).toEqual(['seen.txt']);
    await agent.session.rewind({ to });
    expect(readFileSync(join(test.project, 'build/out.js'), 'utf8')).toBe('2\n');
    expect(readFileSync(join(test.project, '.git/HEAD'), 'utf8')).toBe('y\n');
  });

  it('lets a folder make room for a file and back', async () => {
    test.write('thing/inside.txt', 'in');
    const agent = start();
    const to = await agent.ask('Work', [{ bash: 'rm -r thing; echo file > thing' }]);
    await agent.session.rewind({ to });
    expect(treeOf(test.project)).toEqual({ 'thing/inside.txt': '644 in' });
    await agent.session.undoRewind();
    expect(treeOf(test.project)).toEqual({ thing: '644 file\n' });
  });

  it('goes on after the session was closed, and in a fork', async () => {
    test.write('a.txt', 'old');
    const first = start();
    const to = await first.ask('Work', [{ write: 'a.txt', content: 'new' }]);
    const { sessionId } = first.session;
    await first.session.shutdown();
    const again = start({ resumeSessionId: sessionId });
    await again.session.whenReady();
    const copy = again.session.fork();
    await copy.whenReady();
    await copy.rewind({ to });
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 old' });
    await copy.undoRewind();
    await copy.shutdown();
    place.store.delete(copy.sessionId);
    await again.session.rewind({ to });
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 old' });
    await again.session.shutdown();
    const last = start({ resumeSessionId: sessionId });
    await last.session.whenReady();
    expect(last.heard()).toEqual([]);
    await last.session.undoRewind();
    expect(last.heard()).toEqual(['Work']);
    expect(last.said()).toEqual(['Work']);
    expect(treeOf(test.project)).toEqual({ 'a.txt': '644 new' });
  });

  it('goes back beyond a compaction', async () => {
    const agent = start();
    await agent.ask('One');
    const to = await agent.ask('Two');
    await agent.session.compact();
    await agent.ask('Three');
    await agent.session.rewind({ to, what: 'conversation' });
    expect(agent.heard()).toEqual(['One']);
    expect(agent.said()).toEqual(['One']);
    await agent.session.undoRewind();
    expect(agent.heard()).toEqual(['Three']);
    expect(agent.said()).toEqual(['One', 'Two', 'Three']);
  });

  it('says which prompt it does not know', async () => {
    const agent = start();
    await agent.ask('One');
    await expect(agent.session.rewind({ to: 'nobody' })).rejects.toMatchObject({
      code: 'unknown_prompt',
    });
  });
});

describe('a compaction', () => {
  it('is taken back by uncompact, also after the session was closed', async () => {
    const agent = start();
    await agent.ask('One');
    await agent.ask('Two');
    await agent.session.compact();
    await agent.ask('Three');
    const { sessionId } = agent.session;
    await agent.session.shutdown();
    const again = start({ resumeSessionId: sessionId });
    await again.session.uncompact();
    expect(again.heard()).toEqual(['One', 'Two', 'Three']);
    expect(again.said()).toEqual(['One', 'Two', 'Three']);
    const [, to = ''] = again.prompts().map(({ id }) => id);
    await again.session.rewind({ to, what: 'conversation' });
    expect(again.heard()).toEqual(['One']);
    expect(again.said()).toEqual(['One']);
    await expect(again.session.uncompact()).rejects.toMatchObject({ code: 'nothing_to_undo' });
  });

  it('keeps what is pinned, word for word, every time', async () => {
    const agent = start();
    await agent.ask('One');
    await agent.session.pins.add('Use tabs.');
    await agent.session.compact();
    await agent.ask('Two');
    await agent.session.compact();
    const history = agent.session.getSession().getHistory();
    expect(history.at(-1)?.content).toContain('- Use tabs.');
    await agent.session.pins.remove('Use tabs.');
    await agent.ask('Three');
    await agent.session.compact();
    expect(agent.session.getSession().getHistory().at(-1)?.content).not.toContain('Use tabs');
  });
});

describe('a fork', () => {
  it('ends at the block it is asked for', async () => {
    test.write('a.txt', 'old');
    const agent = start();
    await agent.ask('One', [{ bash: 'true' }]);
    const second = await agent.ask('Two');
    const call = agent.session.getBlocks().find(({ type }) => type === 'tool_use');
    const before = agent.session.fork(undefined, second);
    await before.whenReady();
    expect(
      before
        .getSession()
        .getHistory()
        .map(({ role }) => role),
    ).toEqual(['system', 'user', 'assistant', 'tool', 'assistant']);
    const middle = agent.session.fork(undefined, call?.id);
    await middle.whenReady();
    expect(
      middle
        .getSession()
        .getHistory()
        .map(({ role }) => role),
    ).toEqual(['system', 'user', 'assistant', 'tool']);
    await before.shutdown();
    await middle.shutdown();
    await agent.session.compact();
    const earlier = agent.session.fork(undefined, call?.id);
    await earlier.whenReady();
    expect(
      earlier
        .getSession()
        .getHistory()
        .map(({ content }) => content),
    ).toContain('One');
    await earlier.shutdown();
    const unknown = agent.session.fork(undefined, 'nobody');
    await expect(unknown.whenReady()).rejects.toMatchObject({ code: 'unknown_block' });
    await unknown.shutdown();
  });
});
