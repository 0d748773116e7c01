import { join } from 'node:path';
import { createLocalSandbox } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { makePipe, scratch } from './scratch.ts';

const options = { timeoutMs: 5_000, signal: new AbortController().signal, outputLimitBytes: 100 };

describe('createLocalSandbox', () => {
  it('runs commands with its own variables and separates both streams', async () => {
    const folder = await scratch();
    const sandbox = createLocalSandbox({ env: { GREETING: 'hello' } });
    const seen: string[] = [];

    const result = await sandbox.run('echo $GREETING; pwd >&2; exit 2', {
      ...options,
      workingDirectory: folder,
      onOutput: (text) => seen.push(text),
    });

    expect(result).toEqual({
      stdout: 'hello\n',
      stderr: `${folder}\n`,
      exitCode: 2,
      timedOut: false,
      droppedBytes: 0,
    });
    expect(seen.sort()).toEqual([`${folder}\n`, 'hello\n'].sort());
  });

  it('counts the bytes it drops', async () => {
    const { stdout, droppedBytes } = await createLocalSandbox().run(
      'head -c 1000 /dev/zero | tr "\\0" x',
      options,
    );

    expect(droppedBytes).toBe(900);
    expect(stdout).toBe(
      `${'x'.repeat(50)}\n\n[... output truncated: 1000 bytes total, showing first and last 50 bytes ...]\n\n${'x'.repeat(50)}`,
    );
  });

  it('reads and writes files, and refuses a pipe without waiting for a writer', async () => {
    const folder = await scratch();
    const sandbox = createLocalSandbox();
    makePipe(join(folder, 'pipe'));

    await sandbox.writeFile(join(folder, 'new/a.txt'), 'a');

    expect(Buffer.from(await sandbox.readFile(join(folder, 'new/a.txt'))).toString()).toBe('a');
    await expect(sandbox.readFile(join(folder, 'pipe'))).rejects.toThrow(
      `Path is not a file: ${join(folder, 'pipe')}`,
    );
  });

  it('starts nothing when already aborted', async () => {
    const folder = await scratch();

    await expect(
      createLocalSandbox().run(`touch ${folder}/started`, {
        ...options,
        signal: AbortSignal.abort(),
      }),
    ).rejects.toThrow('This operation was aborted');
  });
});
