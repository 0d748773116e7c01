import { describe, expect, it } from 'vitest';
import { listProcesses } from '../../src/process/process-table.ts';
import { spawnProgram } from '../../src/process/spawn-program.ts';

describe('a started program', () => {
  it('exchanges lines, and reports its exit with the end of stderr', async () => {
    const program = await run('read line; echo "got $line"; echo oops >&2; exit 3');

    program.writeLine('hello');

    expect(await linesOf(program)).toEqual(['got hello']);
    expect(await program.exited).toEqual({ code: 3, signal: null, complaint: 'oops' });
  });

  it('cannot be started if it does not exist', async () => {
    const command = { command: '/nowhere/x', args: [], cwd: '/', environment: {} };

    await expect(spawnProgram(command)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is ended with all its descendants: its group, other sessions, and nested orphans', async () => {
    const program = await run(
      'sleep 300 & echo $!; setsid sleep 300 & echo $!; (setsid sh -c "sleep 300 & echo \\$!" &); read wait',
    );
    const pids: number[] = [];
    for await (const line of program.lines) {
      pids.push(Number(line));
      if (pids.length === 3) await program.end();
    }

    const alive = listProcesses().map(({ pid }) => pid);
    expect(pids.filter((pid) => alive.includes(pid))).toEqual([]);
  });

  it('is killed if it ignores SIGTERM', async () => {
    const program = await run('trap "" TERM; echo ready; while true; do sleep 0.05; done');

    for await (const _line of program.lines) await program.end();

    expect((await program.exited).signal).toBe('SIGKILL');
  });

  it('does not wait for remaining children when it exits by itself', async () => {
    const program = await run('setsid sleep 300 & echo $!');

    const [pid] = await linesOf(program);

    await program.exited;
    expect(listProcesses().some((one) => one.pid === Number(pid))).toBe(false);
  });
});

function run(script: string) {
  const environment = { PATH: process.env.PATH };
  return spawnProgram({ command: '/bin/sh', args: ['-c', script], cwd: '/', environment });
}

async function linesOf(program: { readonly lines: AsyncIterable<string> }): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of program.lines) lines.push(line);
  return lines;
}
