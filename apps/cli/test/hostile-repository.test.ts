import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { VERBS } from '../src/commands/sessions/sessions.ts';
import { SUBCOMMANDS } from '../src/main.ts';
import {
  createHostileRepository,
  type HostileRepository,
  OUTSIDE_WORDS,
} from './support/hostile-repository.ts';
import { callsTool, says, startModelServer } from './support/model-server.ts';
import { finished, type RunResult, startRobota } from './support/run-robota.ts';
import { KEYS, TerminalScreen } from './support/terminal-screen.ts';

const PATIENCE_MS = 60_000;
const LONG = { timeout: 240_000 };

/** Commands that go on until they are told to end; everything else has to end by itself. */
const SERVERS = ['serve', 'web'];

/** What a command is called with beside a session's name, where that makes it do more. */
const FURTHER: Readonly<Record<string, readonly string[][]>> = {
  search: [['TODO', '--refresh']],
  'sessions search': [['TODO', '--here']],
  'sessions rename': [['last', 'other']],
  'sessions delete': [['last', '--yes']],
  'sessions export': [['last', '--format', 'html']],
  resume: [['last', 'list files', '-p', '--provider', 'demo']],
  mcp: [['--provider', 'demo']],
  doctor: [['--repair']],
};

/** Every command and verb of the program, each with a session and without. */
function everyCall(): string[][] {
  const commands = Object.keys(SUBCOMMANDS).filter((name) => !SERVERS.includes(name));
  const words = commands.flatMap((name) =>
    name === 'sessions' ? Object.keys(VERBS).map((verb) => [name, verb]) : [[name]],
  );
  // What deletes comes last.
  words.sort((one, other) => Number(one.includes('delete')) - Number(other.includes('delete')));
  return words.flatMap((call) => [
    call,
    [...call, 'last'],
    [...call, 'last', '--json'],
    [...call, '--help'],
    ...(FURTHER[call.join(' ')] ?? []).map((args) => [...call, ...args]),
  ]);
}

/** Runs the program here with a PATH that finds the project's programs first; says so when it does not end. */
async function run(
  { place, relativePath }: HostileRepository,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult & { readonly hung: boolean }> {
  const path = `${relativePath}:${process.env.PATH ?? ''}`;
  const child = startRobota(place, args, { PATH: path, ...env });
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, PATIENCE_MS);
  child.stdin.end('');
  // What follows a session goes on until somebody stops it; by its first line it has read everything.
  if (args.includes('follow')) child.stdout.once('data', () => child.kill('SIGINT'));
  const result = await finished(child);
  clearTimeout(timer);
  return { ...result, hung };
}

const READING = [
  'git status',
  'git diff',
  'git log -p -1',
  'git show HEAD',
  'git blame readme.txt',
  'git ls-files -m',
  'ls -la',
  'cat readme.txt',
  'grep -rn TODO .',
  'rg TODO',
  'find . -name "*.md"',
];

/** A model that looks at everything it may look at. */
function startCuriousModel() {
  const looks = [
    ...READING.map((command, index) => callsTool(`b${index}`, 'Bash', { command })),
    callsTool('g', 'Grep', { pattern: 'TODO' }),
    callsTool('f', 'Glob', { pattern: '**/*' }),
    callsTool('r', 'Read', { filePath: 'CLAUDE.md' }),
    callsTool('s', 'Skill', { skill: 'trap' }),
    callsTool('a', 'Agent', { subagent_type: 'trap', prompt: 'look' }),
  ];
  return startModelServer(...looks, says('Seen.'));
}

const PROMPTS: readonly (readonly string[])[] = [
  ['-p', 'look around'],
  ['-p', 'look at @CLAUDE.md @AGENTS.md @readme.txt @.claude/settings.json'],
  ['-p', '/trap'],
  ['-p', '/help'],
  ['-p', '-c', 'again', '--output-format', 'json'],
  ['-p', '-c', '--fork-session', 'again', '--output-format', 'stream-json'],
];

it.concurrent.each(['files that act', 'files that are none'] as const)(
  'nothing of an untrusted repository acts and nothing hangs, whatever the program is asked: %s',
  LONG,
  async (kind) => {
    await using repository = await createHostileRepository(kind);
    await using model = await startCuriousModel();
    const env = { ANTHROPIC_API_KEY: 'sk-ant-test-key-0123456789', ANTHROPIC_BASE_URL: model.url };
    const stuck: string[] = [];
    const sprung: Record<string, string[]> = {};
    const note = (what: string, hung: boolean) => {
      if (hung) stuck.push(what);
      const marks = repository.marks();
      if (marks.length > 0) sprung[what] = marks;
      repository.forgetMarks();
    };

    for (const args of PROMPTS) note(args.join(' '), (await run(repository, args, env)).hung);
    for (const args of everyCall()) note(args.join(' '), (await run(repository, args, env)).hung);

    expect({ stuck, sprung }).toEqual({ stuck: [], sprung: {} });
    expect(model.requests.length).toBeGreaterThan(READING.length);
    expect(JSON.stringify(model.requests)).not.toContain(OUTSIDE_WORDS);
  },
);

/** Starts a command that goes on until it is told to end, and waits for the first line it prints. */
async function startServing(
  { place, relativePath }: HostileRepository,
  args: readonly string[],
  machinePath = process.env.PATH ?? '',
) {
  const path = `${relativePath}:${machinePath}`;
  const child = startRobota(place, [...args, '--port', '0', '--provider', 'demo'], { PATH: path });
  const ended = finished(child);
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    child.once('exit', (code) => reject(new Error(`robota ${args[0]} ended with ${code}`)));
  });
  return { child, ended, line };
}

it('nothing of it acts when the page is opened, and no browser of its own is', LONG, async () => {
  await using repository = await createHostileRepository('files that act');
  // No program of the machine either: a test opens nobody's browser.
  const { child, ended } = await startServing(repository, ['web'], repository.place.home);
  child.kill('SIGTERM');

  expect((await ended).code).toBe(0);
  expect(repository.marks()).toEqual([]);
});

it('nothing of it acts behind the server', LONG, async () => {
  await using repository = await createHostileRepository('files that act');
  const { place } = repository;
  const { child, ended, line: url } = await startServing(repository, ['serve']);
  const token = readFileSync(join(place.home, '.robota/server-token'), 'utf8').trim();
  const server = new RemoteServer({ url, token, WebSocket });
  const session = server.openSession(await server.createSession({ name: 'In the repository' }));
  await session.whenReady();
  for (const prompt of ['list files', 'search for TODO in .', 'read readme.txt', '/trap']) {
    await session.submit(prompt);
  }
  for (const { name } of session.listCommands()) {
    if (name !== 'exit') await session.executeCommand(name, '');
  }
  session.close();
  child.kill('SIGTERM');

  expect((await ended).code).toBe(0);
  expect(repository.marks()).toEqual([]);
});

it(
  'nothing of it acts in the terminal, where the answer to the question of trust is no',
  LONG,
  async () => {
    await using repository = await createHostileRepository('files that act');
    const { place, relativePath } = repository;
    const env = { PATH: `${relativePath}:${process.env.PATH ?? ''}` };
    await using screen = new TerminalScreen(place, ['--provider', 'demo'], { env });

    await screen.shows('Trust the settings of this directory?', /tab answers|then enter/);
    if (screen.text().includes('tab answers')) screen.type(KEYS.tab);
    await screen.shows('then enter');
    screen.type(`2${KEYS.enter}`);
    await screen.until(() => !screen.window().includes('Trust the settings'));
    await screen.shows('Ask anything');
    screen.type(`search for TODO in .${KEYS.enter}`);
    await screen.shows('Grep is done');
    screen.type('@readm');
    await screen.shows('❯ readme.txt');
    screen.kill('SIGTERM');
    await screen.exited();

    expect(repository.marks()).toEqual([]);
  },
);

it('the traps are real: trust, and git without care, set them off', LONG, async () => {
  await using repository = await createHostileRepository('files that act');
  // They end with an error, because what they start says nothing sensible.
  for (const verb of ['status', 'diff']) {
    spawnSync('git', [verb], { cwd: repository.place.project, stdio: 'ignore' });
  }
  const byGit = repository.marks();
  repository.forgetMarks();

  await run(repository, ['-p', 'list files', '--trust', '--provider', 'demo']);

  expect(byGit).toEqual(expect.arrayContaining(['git filter process', 'git fsmonitor']));
  expect(repository.marks()).toEqual(
    expect.arrayContaining([
      '.mcp.json',
      'connection',
      'hook SessionStart of .claude-settings.json',
      'hook UserPromptSubmit of .robota-settings.local.json',
    ]),
  );
});
