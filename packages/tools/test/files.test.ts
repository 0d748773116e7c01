import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  type CallGrant,
  judgeToolCall,
  type PermissionLists,
  type Tool,
  withGrant,
} from '@robota-sdk/agent-core';
import {
  createBashTool,
  createEditTool,
  createGlobTool,
  createGrepTool,
  createReadTool,
  createWriteTool,
  readPlainFile,
  type ToolResult,
} from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { call } from './call.ts';
import { makePipe, scratch } from './scratch.ts';

/** Checks a call, runs `happens`, then runs the call with the decision. */
async function judgedThen(
  tool: Tool,
  parameters: Record<string, unknown>,
  { lists, happens = () => undefined }: { lists: PermissionLists; happens?: () => void },
): Promise<ToolResult> {
  const toolName = tool.schema.name;
  const { grant } = await judgeToolCall({
    tool,
    toolName,
    toolArgs: parameters,
    mode: 'default',
    lists,
  });
  happens();
  return granted(tool, parameters, grant);
}

async function granted(
  tool: Tool,
  parameters: Record<string, unknown>,
  grant: CallGrant,
): Promise<ToolResult> {
  const context = {
    toolName: tool.schema.name,
    parameters,
    executionId: '1',
    signal: new AbortController().signal,
  };
  const { data } = await tool.execute(parameters, withGrant(context, grant));
  return JSON.parse(String(data));
}

async function place() {
  const root = await scratch({ 'proj/dir/a.txt': 'inside\n', 'outside/a.txt': 'outside\n' });
  const cwd = join(root, 'proj');
  const swap = () => {
    renameSync(join(cwd, 'dir'), join(cwd, 'old'));
    symlinkSync(join(root, 'outside'), join(cwd, 'dir'));
  };
  return { root, cwd, swap, lists: { cwd } };
}

describe('a folder replaced by a link after the decision', () => {
  it('is not read through', async () => {
    const { cwd, swap, lists } = await place();

    const result = await judgedThen(
      createReadTool({ cwd }),
      { filePath: 'dir/a.txt' },
      { lists, happens: swap },
    );

    expect(result.error).toBe(
      'Access denied: "dir/a.txt" leads elsewhere than when it was allowed',
    );
  });

  it('is not written through', async () => {
    const { root, cwd, swap, lists } = await place();

    const parameters = { filePath: 'dir/a.txt', content: 'changed' };
    const result = await judgedThen(createWriteTool({ cwd }), parameters, { lists, happens: swap });

    expect([result.success, readFileSync(join(root, 'outside/a.txt'), 'utf8')]).toEqual([
      false,
      'outside\n',
    ]);
  });

  it('is not edited through', async () => {
    const { root, cwd, swap, lists } = await place();

    const parameters = { filePath: 'dir/a.txt', oldString: 'outside', newString: 'changed' };
    const result = await judgedThen(createEditTool({ cwd }), parameters, { lists, happens: swap });

    expect([result.success, readFileSync(join(root, 'outside/a.txt'), 'utf8')]).toEqual([
      false,
      'outside\n',
    ]);
  });

  it('is not searched through', async () => {
    const { cwd, swap, lists } = await place();

    const result = await judgedThen(
      createGrepTool({ cwd }),
      { pattern: 'side', path: 'dir' },
      { lists, happens: swap },
    );

    expect(result.success).toBe(false);
  });

  it('is not searched through when it changes during the search', async () => {
    const { cwd, swap } = await place();
    let isSwapped = false;
    const mayRead = () => {
      if (!isSwapped) swap();
      isSwapped = true;
      return true;
    };
    const parameters = { pattern: 'side', path: 'dir', outputMode: 'content' };

    const result = await granted(createGrepTool({ cwd }), parameters, { mayRead });

    expect(result).toMatchObject({
      success: false,
      error: 'Access denied: "dir" leads elsewhere than when it was allowed',
    });
    expect(JSON.stringify(result)).not.toContain('outside');
  });

  it('is searched at its checked path when a link changes during the search', async () => {
    const { root, cwd } = await place();
    symlinkSync('dir', join(cwd, 'alias'));
    const mayRead = () => {
      rmSync(join(cwd, 'alias'));
      symlinkSync(join(root, 'outside'), join(cwd, 'alias'));
      return true;
    };
    const parameters = { pattern: 'side', path: 'alias', outputMode: 'content' };

    const result = await granted(createGrepTool({ cwd }), parameters, { mayRead });

    expect(result.output).toBe(`${cwd}/alias/a.txt:1:inside`);
  });

  it('is not listed through when it changes during the search', async () => {
    const { root, cwd, swap } = await place();
    writeFileSync(join(root, 'outside/secret-name.txt'), '');
    const { signal } = new AbortController();
    Object.assign(signal, { throwIfAborted: () => existsSync(join(cwd, 'old')) || swap() });
    const parameters = { pattern: 'dir/*.txt' };
    const context = { toolName: 'Glob', parameters, executionId: '1', signal };

    const { data } = await createGlobTool({ cwd }).execute(parameters, withGrant(context, {}));

    expect(String(data)).not.toContain('secret-name');
    expect(JSON.parse(String(data))).toMatchObject({ success: false });
  });

  it('is not used as a working directory', async () => {
    const { cwd, swap, lists } = await place();

    const parameters = { command: 'cat a.txt', workingDirectory: 'dir' };
    const result = await judgedThen(createBashTool({ cwd }), parameters, { lists, happens: swap });

    expect(result).toMatchObject({
      success: false,
      error: 'Access denied: "dir" leads elsewhere than when it was allowed',
    });
  });

  it('does not affect allowed calls when nothing changes', async () => {
    const { cwd, lists } = await place();
    symlinkSync('dir', join(cwd, 'alias'));

    const read = await judgedThen(createReadTool({ cwd }), { filePath: 'alias/a.txt' }, { lists });
    const written = await judgedThen(
      createWriteTool({ cwd }),
      { filePath: 'alias/new/b.txt', content: 'b' },
      { lists },
    );

    expect([
      read.success,
      written.success,
      readFileSync(join(cwd, 'dir/new/b.txt'), 'utf8'),
    ]).toEqual([true, true, 'b']);
  });
});

describe('a folder repeatedly replaced by a link', () => {
  it('never leads a tool out of its roots', async () => {
    const { root, cwd } = await place();
    mkdirSync(join(cwd, 'good'));
    writeFileSync(join(cwd, 'good/a.txt'), 'inside\n');
    rmSync(join(cwd, 'dir'), { recursive: true });
    const script = `while :; do ln -sfn good dir; ln -sfn ../outside dir; done`;
    const swapper = spawn('bash', ['-c', script], { cwd, stdio: 'ignore' });
    try {
      const options = { cwd, roots: [cwd] };
      for (let turn = 0; turn < 150; turn++) {
        const read = await call(createReadTool(options), { filePath: 'dir/a.txt' });
        expect(read.output).not.toContain('outside');
        await call(createWriteTool(options), { filePath: 'dir/b.txt', content: 'x' });
      }
    } finally {
      swapper.kill('SIGKILL');
    }

    expect(readdirSync(join(root, 'outside'))).toEqual(['a.txt']);
  });
});

describe('a Read deny rule', () => {
  it.each(['auto', 'javascript', 'ripgrep'] as const)(
    'covers files found by Grep, with engine %s',
    async (engine) => {
      const cwd = await scratch({
        '.env': 'KEY=1\n',
        'src/.env': 'KEY=2\n',
        'src/a.ts': 'KEY=3\n',
      });
      const lists = { cwd, deny: ['Read(.env)'] };

      const grep = createGrepTool({ cwd, engine });
      const found = await judgedThen(grep, { pattern: 'KEY', outputMode: 'content' }, { lists });
      const other = await judgedThen(grep, { pattern: 'NOTHING' }, { lists });

      expect(found.output).toBe(
        `${cwd}/src/a.ts:1:KEY=3\n\n[2 files were left out: a rule keeps them from being read.]`,
      );
      // The note does not reveal whether the pattern is in the files.
      expect(other.output).toContain('[2 files were left out');
    },
  );

  it('covers files found by Glob, links included', async () => {
    const cwd = await scratch({ 'a.txt': '', 'secrets/key.txt': '' });
    symlinkSync('secrets/key.txt', join(cwd, 'plain.txt'));
    const mayRead = (real: string) => !real.includes('/secrets/');

    const found = await granted(createGlobTool({ cwd }), { pattern: '**/*.txt' }, { mayRead });

    expect(found.output).toBe(
      'a.txt\n\n[2 files were left out: a rule keeps them from being read.]',
    );
  });
});

describe('secrets in the home of Robota', () => {
  it('cannot be opened by any tool', async () => {
    const home = await scratch({
      'server-token': 'SECRET\n',
      'logs/s.vault': 'SECRET\n',
      'settings.json': '{}\n',
    });
    const before = process.env.ROBOTA_HOME;
    process.env.ROBOTA_HOME = home;
    try {
      const read = (filePath: string) => call(createReadTool({ cwd: home }), { filePath });
      const grep = await call(createGrepTool({ cwd: home }), {
        pattern: 'SECRET',
        outputMode: 'content',
      });

      expect((await read('server-token')).error).toBe(
        'Access denied: "server-token" holds secrets of this program',
      );
      expect((await read('logs/s.vault')).success).toBe(false);
      expect((await read('settings.json')).success).toBe(true);
      expect(grep.output).not.toContain('SECRET');
    } finally {
      if (before === undefined) delete process.env.ROBOTA_HOME;
      else process.env.ROBOTA_HOME = before;
    }
  });
});

describe('a settings or instruction file', () => {
  it('is read when it is a plain file, also through a link inside its folder', async () => {
    const root = await scratch({ 'proj/AGENTS.md': 'text', 'proj/docs/x.md': 'linked' });
    const proj = join(root, 'proj');
    symlinkSync('docs/x.md', join(proj, 'CLAUDE.md'));

    expect([
      readPlainFile(join(proj, 'AGENTS.md'), { within: proj }),
      readPlainFile(join(proj, 'CLAUDE.md'), { within: proj }),
      readPlainFile(join(proj, 'missing.md'), { within: proj }),
    ]).toEqual([
      { kind: 'text', text: 'text' },
      { kind: 'text', text: 'linked' },
      { kind: 'missing' },
    ]);
  });

  it('is refused when it is a pipe, a device, a folder, too large or leads out of the project', async () => {
    const root = await scratch({
      secret: 'SECRET',
      'proj/large.md': 'x'.repeat(2_000_000),
      'proj/dir/x': '',
    });
    const proj = join(root, 'proj');
    makePipe(join(proj, 'pipe.json'));
    symlinkSync('../secret', join(proj, 'AGENTS.md'));
    symlinkSync('..', join(proj, '.claude'));
    symlinkSync('/dev/zero', join(proj, 'zero'));

    const kinds = ['large.md', 'pipe.json', 'AGENTS.md', '.claude/secret', 'zero', 'dir'].map(
      (name) => readPlainFile(join(proj, name), { within: proj }).kind,
    );

    expect(kinds).toEqual(['refused', 'refused', 'refused', 'refused', 'refused', 'refused']);
    expect(readPlainFile(join(proj, 'zero'))).toMatchObject({ kind: 'refused' });
    expect(readPlainFile(join(proj, 'AGENTS.md'))).toEqual({ kind: 'text', text: 'SECRET' });
  });
});

it('leaves no temporary file behind when a write fails', async () => {
  const cwd = await scratch({ 'ro/a.txt': 'a' });
  execFileSync('mkdir', ['-p', join(cwd, 'ro/b.txt')]);

  const result = await call(createWriteTool({ cwd }), { filePath: 'ro/b.txt', content: 'x' });

  expect([
    result.success,
    readdirSync(join(cwd, 'ro')).sort(),
    existsSync(join(cwd, 'ro/b.txt')),
  ]).toEqual([false, ['a.txt', 'b.txt'], true]);
});
