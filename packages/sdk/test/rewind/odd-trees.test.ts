import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { FunctionTool } from '@robota-sdk/agent-tools';
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

const at = (path: string) => join(test.project, path);
/** Until a file that is made now is younger than those before by more than the file system can tell apart. */
async function untilOlder(): Promise<void> {
  const end = Date.now() + 50;
  while (Date.now() < end) await nextTick();
}
const text = (path: string) => readFileSync(at(path), 'utf8');

/** Runs a command as the agent, goes back, and forward again. */
async function thereAndBack(command: string): Promise<void> {
  const before = treeOf(test.project);
  const agent = start();
  const to = await agent.ask('Work', [{ bash: command }]);
  const after = treeOf(test.project);
  expect(after, 'the command did something').not.toEqual(before);
  await agent.session.rewind({ to });
  expect(treeOf(test.project), 'back').toEqual(before);
  await agent.session.undoRewind();
  expect(treeOf(test.project), 'forth').toEqual(after);
  await agent.session.rewind({ to });
  expect(treeOf(test.project), 'back again').toEqual(before);
}

describe('going back and forth', () => {
  it('over renames of files and folders, of case alone, too', async () => {
    test.write('readme.md', 'r');
    test.write('src/one.ts', '1');
    test.write('src/deep/two.ts', '2');
    await thereAndBack('mv readme.md README.md; mv src lib; mkdir src; mv lib/deep src/deep');
  });

  it('over names with line breaks, blanks, quotes and other letters', async () => {
    test.write('a\nb.txt', 'line');
    test.write(' blank "and" \'quote\'.txt', 'q');
    test.write('Ünïcödé/日本語 🎉.txt', 'u');
    test.write('-rf', 'dash');
    await thereAndBack(
      'for f in ./*; do [ -f "$f" ] && echo x >> "$f"; done; rm -r Ü*; mv -- -rf other',
    );
  });

  it('over binary files and permissions', async () => {
    writeFileSync(at('binary'), Buffer.from([0, 255, 13, 10, 0, 128]));
    test.write('run.sh', 'echo');
    chmodSync(at('run.sh'), 0o755);
    test.write('secret', 's');
    chmodSync(at('secret'), 0o600);
    await thereAndBack(
      'printf "\\001\\000" > binary; chmod 644 run.sh; chmod 400 secret; : > empty',
    );
  });

  it('over links to folders, dangling ones, and a file in place of a link', async () => {
    test.write('real/file', 'f');
    symlinkSync('real', at('folder-link'));
    symlinkSync('nowhere', at('dangling'));
    symlinkSync('real/file', at('file-link'));
    await thereAndBack(
      'rm folder-link; mkdir folder-link; echo x > folder-link/file; ln -sfn real dangling; rm file-link; echo y > file-link; ln -s / root',
    );
  });

  it('over a file that becomes a folder and a folder that becomes a link', async () => {
    test.write('thing', 't');
    test.write('folder/inside', 'i');
    await thereAndBack(
      'rm thing; mkdir -p thing/a; echo 1 > thing/a/b; rm -r folder; ln -s thing folder',
    );
  });

  it('in a git work tree, with a nested repository and a submodule', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: test.project,
        stdio: 'pipe',
      });
    git('init', '-q');
    test.write('a.txt', 'one');
    test.write('nested/b.txt', 'two');
    git('init', '-q', 'nested');
    git('add', 'a.txt');
    git('commit', '-qm', 'first');
    await thereAndBack('echo x > a.txt; git add a.txt; echo y > nested/b.txt; rm -f nested/none');
    expect(git('log', '--oneline').toString()).toContain('first');
  });
});

describe('what the person has is safe', () => {
  it('when a command stops git from ignoring it', async () => {
    test.write('.gitignore', '.env\nbuild/\n');
    test.write('.env', 'KEY=mine');
    test.write('build/own-notes.txt', 'mine');
    await untilOlder();
    const agent = start();
    const to = await agent.ask('Work', [{ bash: 'rm .gitignore; echo made > made.txt' }]);
    const preview = await agent.session.previewRewind(to);
    expect(preview.files.map(({ path }) => path)).toEqual(['.gitignore', 'made.txt']);
    await agent.session.rewind({ to });
    expect(text('.env')).toBe('KEY=mine');
    expect(text('build/own-notes.txt')).toBe('mine');
  });

  it('when a folder of theirs is moved into the tree', async () => {
    const outside = join(test.home, 'pictures');
    mkdirSync(outside);
    writeFileSync(join(outside, 'cat.png'), 'meow');
    await untilOlder();
    const agent = start();
    const to = await agent.ask('Work', [{ bash: `mv ${outside} pictures; echo made > made.txt` }]);
    const { notCovered } = await agent.session.previewRewind(to);
    expect(notCovered).toEqual([expect.stringContaining('pictures/cat.png')]);
    await agent.session.rewind({ to });
    expect(existsSync(at('made.txt'))).toBe(false);
    expect(text('pictures/cat.png')).toBe('meow');
  });

  it('when what is kept was removed to make room', async () => {
    test.write('a.txt', 'old a');
    test.write('b.txt', 'old b');
    const agent = start();
    const to = await agent.ask('Work', [
      { write: 'a.txt', content: 'new a' },
      { write: 'c.txt', content: 'new c' },
    ]);
    rmSync(join(place.logDirectory, agent.session.sessionId, 'files'), { recursive: true });
    const preview = await agent.session.previewRewind(to);
    expect(preview.files).toMatchObject([
      { path: 'a.txt', isFixed: true, conflict: expect.stringContaining('not kept') },
      { path: 'c.txt', change: 'delete' },
    ]);
    const done = await agent.session.rewind({ to, conflicts: 'overwrite' });
    expect(done).toMatchObject({ kept: ['a.txt'], files: [{ path: 'c.txt' }] });
    expect(text('a.txt')).toBe('new a');
    await agent.session.undoRewind();
    expect(text('c.txt')).toBe('new c');
  });

  it('when it is large, and when the agent made something large', async () => {
    writeFileSync(at('large.bin'), Buffer.alloc(50 * 1024 * 1024, 1));
    test.write('small', 'one');
    const agent = start();
    const to = await agent.ask('Work', [
      { bash: 'printf x >> large.bin; head -c 50000000 /dev/zero > made.bin; echo two > small' },
    ]);
    const preview = await agent.session.previewRewind(to);
    expect(preview.files.map(({ path, isFixed }) => [path, isFixed])).toEqual([
      ['large.bin', true],
      ['made.bin', true],
      ['small', undefined],
    ]);
    await agent.session.rewind({ to });
    expect(statSync(at('large.bin')).size).toBe(50 * 1024 * 1024 + 1);
    expect(text('small')).toBe('one');
  });

  it('when a folder on the way is swapped for a link between preview and use', async () => {
    test.write('dir/a.txt', 'old');
    const agent = start();
    const to = await agent.ask('Work', [{ write: 'dir/a.txt', content: 'new' }]);
    await agent.session.previewRewind(to);
    const elsewhere = join(test.home, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'a.txt'), 'new');
    renameSync(at('dir'), at('dir-away'));
    symlinkSync(elsewhere, at('dir'));
    await agent.session.rewind({ to, conflicts: 'overwrite' }).catch(() => undefined);
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe('new');
  });
});

describe('the preview says what it does not know', () => {
  it('of tools that did not say what they touch', async () => {
    const custom = new FunctionTool(
      {
        name: 'Bash',
        description: 'x',
        parameters: { type: 'object', properties: { command: { type: 'string' } } },
      },
      () => 'done',
    );
    const agent = start({ builtinTools: false, tools: [custom] });
    const to = await agent.ask('Work', [{ bash: 'x' }]);
    const { notCovered } = await agent.session.previewRewind(to);
    expect(notCovered).toEqual([expect.stringContaining('Bash')]);
  });
});
