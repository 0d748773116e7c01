import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const FILES: Readonly<Record<string, string>> = {
  'package.json':
    '{"name":"demo","scripts":{"test":"true","build":"true"},"dependencies":{"a":"1","b":"2"}}\n',
  'tsconfig.json': '{}\n',
  'list.json': '[{"id":1,"name":"a"},{"id":2,"name":"b"}]\n',
  'README.md': '# Demo\n\nSome text about foo.\n\nTODO write more.\n',
  '.gitignore': 'node_modules\n',
  'data.csv': '# name,value\na,1\nb,2\nfoo,3\na,4\nb,5\n',
  'app.log': 'start\nerror: one\nok\nerror: two\nend\n',
  'src/index.ts':
    "import { value } from './util.ts';\n\nexport function foo() {\n  return value;\n}\n// TODO bar\n",
  'src/util.ts': 'export const value = 1;\n',
  'src/a.test.ts': "import './index.ts';\n",
  'test/x.ts': "import '../src/index.ts';\n",
  'node_modules/a/index.js': 'module.exports = 1;\n',
};

const IDENTITY = [
  '-c',
  'user.name=x',
  '-c',
  'user.email=x@example.org',
  '-c',
  'commit.gpgsign=false',
];

/** A small project with two commits and some changes, as agents find them. */
export function makeTypicalProject(): string {
  // `ls -la` shows the directory above, which nothing else may change meanwhile.
  const above = realpathSync(mkdtempSync(path.join(tmpdir(), 'robota-typical-')));
  const root = path.join(above, 'project');
  afterAll(() => rmSync(above, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  const git = (...args: string[]) =>
    execFileSync('git', [...IDENTITY, ...args], {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'ignore',
    });
  git('init', '-q', '-b', 'main', '--template=');
  git('add', '-A');
  git('commit', '-qm', 'first');
  writeFileSync(path.join(root, 'src/util.ts'), 'export const value = 2;\n');
  git('commit', '-qam', 'second');
  git('tag', 'v1');
  writeFileSync(path.join(root, 'package.json'), `${FILES['package.json']}\n`);
  writeFileSync(path.join(root, 'new.txt'), 'new\n');
  return root;
}
