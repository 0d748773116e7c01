import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type CallGrant, withGrant } from '@robota-sdk/agent-core';
import {
  createBashTool,
  createLocalSandbox,
  findConfinement,
  type ToolResult,
} from '@robota-sdk/agent-tools';
import { afterEach, describe, expect, it } from 'vitest';
import { scratch } from '../scratch.ts';
import { exists, untilGone } from './processes.ts';

const state = await findConfinement();
const isConfined = state.available;

const unavailable = async () => ({ available: false, reason: 'none here' }) as const;

/** Runs a command as the gate does without approval: rendered and confined where possible. */
async function unasked(
  command: string,
  cwd: string,
  tool = createBashTool({ cwd }),
): Promise<ToolResult> {
  return granted(
    { run: { command, confine: true } },
    { command: 'echo the given text', cwd, tool },
  );
}

async function granted(
  grant: CallGrant,
  {
    command,
    cwd,
    tool,
    signal,
  }: {
    command: string;
    cwd: string;
    tool: ReturnType<typeof createBashTool>;
    signal?: AbortSignal;
  },
): Promise<ToolResult> {
  const context = {
    toolName: 'Bash',
    parameters: { command },
    executionId: 'call-1',
    signal: signal ?? new AbortController().signal,
    cwd,
  };
  const { data } = await tool.execute({ command, timeout: 20_000 }, withGrant(context, grant));
  return JSON.parse(String(data));
}

async function project(): Promise<string> {
  const folder = await scratch({ 'proj/a.txt': 'one\n', 'outside.txt': 'outside\n' });
  const cwd = join(folder, 'proj');
  execFileSync('git', ['init', '-q', '--template=', cwd]);
  return cwd;
}

it('reports whether the system can confine commands here', () => {
  if (!isConfined) {
    // Without it the tests below cover only the fallback.
    process.stderr.write(
      `\n*** SANDBOX UNAVAILABLE, its tests prove the fallback only: ${state.reason} ***\n`,
    );
  }

  expect(state).toEqual(
    isConfined
      ? { available: true, confinement: expect.objectContaining({ name: expect.any(String) }) }
      : { available: false, reason: expect.stringMatching(/./) },
  );
});

describe('a command without approval', () => {
  it('runs as the checked text, not as the given one', async () => {
    const cwd = await project();

    expect(await unasked('cat a.txt', cwd)).toEqual({
      success: true,
      output: 'one\n',
      exitCode: 0,
    });
  });

  it('runs unconfined where the system cannot confine it, because the grammar restricts it', async () => {
    const cwd = await project();
    const sandbox = createLocalSandbox({ confinement: unavailable });

    expect((await unasked('cat a.txt', cwd, createBashTool({ cwd, sandbox }))).output).toBe(
      'one\n',
    );
  });

  it('sees no start-up files, functions or programs of the project', async () => {
    const cwd = await project();
    writeFileSync(join(cwd, 'ls'), '#!/bin/sh\necho hijacked\n', { mode: 0o755 });
    process.env.BASH_ENV = join(cwd, 'ls');
    const path = process.env.PATH;
    process.env.PATH = `${cwd}:.:${path}`;
    try {
      expect((await unasked('ls a.txt', cwd)).output).toBe('a.txt\n');
    } finally {
      delete process.env.BASH_ENV;
      process.env.PATH = path;
    }
  });

  it.runIf(isConfined)('cannot write, in the project or anywhere', async () => {
    const cwd = await project();

    const { output } = await unasked(
      'touch new.txt; touch ../new.txt; touch /var/tmp/robota-new; echo x > a.txt',
      cwd,
    );

    expect(output).toMatch(/Read-only file system/);
    expect([existsSync(join(cwd, 'new.txt')), readFileSync(join(cwd, 'a.txt'), 'utf8')]).toEqual([
      false,
      'one\n',
    ]);
  });

  it.runIf(isConfined)('reaches neither the network nor a system socket', async () => {
    const cwd = await project();
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((resolve) => server.listen(join(cwd, 'socket'), resolve));
    const client = `import socket
for family, place in ((socket.AF_INET, ("1.1.1.1", 53)), (socket.AF_UNIX, "${cwd}/socket")):
    try:
        s = socket.socket(family); s.settimeout(2); s.connect(place); print("reached")
    except OSError as error: print(error.errno)
print(socket.socketpair()[0].fileno() > 0)`;
    writeFileSync(join(cwd, 'client.py'), client);

    const { output } = await unasked('python3 client.py', cwd);
    server.close();

    expect(output).toBe('101\n1\nTrue\n');
  });

  it.runIf(isConfined)('can use the usual tools', async () => {
    const cwd = await project();

    const { output } = await unasked('git status --short; node -p 1; cat a.txt | sort; id -u', cwd);

    expect(output).toBe(`?? a.txt\n1\none\n${process.getuid?.()}\n`);
  });
});

describe('with the sandbox on', () => {
  const on = (cwd: string) => createBashTool({ cwd, roots: [cwd], confine: 'on' });
  const run = (command: string, cwd: string) => granted({}, { command, cwd, tool: on(cwd) });

  it('nothing runs where it is unavailable', async () => {
    const cwd = await project();
    const sandbox = createLocalSandbox({ confine: 'on', confinement: unavailable });

    const command = 'touch new.txt';
    const result = await granted({}, { command, cwd, tool: createBashTool({ cwd, sandbox }) });

    expect([result.error, existsSync(join(cwd, 'new.txt'))]).toEqual([
      expect.stringContaining('The sandbox is on and unavailable, so nothing is run: none here'),
      false,
    ]);
  });

  it.runIf(isConfined)(
    'a command writes in the project and the temporary folder only',
    async () => {
      const cwd = await project();

      const { output } = await run(
        'echo x > new.txt && echo t > /tmp/kept; cat /tmp/kept; echo x > ../new.txt; echo x > /var/tmp/robota-new',
        cwd,
      );
      const later = await run('cat /tmp/kept', cwd);

      expect([readFileSync(join(cwd, 'new.txt'), 'utf8'), later.output]).toEqual(['x\n', 't\n']);
      expect(output).toContain('Read-only file system');
      expect(existsSync(join(cwd, '../new.txt'))).toBe(false);
    },
  );

  it.runIf(isConfined)(
    'git works, but its settings, hooks and location cannot change',
    async () => {
      const cwd = await project();
      const before = readFileSync(join(cwd, '.git/config'), 'utf8');

      const { output } = await run(
        [
          'git -c user.name=x -c user.email=x@y commit -q --allow-empty -m first && git log --oneline | wc -l',
          'git config core.fsmonitor ./evil; echo "[core]" >> .git/config',
          'echo evil > .git/hooks/pre-commit; ln -s /tmp .git/hooks2 && mv .git/hooks2 .git/hooks',
          'mv .git .git2; mkdir .git; rm -rf .git/config; mkdir .robota; echo x > .robota/settings.json',
          'mkdir -p .claude; echo x > .claude/settings.json',
        ].join('\n'),
        cwd,
      );

      expect(output.startsWith('1\n')).toBe(true);
      expect(readFileSync(join(cwd, '.git/config'), 'utf8')).toBe(before);
      expect(readdirSync(join(cwd, '.git/hooks'))).toEqual([]);
      expect(readdirSync(cwd).sort()).toEqual(['.git', 'a.txt']);
    },
  );

  it.runIf(isConfined)('a file in the project cannot make another path writable', async () => {
    const folder = await scratch({
      'proj/a.txt': '',
      'elsewhere/HEAD': 'x',
      'elsewhere/gitdir': 'x',
    });
    const cwd = join(folder, 'proj');
    writeFileSync(join(cwd, '.git'), `gitdir: ${folder}/elsewhere\n`);

    const { output } = await run(`echo x > ${folder}/elsewhere/new`, cwd);

    expect([output, existsSync(join(folder, 'elsewhere/new'))]).toEqual([
      expect.stringMatching(/Read-only|No such/),
      false,
    ]);
  });

  it.runIf(isConfined)('a linked working tree can commit', async () => {
    const cwd = await project();
    const git = ['-c', 'user.name=x', '-c', 'user.email=x@y'];
    execFileSync('git', [...git, 'commit', '-q', '--allow-empty', '-m', 'first'], { cwd });
    execFileSync('git', ['worktree', 'add', '-q', '../tree'], { cwd });

    const { output } = await run(
      'git -c user.name=x -c user.email=x@y commit -q --allow-empty -m second; git log --oneline | wc -l',
      join(cwd, '../tree'),
    );

    expect(output).toBe('2\n');
  });

  it.runIf(isConfined)('the home of Robota is hidden, wherever it lies', async () => {
    const cwd = await project();
    const outside = await scratch({ 'server-token': 'SECRET', 'logs/x.vault': 'SECRET' });
    const inside = join(cwd, 'home');
    cpSync(outside, inside, { recursive: true });
    const before = process.env.ROBOTA_HOME;
    try {
      for (const home of [outside, inside]) {
        process.env.ROBOTA_HOME = home;
        const command = `cat ${home}/server-token ${home}/logs/x.vault; ls -A ${home}; cat a.txt`;

        const outputs = [await run(command, cwd), await unasked(command, cwd)];

        expect(outputs.map(({ output }) => output)).not.toContainEqual(
          expect.stringContaining('SECRET'),
        );
        expect(outputs[0]?.output).toContain('one');
      }
      expect(readdirSync(inside)).toContain('server-token');
    } finally {
      if (before === undefined) delete process.env.ROBOTA_HOME;
      else process.env.ROBOTA_HOME = before;
    }
  });

  it.runIf(isConfined)(
    'a link replaced while a command runs does not reveal the home',
    async () => {
      const cwd = await project();
      const home = await scratch({ 'server-token': 'SECRET' });
      const swap = `while :; do ln -sfn ${home}/server-token new && mv new a.txt; echo one > new && mv new a.txt; done`;
      const swapper = spawn('/bin/bash', ['-c', swap], { cwd, stdio: 'ignore' });
      const before = process.env.ROBOTA_HOME;
      process.env.ROBOTA_HOME = home;
      try {
        const outputs: string[] = [];
        for (let turn = 0; turn < 30; turn++) {
          const { output = '', error = '' } = await unasked('cat a.txt', cwd);
          outputs.push(output + error);
        }

        expect(outputs.filter((output) => output.includes('SECRET'))).toEqual([]);
        expect(new Set(outputs).size).toBeGreaterThan(1);
      } finally {
        swapper.kill('SIGKILL');
        if (before === undefined) delete process.env.ROBOTA_HOME;
        else process.env.ROBOTA_HOME = before;
      }
    },
  );

  it.runIf(isConfined)(
    'a project inside the home of Robota is visible, and nothing beside it',
    async () => {
      const home = await scratch({ 'server-token': 'SECRET', 'work/a.txt': 'one\n' });
      const before = process.env.ROBOTA_HOME;
      process.env.ROBOTA_HOME = home;
      try {
        const { output } = await run(
          'cat a.txt; echo new > b.txt; cat ../server-token',
          join(home, 'work'),
        );

        expect(output).toMatch(/one\n/);
        expect(output).not.toContain('SECRET');
        expect(existsSync(join(home, 'work/b.txt'))).toBe(true);
      } finally {
        if (before === undefined) delete process.env.ROBOTA_HOME;
        else process.env.ROBOTA_HOME = before;
      }
    },
  );

  it.runIf(isConfined)('a link out of the project does not make its target writable', async () => {
    const cwd = await project();
    symlinkSync('../outside.txt', join(cwd, 'link'));

    await run('echo changed > link', cwd);

    expect(readFileSync(join(cwd, '../outside.txt'), 'utf8')).toBe('outside\n');
  });
});

const escapes = [
  ['a session of its own', '(setsid sleep 61.25 & echo $! > pids); sleep 0.1; sleep 62'],
  [
    'two forks',
    'bash -c "(bash -c \'echo \\$\\$ > pids; exec sleep 61.5\' &)"; while [ ! -s pids ]; do sleep 0.02; done; sleep 62',
  ],
  [
    'a new session by a program',
    "python3 -c \"import subprocess as s; p = s.Popen(['sleep', '61.75'], start_new_session=True); open('pids', 'w').write(str(p.pid))\"; sleep 62",
  ],
  [
    'a process that ignores SIGTERM and starts others in their own sessions',
    'bash -c \'trap "" TERM; while :; do setsid -f sleep 61.625; [ -s pids ] || echo $$ > pids; sleep 0.01; done\' & sleep 62',
  ],
] as const;

describe('processes outside the group of a command', () => {
  const running: number[] = [];
  afterEach(() => {
    for (const pid of running.splice(0)) if (exists(pid)) process.kill(pid, 'SIGKILL');
  });

  it.each(escapes)('are ended on abort: %s', async (_name, command) => {
    const cwd = await project();
    const abort = new AbortController();
    const call = granted({}, { command, cwd, tool: createBashTool({ cwd }), signal: abort.signal });
    const pid = await pidIn(join(cwd, 'pids'));
    running.push(pid);

    abort.abort();
    await call;

    expect(await untilGone(pid)).toBe('gone');
    expect(await untilGone(/61\.\d+/.exec(command)?.[0] ?? '')).toBe('gone');
  });

  it.runIf(isConfined).each(escapes)('are ended with the sandbox: %s', async (name, command) => {
    const cwd = await project();
    const seconds = `6${escapes.findIndex(([each]) => each === name)}.87654`;
    const abort = new AbortController();
    const tool = createBashTool({ cwd, roots: [cwd], confine: 'on' });
    const marked = command.replace(/61\.\d+/, seconds);
    const call = granted({}, { command: marked, cwd, tool, signal: abort.signal });
    await pidIn(join(cwd, 'pids'));

    abort.abort();
    await call;

    expect(await untilGone(seconds)).toBe('gone');
  });

  it.runIf(isConfined)('get SIGTERM before they are killed', async () => {
    const cwd = await project();
    mkdirSync(join(cwd, 'out'));
    const command =
      "trap 'echo cleaned > out/cleaned; exit 0' TERM; echo ready > out/ready; while :; do sleep 0.02; done";
    const abort = new AbortController();
    const tool = createBashTool({ cwd, roots: [cwd], confine: 'on' });
    const call = granted({}, { command, cwd, tool, signal: abort.signal });
    await contentOf(join(cwd, 'out/ready'));

    abort.abort();
    await call;

    expect(readFileSync(join(cwd, 'out/cleaned'), 'utf8')).toBe('cleaned\n');
  });
});

async function pidIn(file: string): Promise<number> {
  return Number(await contentOf(file));
}

async function contentOf(file: string): Promise<string> {
  for (;;) {
    const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
    if (text !== '') return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
