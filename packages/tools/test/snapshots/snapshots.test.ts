import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FileChange } from '@robota-sdk/agent-core/log';
import {
  boundSnapshots,
  FileTracker,
  ObjectFolder,
  settleSwap,
  swapFiles,
} from '@robota-sdk/agent-tools';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../../test/bundle-program.ts';

let root = '';
let project = '';
let folder = '';

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-snapshots-')));
  project = join(root, 'project');
  folder = join(root, 'kept');
  mkdirSync(project);
  mkdirSync(folder);
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, content: string | Buffer): string {
  const file = join(project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

function tracker(limits?: ConstructorParameters<typeof FileTracker>[0]['limits']): FileTracker {
  return new FileTracker({ root: project, folder, cacheFolder: join(root, 'tree'), limits });
}

/** The detected changes of a command, by path relative to the project. */
async function changesOf(tracked: FileTracker, command: () => void): Promise<string[]> {
  const call = await tracked.begin([{ kind: 'execute', target: 'a command' }]);
  command();
  const found: string[] = [];
  await call?.end(({ changes, notCovered }) => {
    found.push(...changes.map((change) => describeChange(change)));
    if (notCovered !== undefined) found.push(`not covered: ${notCovered}`);
  });
  return found.toSorted();
}

function describeChange({ path, before, after }: FileChange): string {
  const kind = (version: string | null) => version?.split(':')[0] ?? 'nothing';
  return `${path.slice(project.length + 1)}: ${kind(before)} to ${kind(after)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('a command', () => {
  it('is detected in submodules and beside links, but not in ignored files or behind links', async () => {
    write('.git/HEAD', 'ref');
    write('.gitignore', 'ignored/\n');
    write('module/.git', 'gitdir: ../.git/modules/module');
    const inModule = write('module/code.ts', '1');
    const ignored = write('ignored/x', '1');
    mkdirSync(join(root, 'elsewhere'));
    const outside = join(root, 'elsewhere', 'y');
    writeFileSync(outside, '1');
    symlinkSync(join(root, 'elsewhere'), join(project, 'link'));

    const found = await changesOf(tracker(), () => {
      for (const file of [inModule, ignored, outside]) writeFileSync(file, '22');
      writeFileSync(join(project, 'module/.git'), 'changed');
    });

    expect(found).toEqual(['module/code.ts: file to file']);
  });

  it('is detected however quickly it writes the same number of bytes', async () => {
    const file = write('a', '0');
    const tracked = tracker();
    for (const text of ['1', '2', '3']) {
      const found = await changesOf(tracked, () => writeFileSync(file, text));
      expect(found).toEqual(['a: file to file']);
    }
  });

  it('reports that the content of a large file is not kept', async () => {
    const file = write('large.bin', Buffer.alloc(2_000));
    const found = await changesOf(tracker({ mostFileBytes: 1_000 }), () => {
      writeFileSync(file, Buffer.alloc(3_000, 1));
    });

    expect(found).toEqual(['large.bin: unkept to unkept']);
  });

  it('reports that changes are not covered when there are too many files', async () => {
    for (let index = 0; index < 12; index++) write(`many/${index}/x`, 'x');
    const found = await changesOf(tracker({ mostFiles: 5 }), () => write('many/0/x', 'y'));

    expect(found).toEqual([expect.stringContaining('not covered: files that commands change')]);
  });

  it('keeps copies of files under names that no tool may open', async () => {
    const file = write('keys', 'a secret');
    await changesOf(tracker(), () => {
      writeFileSync(file, 'another');
    });

    const copies = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
      (entry) =>
        entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes('a secret'),
    );
    expect(copies.length).toBeGreaterThan(0);
    expect(copies.filter(({ name }) => !name.endsWith('.vault'))).toEqual([]);
  });

  it('reports and keeps nothing when it changes nothing', async () => {
    write('a', '1');
    expect(await changesOf(tracker(), () => undefined)).toEqual([]);
    expect(existsSync(join(folder, 'objects'))).toBe(false);
    expect(await tracker().begin([{ kind: 'read', target: join(project, 'a') }])).toBeUndefined();
  });

  it('reports a change once when two concurrent calls detect it', async () => {
    const file = write('a', '1');
    const tracked = tracker();
    const command = await tracked.begin([{ kind: 'execute', target: 'x' }]);
    const edit = await tracked.begin([{ kind: 'write', target: file }]);
    writeFileSync(file, '2');
    const told: FileChange[] = [];
    await command?.end(({ changes }) => told.push(...changes));
    await edit?.end(({ changes }) => told.push(...changes));

    expect(told.map(describeChange)).toEqual(['a: file to file']);
  });
});

describe('a swap', () => {
  it('is completely done or undone by settling after a kill', async () => {
    const { file: program, remove } = await bundleProgram(
      join(import.meta.dirname, 'swap-child.ts'),
    );
    onTestFinished(remove);
    const count = 200;
    for (const delay of [0, 10, 40]) {
      for (let index = 0; index < count; index++) write(`f${index}.txt`, `old ${index}`);
      const child = spawn(process.execPath, [program, project, folder, String(count)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      const killing = setTimeout(() => child.kill('SIGKILL'), delay);
      await once(child, 'exit');
      clearTimeout(killing);

      await settleSwap(
        join(folder, 'swap.json'),
        new ObjectFolder(join(folder, 'objects')),
        () => false,
      );

      const texts = Array.from({ length: count }, (_, index) =>
        readFileSync(join(project, `f${index}.txt`), 'utf8'),
      );
      expect(texts).toEqual(texts.map((_, index) => `old ${index}`));
      expect(existsSync(join(folder, 'swap.json'))).toBe(false);
    }
  }, 60_000);

  it('changes nothing when one of the files cannot be put in place', async () => {
    const tracked = tracker();
    const first = write('a', 'old a');
    const second = write('deep/b', 'old b');
    const to = `file:644:${tracked.objects.put(Buffer.from('new'))}`;
    const from = tracked.look([first, second]);
    rmSync(join(project, 'deep'), { recursive: true });
    mkdirSync(join(root, 'trap'));
    writeFileSync(join(root, 'trap', 'b'), 'old b');
    symlinkSync(join(root, 'trap'), join(project, 'deep'));

    const swaps = [first, second].map((path) => ({ path, from: from.get(path) ?? null, to }));
    const journal = join(folder, 'swap.json');
    await expect(swapFiles(swaps, { objects: tracked.objects, journal, id: 'x' })).rejects.toThrow(
      'No file was changed',
    );

    expect(readFileSync(first, 'utf8')).toBe('old a');
    expect(readFileSync(join(root, 'trap', 'b'), 'utf8')).toBe('old b');
    expect(readdirSync(project).toSorted()).toEqual(['a', 'deep']);
    expect(existsSync(journal)).toBe(false);
  });

  it.runIf(existsSync('/dev/full'))(
    'reports a full disk, and leaves everything as it was',
    async () => {
      const full = '/dev/full';
      const tracked = tracker();
      const file = write('a', 'old');
      const to = `file:644:${tracked.objects.put(Buffer.from('new'))}`;
      symlinkSync(full, join(folder, 'swap.json.tmp'));
      const from = tracked.look([file]).get(file) ?? null;
      const journal = join(folder, 'swap.json');

      await expect(
        swapFiles([{ path: file, from, to }], { objects: tracked.objects, journal, id: 'x' }),
      ).rejects.toThrow('the disk is full; free some space and try again');

      expect(readFileSync(file, 'utf8')).toBe('old');
      expect(readdirSync(project)).toEqual(['a']);
    },
  );
});

describe('the budget', () => {
  /** Objects of a thousand bytes, each a second older than the previous one. */
  function keep(session: string, names: readonly string[], age = 0): string {
    const at = join(root, 'sessions', session);
    mkdirSync(at, { recursive: true });
    names.forEach((name, index) => {
      writeFileSync(join(at, name), Buffer.alloc(1_000));
      utimesSync(join(at, name), 1_000 - age - index, 1_000 - age - index);
    });
    return at;
  }

  it('frees space by removing the oldest folders, and only old contents of the one in use', async () => {
    const own = keep('own', ['object', 'older-object']);
    const [old, older] = [keep('old', ['object'], 10), keep('older', ['object'], 20)];
    const folders = [own, old, older];

    expect(await boundSnapshots(folders, { mostBytes: 4_000 })).toEqual([]);
    expect(await boundSnapshots(folders, { mostBytes: 3_500 })).toEqual([older]);
    const removed = await boundSnapshots(folders, { mostBytes: 1_500 });
    expect(removed).toEqual([old, join(own, 'older-object')]);
    expect(readdirSync(own)).toEqual(['object']);
  });

  it('does not touch a session whose files are being changed', async () => {
    const busy = keep('busy', ['object', 'swap.json'], 20);
    const idle = keep('idle', ['object'], 10);
    const own = keep('own', ['object', 'pending.json']);

    const removed = await boundSnapshots([own, idle, busy], { mostBytes: 0 });

    expect(removed).toEqual([idle, join(own, 'object')]);
    expect(readdirSync(busy).toSorted()).toEqual(['object', 'swap.json']);
  });

  it('does not report removed contents as kept', async () => {
    const file = write('a', 'old');
    const tracked = tracker();
    const changed = (text: string) => changesOf(tracked, () => writeFileSync(file, text));
    await changed('mine');
    rmSync(folder, { recursive: true });
    rmSync(join(root, 'tree'), { recursive: true });

    await changed('new');

    const kept = new ObjectFolder(join(folder, 'objects'));
    expect(kept.read(hashOf('mine'))?.toString()).toBe('mine');
  });
});
