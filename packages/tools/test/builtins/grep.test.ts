import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createGrepTool, grepTool } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { call, run } from '../call.ts';
import { makePipe, scratch } from '../scratch.ts';

const files = {
  '.gitignore': 'dist\n*.min.js\n',
  'a.txt': 'alpha\nbeta ALPHA\n\ngamma\ndelta alpha\nend',
  'b.ts': 'const alpha = 1;\r\nif (x[0] === "{") { /* über */ }\r\n\tfoo(alpha);\r\n',
  'src/c.tsx': 'alpha beta\nalpha\nx\ny\nz\nalpha\nimport { useState } from "react";\n',
  'src/nested/.gitignore': '/local.txt\n!x.min.js\n',
  'src/nested/local.txt': 'alpha\n',
  'src/nested/x.min.js': 'alpha\n',
  'src/nested/d.txt': 'été alpha\n123-456 foo_bar\n',
  'src/nested.txt': 'alpha after its folder\n',
  'y.min.js': 'alpha\n',
  'dist/out.txt': 'alpha\n',
  'node_modules/m/index.js': 'alpha\n',
  '.git/config': 'alpha\n',
  'bin.dat': Buffer.from('alpha\0alpha\n'),
  'latin.txt': Buffer.from([0x61, 0x6c, 0x70, 0x68, 0x61, 0xe4, 0x0a]),
  '.hidden': 'alpha\n',
  empty: '',
};

const engines = ['ripgrep', 'javascript'] as const;

describe.each(engines)('Grep with %s', (engine) => {
  const tool = createGrepTool({ engine });

  it('lists matching files, without files ignored by git', async () => {
    const cwd = await scratch(files);

    expect((await call(tool, { pattern: 'alpha' }, { cwd })).output.split('\n')).toEqual(
      [
        '.hidden',
        'a.txt',
        'b.ts',
        'latin.txt',
        'src/c.tsx',
        'src/nested/d.txt',
        'src/nested/x.min.js',
        'src/nested.txt',
      ].map((name) => join(cwd, name)),
    );
  });

  it('shows lines with their context, and marks gaps', async () => {
    const cwd = await scratch(files);
    const file = join(cwd, 'src/c.tsx');

    expect(
      (
        await call(
          tool,
          { pattern: '^alpha$', path: 'src/c.tsx', outputMode: 'content', contextLines: 1 },
          { cwd },
        )
      ).output,
    ).toBe(
      [
        `${file}:1-alpha beta`,
        `${file}:2:alpha`,
        `${file}:3-x`,
        '--',
        `${file}:5-z`,
        `${file}:6:alpha`,
        `${file}:7-import { useState } from "react";`,
      ].join('\n'),
    );
  });

  it('accepts the parameters of Claude', async () => {
    const cwd = await scratch(files);
    const file = join(cwd, 'a.txt');
    const parameters = { pattern: 'ALPHA', path: 'a.txt', output_mode: 'content', '-i': true };

    expect((await call(tool, { ...parameters, '-A': 1, head_limit: 2 }, { cwd })).output).toBe(
      [
        `${file}:1:alpha`,
        `${file}:2:beta ALPHA`,
        `${file}:3-`,
        '',
        '[Showing 2 of 3 matches. Use headLimit parameter to see more.]',
      ].join('\n'),
    );
    expect(
      (await call(tool, { ...parameters, '-n': false, '-B': 1, '-i': false }, { cwd })).output,
    ).toBe(`${file}-alpha\n${file}:beta ALPHA`);
  });

  it('counts matching lines per file', async () => {
    const cwd = await scratch(files);

    expect(
      (await call(tool, { pattern: 'alpha', outputMode: 'count', glob: '*.{txt,tsx}' }, { cwd }))
        .output,
    ).toBe(
      [
        `${cwd}/a.txt:2`,
        `${cwd}/latin.txt:1`,
        `${cwd}/src/c.tsx:3`,
        `${cwd}/src/nested/d.txt:1`,
        `${cwd}/src/nested.txt:1`,
      ].join('\n'),
    );
  });

  it('filters by globs with and without folders', async () => {
    const cwd = await scratch(files);
    const find = async (glob: string) =>
      (await call(tool, { pattern: 'alpha', glob }, { cwd })).output
        .replaceAll(`${cwd}/`, '')
        .split('\n');

    expect(await find('**/*.tsx')).toEqual(['src/c.tsx']);
    expect(await find('src/*.txt')).toEqual(['src/nested.txt']);
    expect(await find('src/**')).toEqual([
      'src/c.tsx',
      'src/nested/d.txt',
      'src/nested/x.min.js',
      'src/nested.txt',
    ]);
    expect(await find('*.min.js')).toEqual(['src/nested/x.min.js']);
    expect(await find('*.none')).toEqual(['(no matches)']);
  });

  it('searches an ignored file or folder when it is named', async () => {
    const cwd = await scratch(files);

    expect((await call(tool, { pattern: 'alpha', path: 'dist' }, { cwd })).output).toBe(
      `${cwd}/dist/out.txt`,
    );
    expect((await call(tool, { pattern: 'alpha', path: 'y.min.js' }, { cwd })).output).toBe(
      `${cwd}/y.min.js`,
    );
  });

  it('terminates on symlink loops', async () => {
    const cwd = await scratch({ 'a/file.txt': 'alpha\n' });
    await symlink('..', join(cwd, 'a/loop'));

    expect((await call(tool, { pattern: 'alpha' }, { cwd })).output).toBe(`${cwd}/a/file.txt`);
  });

  it('skips pipes, and refuses to search one', async () => {
    const cwd = await scratch({ 'a.txt': 'alpha\n', 'bin.dat': Buffer.from('alpha\0') });
    makePipe(join(cwd, 'pipe'));

    expect((await call(tool, { pattern: 'alpha' }, { cwd })).output).toBe(`${cwd}/a.txt`);
    expect((await call(tool, { pattern: 'alpha', path: 'pipe' }, { cwd })).error).toBe(
      'Path is not a file: pipe',
    );
    expect((await call(tool, { pattern: 'alpha', path: 'bin.dat' }, { cwd })).output).toBe(
      '(no matches)',
    );
  });

  it('truncates very long lines', async () => {
    const cwd = await scratch({ 'a.txt': `${'x'.repeat(100_000)}alpha\n` });

    const { output } = await call(tool, { pattern: 'alpha', outputMode: 'content' }, { cwd });

    expect(output).toBe(
      `${cwd}/a.txt:1:${'x'.repeat(2000)} [... line truncated: 100005 chars ...]`,
    );
  });

  it('says what is wrong with the pattern or the path', async () => {
    const cwd = await scratch();

    expect((await call(tool, { pattern: '(' }, { cwd })).error).toBe(
      'Invalid regex pattern: Invalid regular expression: /(/: Unterminated group',
    );
    expect((await call(tool, { pattern: 'x', path: 'none' }, { cwd })).error).toBe(
      'Path not found: none',
    );
    expect((await call(tool, { pattern: 'x' }, { cwd })).output).toBe('(no matches)');
  });
});

/** Patterns on which the dialects of the two engines differ, or might. */
const patterns = [
  'alpha',
  '^alpha$',
  'ALPHA',
  '(?i)ALPHA',
  '\\balpha\\b',
  '\\bt',
  '\\w+_\\w+',
  '\\d{3}-\\d+',
  '[\\w-]+',
  '[^\\s]+ta',
  '\\Wtest|\\Sé',
  'foo\\(alpha\\)',
  '{',
  'useState }',
  '\\{ useState \\}',
  'x[[]0]',
  '[[]',
  ']',
  'a{2',
  'l{1,2}p',
  'al(?:pha|x)',
  '(?<first>al)pha',
  'é',
  '[é]t',
  '.té',
  'x\\[0\\]',
  '\\t',
  '\\x61lpha',
  '\\u0061lpha',
  '\\/\\*',
  '\\<',
  '$',
  '^$',
  'a.*a$',
  '"\\{"',
  '[a&&b]lpha',
  '[~a]lpha',
  'alpha(?= beta)',
  '(?<!beta )alpha',
  '(.)\\1',
  '(a)\\1',
  'alpha(?!\\s)',
  '[^]',
  'end$',
  ';$',
  'a|b|c',
  '\\$',
  'z?',
  '\\D\\d',
  '[\\d_]',
  'foo.bar',
  '\\.min',
  '\\s$',
  '=>|===',
];

it.each(patterns)('both engines find the same for %s', async (pattern) => {
  const cwd = await scratch(files);
  const search = async (engine: 'auto' | 'javascript') =>
    (
      await call(
        createGrepTool({ engine }),
        { pattern, outputMode: 'content', contextLines: 1 },
        { cwd },
      )
    ).output;

  expect(await search('auto')).toBe(await search('javascript'));
});

describe('Grep', () => {
  it.each(['.gitignore', 'deep/er/.gitignore'])(
    'does not block on a pipe named %s',
    { timeout: 10_000 },
    async (name) => {
      const cwd = await scratch({ 'a.txt': 'alpha\n', 'deep/er/b.txt': 'alpha\n' });
      makePipe(join(cwd, name));

      expect((await call(createGrepTool(), { pattern: 'alpha' }, { cwd })).output).toBe(
        `${cwd}/a.txt\n${cwd}/deep/er/b.txt`,
      );
    },
  );

  it('does not block on a link to a pipe', { timeout: 10_000 }, async () => {
    const cwd = await scratch({ 'sub/a.txt': 'alpha\n' });
    makePipe(join(cwd, 'pipe'));
    await symlink('../pipe', join(cwd, 'sub/.gitignore'));

    expect((await call(createGrepTool(), { pattern: 'alpha' }, { cwd })).output).toBe(
      `${cwd}/sub/a.txt`,
    );
  });

  it('stops a pattern that would take forever, on abort or timeout', async () => {
    const cwd = await scratch({ 'a.txt': `${'a'.repeat(60)}!\n` });
    const evil = { pattern: '^(a+)+$(?=.*)' };
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);

    const outcome = await run(grepTool, evil, { cwd, signal: abort.signal });
    const timedOut = await call(createGrepTool({ timeoutMs: 100 }), evil, { cwd });

    expect(outcome).toMatchObject({ success: false, errorCode: 'interrupted' });
    expect(timedOut).toEqual({
      success: false,
      output: '(no matches)',
      error: 'Search timed out after 100ms: use a simpler pattern or a smaller path',
    });
  });

  it('stops ripgrep in the middle of a long search', async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);

    const outcome = await run(
      createGrepTool({ engine: 'ripgrep' }),
      { pattern: 'needle|[a-z]*needle', path: '/usr', outputMode: 'content' },
      { signal: abort.signal },
    );

    expect(outcome).toMatchObject({ success: false, errorCode: 'interrupted' });
  });

  it('shows a thousand matches by default', async () => {
    const cwd = await scratch({ 'a.txt': 'hit\n'.repeat(5000) });

    const { output } = await call(grepTool, { pattern: 'hit', outputMode: 'content' }, { cwd });

    expect(output.split('\n').length).toBe(1002);
    expect(
      output.endsWith('[Showing 1000 of 5000 matches. Use headLimit parameter to see more.]'),
    ).toBe(true);
  });

  it('stays inside its roots and reports the searched path to the gate', async () => {
    const cwd = await scratch({ 'root/a.txt': '' });
    const rooted = createGrepTool({ cwd, roots: [join(cwd, 'root')] });

    expect((await call(rooted, { pattern: 'x', path: '..' })).error).toBe(
      'Access denied: ".." is outside the working directory',
    );
    expect(await grepTool.touches?.({ pattern: 'x', path: 'root' }, { cwd })).toEqual([
      { kind: 'read', target: join(cwd, 'root') },
    ]);
  });
});
