import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createReadTool, readTool } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { call, run } from '../call.ts';
import { makePipe, scratch } from '../scratch.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('Read', () => {
  it('numbers the lines of a complete file', async () => {
    const folder = await scratch({ 'a.txt': 'one\ntwo\n\nfour\n' });

    expect(await call(readTool, { filePath: 'a.txt' }, { cwd: folder })).toEqual({
      success: true,
      output: '[File: a.txt (4 lines)]\n1\tone\n2\ttwo\n3\t\n4\tfour',
    });
  });

  it('shows a part, and counts all lines', async () => {
    const text = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n');
    const path = join(await scratch({ 'a.txt': text }), 'a.txt');

    expect((await call(readTool, { file_path: path, offset: 9, limit: 2 })).output).toBe(
      `[File: ${path} (lines 9-10 of 12)]\n 9\tline 9\n10\tline 10`,
    );
    expect((await call(readTool, { filePath: path, offset: 50 })).output).toBe(
      `[File: ${path} (12 lines; offset 50 is past the end)]\n`,
    );
  });

  it('shows 2000 lines by default', async () => {
    const text = Array.from({ length: 3000 }, (_, index) => `line ${index + 1}\n`).join('');
    const path = join(await scratch({ 'a.txt': text }), 'a.txt');

    const { output } = await call(readTool, { filePath: path });

    expect(output.split('\n')[0]).toBe(`[File: ${path} (lines 1-2000 of 3000)]`);
    expect(output.endsWith('2000\tline 2000')).toBe(true);
  });

  it('stops at a complete line when the lines are too long, and says where', async () => {
    const text = `${'x'.repeat(30_000)}\n`.repeat(100);
    const path = join(await scratch({ 'a.txt': text }), 'a.txt');

    const { output } = await call(readTool, { filePath: path });

    expect(output.split('\n')[0]).toBe(`[File: ${path} (lines 1-12 of 100)]`);
    expect(output.endsWith('xxx [... line truncated: 30000 chars ...]')).toBe(true);
  });

  it('reads an empty file', async () => {
    const path = join(await scratch({ empty: '' }), 'empty');

    expect((await call(readTool, { filePath: path })).output).toBe(`[File: ${path} (0 lines)]\n`);
  });

  it('reads CRLF, byte order marks and UTF-16 as text', async () => {
    const folder = await scratch({
      crlf: '\uFEFFa\r\nb\r\n',
      wide: Buffer.from('\uFEFFä\nö\n', 'utf16le'),
      big: Buffer.from('\uFEFFä\n', 'utf16le').swap16(),
    });

    expect((await call(readTool, { filePath: 'crlf' }, { cwd: folder })).output).toBe(
      '[File: crlf (2 lines)]\n1\ta\n2\tb',
    );
    expect((await call(readTool, { filePath: 'wide' }, { cwd: folder })).output).toBe(
      '[File: wide (2 lines)]\n1\tä\n2\tö',
    );
    expect((await call(readTool, { filePath: 'big' }, { cwd: folder })).output).toBe(
      '[File: big (1 lines)]\n1\tä',
    );
  });

  it('returns an image as an image part', async () => {
    const path = join(await scratch({ 'dot.png': png }), 'dot.png');

    expect(await run(readTool, { filePath: path })).toEqual({
      success: true,
      data: JSON.stringify({
        success: true,
        output: `[Image: ${path} (image/png, ${png.length} bytes)]`,
      }),
      parts: [{ type: 'image_inline', mimeType: 'image/png', data: png.toString('base64') }],
    });
  });

  it('refuses an image that no provider accepts', async () => {
    const huge = Buffer.concat([png, Buffer.alloc(4_000_000)]);
    const path = join(await scratch({ 'huge.png': huge }), 'huge.png');

    expect((await call(readTool, { filePath: path })).error).toBe(
      `Image too large: ${path} (${huge.length} bytes, at most 3750000 can be shown)`,
    );
  });

  it('says why a file cannot be read', async () => {
    const folder = await scratch({ 'data.bin': Buffer.from([1, 0, 2]), 'secret.txt': 'x' });
    await mkdir(join(folder, 'folder'));
    makePipe(join(folder, 'pipe'));
    const errorOf = async (filePath: string) =>
      (await call(readTool, { filePath }, { cwd: folder })).error;

    expect(await errorOf('none.txt')).toBe('File not found: none.txt');
    expect(await errorOf('data.bin/inside')).toBe('File not found: data.bin/inside');
    expect(await errorOf('data.bin')).toBe('Binary file not supported: data.bin');
    expect(await errorOf('folder')).toBe('Path is not a file: folder');
    expect(await errorOf('pipe')).toBe('Path is not a file: pipe');
    expect(await errorOf('/dev/zero')).toBe('Path is not a file: /dev/zero');
  });

  it('stays inside its roots, also when a symlink leads out', async () => {
    const folder = await scratch({ 'root/in.txt': 'in', 'out.txt': 'out' });
    const root = join(folder, 'root');
    await symlink(join(folder, 'out.txt'), join(root, 'link.txt'));
    const tool = createReadTool({ cwd: root, roots: [root] });

    expect((await call(tool, { filePath: 'in.txt' })).success).toBe(true);
    expect((await call(tool, { filePath: '../out.txt' })).error).toBe(
      'Access denied: "../out.txt" is outside the working directory',
    );
    expect((await call(tool, { filePath: 'link.txt' })).error).toBe(
      'Access denied: "link.txt" is outside the working directory',
    );
    expect((await call(tool, { filePath: '../none/../../x' })).error).toBe(
      'Access denied: "../none/../../x" is outside the working directory',
    );
  });

  it('reports the target of a symlink to the gate', async () => {
    const folder = await scratch({ 'out.txt': 'out' });
    await symlink(join(folder, 'out.txt'), join(folder, 'link.txt'));

    expect(await readTool.touches?.({ file_path: 'link.txt' }, { cwd: folder })).toEqual([
      { kind: 'read', target: join(folder, 'out.txt') },
    ]);
  });

  it('reads from the sandbox it is given', async () => {
    const tool = createReadTool({
      cwd: '/workspace',
      sandbox: {
        run: () => Promise.reject(new Error('not here')),
        readFile: async (path) => Buffer.from(`content of ${path}\n`),
        writeFile: async () => undefined,
      },
    });

    expect((await call(tool, { filePath: 'a.txt' })).output).toBe(
      '[File: a.txt (1 lines)]\n1\tcontent of /workspace/a.txt',
    );
  });

  it('shows invalid UTF-8 as replacement characters', async () => {
    const folder = await scratch();
    await writeFile(join(folder, 'latin'), Buffer.from([0x61, 0xe4, 0x0a]));
    await chmod(join(folder, 'latin'), 0o600);

    expect((await call(readTool, { filePath: 'latin' }, { cwd: folder })).output).toBe(
      '[File: latin (1 lines)]\n1\ta\uFFFD',
    );
  });
});
