import { existsSync } from 'node:fs';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolSandbox } from '@robota-sdk/agent-core';
import { bashTool, createBashTool } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { call, run } from '../call.ts';
import { scratch } from '../scratch.ts';

describe('Bash', () => {
  it('keeps both streams and the exit code of a command that fails', async () => {
    expect(await call(bashTool, { command: 'echo out; echo err >&2; exit 3' })).toEqual({
      success: true,
      output: 'out\n\nstderr:\nerr\n',
      exitCode: 3,
    });
  });

  it('names the signal that ended a command', async () => {
    expect(await call(bashTool, { command: 'echo before; kill -KILL $$' })).toEqual({
      success: true,
      output: 'before\n',
      exitCode: 137,
      signal: 'SIGKILL',
    });
  });

  it('closes the standard input of a command', async () => {
    expect(await call(bashTool, { command: 'cat; echo read' })).toEqual({
      success: true,
      output: 'read\n',
      exitCode: 0,
    });
  });

  it('runs where the call says, then where the context is', async () => {
    const folder = await scratch({ 'inner/file': '' });

    expect((await call(bashTool, { command: 'pwd' }, { cwd: folder })).output).toBe(`${folder}\n`);
    expect(
      (await call(bashTool, { command: 'pwd', workingDirectory: 'inner' }, { cwd: folder })).output,
    ).toBe(`${folder}/inner\n`);
    expect(
      (await call(createBashTool({ cwd: folder }), { command: 'pwd' }, { cwd: '/' })).output,
    ).toBe(`${folder}\n`);
  });

  it('says when the working directory does not exist', async () => {
    expect(await call(bashTool, { command: 'pwd', workingDirectory: '/no/such/place' })).toEqual({
      success: false,
      output: '',
      error:
        'Tool Execution Error (Bash): Function tool execution failed: Cannot start the command: no such directory: /no/such/place',
    });
  });

  it('ends everything a command started on timeout, and keeps its output', async () => {
    const folder = await scratch();
    // One child stays in the group and ignores SIGTERM; the other leaves the group.
    const command = `trap '' TERM; echo started; (trap '' TERM; echo $BASHPID > ${folder}/in; while :; do sleep 5; done) & setsid bash -c 'echo $$ > ${folder}/out; exec sleep 60' & while [ ! -s ${folder}/in ] || [ ! -s ${folder}/out ]; do sleep 0.01; done; wait`;

    const result = await call(bashTool, { command, timeout: 700 });

    expect(result).toEqual({
      success: false,
      output: 'started\n',
      error: 'Command timed out after 700ms',
    });
    expect(await Promise.all([isAlive(join(folder, 'in')), isAlive(join(folder, 'out'))])).toEqual([
      false,
      false,
    ]);
  });

  it('lets processes clean up before they are killed, even when the shell has exited', async () => {
    const folder = await scratch();
    const child = `trap 'echo cleaned > ${folder}/trace; exit' TERM; echo up > ${folder}/up; while :; do sleep 0.02; done`;

    await call(bashTool, {
      command: `bash -c "${child}" & while [ ! -s ${folder}/up ]; do sleep 0.01; done; exec sleep 60`,
      timeout: 700,
    });

    expect(await readFile(join(folder, 'trace'), 'utf8')).toBe('cleaned\n');
  });

  it('kills a command that ignores SIGTERM on abort', async () => {
    const folder = await scratch();
    const abort = new AbortController();
    const running = run(
      bashTool,
      {
        command: `trap '' TERM; echo half; echo $$ > ${folder}/pid; echo there; while :; do sleep 5; done`,
      },
      {
        signal: abort.signal,
        onProgress: (text) => {
          if (text.includes('there')) abort.abort();
        },
      },
    );

    const outcome = await running;

    expect(outcome).toMatchObject({ success: false, errorCode: 'interrupted' });
    expect(JSON.parse(String(outcome.data))).toEqual({
      success: false,
      output: 'half\nthere\n',
      error: 'Bash was interrupted before it finished',
    });
    expect(await isAlive(join(folder, 'pid'))).toBe(false);
  });

  it('does not wait for a background process that holds its output, and leaves it running', async () => {
    const folder = await scratch();

    const result = await call(bashTool, {
      command: `(echo $BASHPID > ${folder}/pid; exec sleep 60) & while [ ! -s ${folder}/pid ]; do sleep 0.01; done; echo done`,
    });

    expect(result).toEqual({ success: true, output: 'done\n', exitCode: 0 });
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8'));
    expect(await isAlive(join(folder, 'pid'))).toBe(true);
    process.kill(pid, 'SIGKILL');
  });

  it('keeps the beginning and the end of endless output within bounds', async () => {
    const outcome = await run(bashTool, {
      command: 'echo first; head -c 50000000 /dev/zero | tr "\\0" x; echo; echo last',
    });
    const { output } = JSON.parse(String(outcome.data));

    expect(output.startsWith('first\nxxx')).toBe(true);
    expect(output.endsWith('xxx\nlast\n')).toBe(true);
    expect(output).toContain(
      '\n\n[... output truncated: 50000012 bytes total, showing first and last 15,000 bytes ...]\n\n',
    );
    expect(output.length).toBeLessThan(31_000);
  });

  it('never splits a character', async () => {
    const { output } = await call(bashTool, {
      command: `for i in $(seq 1 20000); do printf 'äö'; done`,
    });

    expect(output).not.toContain('\uFFFD');
    expect(output).toContain('output truncated: 80000 bytes total');
  });

  it('caps the timeout at the maximum', async () => {
    let asked = 0;
    const sandbox: ToolSandbox = {
      run: async (_command, { timeoutMs }) => {
        asked = timeoutMs;
        return { stdout: '', stderr: '', exitCode: 0, timedOut: false, droppedBytes: 0 };
      },
      readFile: async () => new Uint8Array(),
      writeFile: async () => undefined,
    };

    await call(createBashTool({ sandbox }), { command: 'x', timeout: 9_999_999 });

    expect(asked).toBe(600_000);
  });

  it('refuses a working directory outside the roots, also through a symlink', async () => {
    const folder = await scratch({ 'root/file': '' });
    await symlink('/', join(folder, 'root/away'));
    const tool = createBashTool({ cwd: join(folder, 'root'), roots: [join(folder, 'root')] });

    expect(await call(tool, { command: 'pwd', workingDirectory: 'away' })).toEqual({
      success: false,
      output: '',
      error: 'Access denied: "away" is outside the working directory',
    });
  });

  it('accepts the description that Claude sends and refuses other unknown parameters', async () => {
    expect((await call(bashTool, { command: 'echo a', description: 'Says a' })).output).toBe('a\n');
    expect((await call(bashTool, { command: 'echo a', shell: 'zsh' })).error).toBe(
      'Validation Error: Invalid parameters for tool "Bash": Unknown parameter: shell',
    );
  });

  it('reports the command to the gate', async () => {
    expect(await bashTool.touches?.({ command: 'rm -r x' }, {})).toEqual([
      { kind: 'execute', target: 'rm -r x' },
    ]);
  });
});

/** Whether the process with the id in this file is still running; a zombie is not. */
async function isAlive(pidFile: string): Promise<boolean> {
  const pid = (await readFile(pidFile, 'utf8')).trim();
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) Z /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
}
