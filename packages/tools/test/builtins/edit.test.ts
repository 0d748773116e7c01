import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createEditTool, editTool } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { call } from '../call.ts';
import { scratch } from '../scratch.ts';

async function edited(content: string | Uint8Array, change: Record<string, unknown>) {
  const path = join(await scratch({ 'a.txt': content }), 'a.txt');
  const result = await call(editTool, { filePath: path, ...change });
  return { path, result, bytes: await readFile(path) };
}

describe('Edit', () => {
  it('replaces exact text and reports the line in the old file', async () => {
    const { path, result, bytes } = await edited('one\ntwo $& two\nthree\n', {
      old_string: 'two $&',
      new_string: "2 $' $1",
    });

    expect(result).toEqual({
      success: true,
      output: `Replaced 1 occurrence(s) in ${path}`,
      startLine: 2,
    });
    expect(bytes.toString()).toBe("one\n2 $' $1 two\nthree\n");
  });

  it('replaces every occurrence only on request', async () => {
    const change = { oldString: 'a', newString: 'b' };

    expect((await edited('a\na\na', change)).result).toEqual({
      success: false,
      output: '',
      error:
        'oldString is not unique in file (found 3 occurrences). Provide more context to make it unique, or use replaceAll:true.',
    });
    expect((await edited('x\na\na', { ...change, replaceAll: true })).result).toMatchObject({
      output: expect.stringContaining('Replaced 2 occurrence(s) in '),
      startLine: 2,
    });
  });

  it('keeps CRLF line ends, whatever the model writes', async () => {
    const { bytes } = await edited('one\r\ntwo\r\nthree\r\n', {
      oldString: 'one\ntwo',
      newString: 'one\n1.5\ntwo',
    });

    expect(bytes.toString()).toBe('one\r\n1.5\r\ntwo\r\nthree\r\n');
  });

  it('keeps the line ends of a mixed file', async () => {
    const { bytes } = await edited('a\r\nb\nc\n', { oldString: 'b\nc', newString: 'B\nC' });

    expect(bytes.toString()).toBe('a\r\nB\nC\n');
  });

  it('keeps a byte order mark, UTF-16, and invalid UTF-8', async () => {
    const marked = await edited('\uFEFFäa\n', { oldString: 'ä', newString: 'ö' });
    const wide = await edited(Buffer.from('\uFEFFäa\n', 'utf16le'), {
      oldString: 'ä',
      newString: 'ö',
    });
    const latin = await edited(Buffer.from([0xe4, 0x61, 0x0a]), { oldString: 'a', newString: 'ß' });

    expect(marked.bytes.toString()).toBe('\uFEFFöa\n');
    expect(wide.bytes.toString('utf16le')).toBe('\uFEFFöa\n');
    expect([...latin.bytes]).toEqual([0xe4, 0xc3, 0x9f, 0x0a]);
  });

  it('keeps the mode', async () => {
    const path = join(await scratch({ 'a.sh': 'a' }), 'a.sh');
    await chmod(path, 0o755);

    await call(editTool, { filePath: path, oldString: 'a', newString: 'b' });

    expect((await stat(path)).mode & 0o777).toBe(0o755);
  });

  it('says why nothing was replaced', async () => {
    const folder = await scratch({ 'a.txt': 'abc' });
    const errorOf = async (filePath: string, oldString: string, newString: string) =>
      (await call(editTool, { filePath, oldString, newString }, { cwd: folder })).error;

    expect(await errorOf('none.txt', 'a', 'b')).toBe('File not found: none.txt');
    expect(await errorOf('.', 'a', 'b')).toBe('Path is not a file: .');
    expect(await errorOf('a.txt', 'x', 'b')).toBe('oldString not found in file: a.txt');
    expect(await errorOf('a.txt', 'a', 'a')).toBe(
      'oldString and newString are identical: nothing to change in a.txt',
    );
    expect(await errorOf('a.txt', '', 'a')).toBe(
      'oldString is empty: name the text to replace in a.txt, or use Write.',
    );
    expect(await readFile(join(folder, 'a.txt'), 'utf8')).toBe('abc');
  });

  it('loses none of many concurrent edits', async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index + 100);
    const path = join(await scratch({ 'a.txt': numbers.join('\n') }), 'a.txt');

    await Promise.all(
      numbers.map((number) =>
        call(editTool, { filePath: path, oldString: `${number}`, newString: `<${number}>` }),
      ),
    );

    expect(await readFile(path, 'utf8')).toBe(numbers.map((number) => `<${number}>`).join('\n'));
  });

  it('stays inside its roots and edits in the sandbox it is given', async () => {
    const folder = await scratch({ 'a.txt': 'abc' });
    const rooted = createEditTool({ cwd: folder, roots: [join(folder, 'root')] });
    const files = new Map([['/workspace/a.txt', Buffer.from('old')]]);
    const sandboxed = createEditTool({
      cwd: '/workspace',
      sandbox: {
        run: () => Promise.reject(new Error('not here')),
        readFile: async (path) => files.get(path) ?? Buffer.alloc(0),
        writeFile: async (path, content) => void files.set(path, Buffer.from(content)),
      },
    });

    expect((await call(rooted, { filePath: 'a.txt', oldString: 'a', newString: 'b' })).error).toBe(
      'Access denied: "a.txt" is outside the working directory',
    );
    const outside = createEditTool({
      cwd: '/workspace',
      roots: ['/workspace/inner'],
      sandbox: {
        run: () => Promise.reject(new Error('not here')),
        readFile: async () => Buffer.from('old'),
        writeFile: async () => undefined,
      },
    });
    expect(
      (await call(outside, { filePath: 'a.txt', oldString: 'old', newString: 'b' })).error,
    ).toBe('Access denied: "a.txt" is outside the working directory');
    await call(sandboxed, { filePath: 'a.txt', oldString: 'old', newString: 'new' });
    expect(files.get('/workspace/a.txt')?.toString()).toBe('new');
  });
});
