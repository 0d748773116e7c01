import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileTracker } from '../../packages/tools/src/index.ts';
import { type BenchRow, type BenchValue, medianMs } from '../harness.ts';

const FILES = 20_000;

export const rows: readonly BenchRow[] = [
  {
    name: 'snapshots: what a command did to 20,000 files, to one walk with lstat',
    unit: 'x',
    target: 3,
    measure: comparedTree,
  },
  {
    name: 'snapshots: bytes kept for Write and Edit, to the bytes changed',
    unit: 'x',
    target: 2,
    measure: bytesKept,
  },
  {
    name: 'snapshots: a call that changes no file',
    unit: 'ms',
    target: 0.05,
    measure: readingCall,
  },
];

async function comparedTree(): Promise<BenchValue> {
  return withTracker(async (tracker, root) => {
    for (let folder = 0; folder < FILES / 100; folder++) {
      mkdirSync(join(root, `d${folder}`));
      for (let file = 0; file < 100; file++) {
        writeFileSync(join(root, `d${folder}`, `f${file}.ts`), `export const n = ${file};\n`);
      }
    }
    const command = [{ kind: 'execute', target: 'true' }] as const;
    // Files newer than the file system's clock resolution are read once more.
    for (let round = 0; round < 2; round++)
      await (await tracker.begin(command))?.end(() => undefined);
    let call = await tracker.begin(command);
    const checked = async () => {
      await call?.end(() => undefined);
    };
    const times: { ours: number; walk: number }[] = [];
    for (let round = 0; round < 7; round++) {
      const walk = timed(() => walkWithLstat(root));
      const started = performance.now();
      await checked();
      times.push({ ours: performance.now() - started, walk });
      call = await tracker.begin(command);
    }
    await checked();
    times.sort((left, right) => left.ours / left.walk - right.ours / right.walk);
    const { ours, walk } = times[3] ?? { ours: 0, walk: 1 };
    return { value: ours / walk, detail: `${ours.toFixed(0)} ms against ${walk.toFixed(0)} ms` };
  });
}

async function bytesKept(): Promise<BenchValue> {
  return withTracker(async (tracker, root, kept) => {
    let changed = 0;
    for (let index = 0; index < 100; index++) {
      const target = join(root, `file-${index}.txt`);
      writeFileSync(target, `before ${index} `.repeat(500));
      const call = await tracker.begin([{ kind: 'write', target }]);
      const text = `after ${index} `.repeat(500);
      writeFileSync(target, text);
      changed += text.length;
      await call?.end(() => undefined);
    }
    const bytes = sizeOf(kept);
    return { value: bytes / changed, detail: `${bytes} bytes for ${changed}` };
  });
}

async function readingCall(): Promise<BenchValue> {
  return withTracker(async (tracker, root) => {
    const touches = [{ kind: 'read', target: join(root, 'a') }] as const;
    const ms = await medianMs(async () => {
      for (let call = 0; call < 1_000; call++) await tracker.begin(touches);
    });
    return { value: ms / 1_000, detail: `${ms.toFixed(3)} ms for 1,000 calls` };
  });
}

async function withTracker(
  work: (tracker: FileTracker, root: string, kept: string) => Promise<BenchValue>,
): Promise<BenchValue> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'robota-bench-')));
  const [root, folder, cacheFolder] = [join(base, 'work'), join(base, 'kept'), join(base, 'tree')];
  mkdirSync(root);
  try {
    return await work(new FileTracker({ root, folder, cacheFolder }), root, folder);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function timed(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function walkWithLstat(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) walkWithLstat(path);
    else lstatSync(path);
  }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
