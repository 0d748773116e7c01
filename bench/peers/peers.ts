import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  PROGRAMS,
  quieten,
  type RealProgram,
} from '../../packages/transcript/test/real-agents/programs.ts';
import {
  READ_PROGRAMS,
  type ReadProgram,
} from '../../packages/transcript/test/real-agents/read-programs.ts';
import { agentFolder } from '../../tools/install-agents.mjs';
import { PROMPT, type Start } from './measure.ts';

/** Why there is no number. */
export type Refusal = string;

/** One program of the comparison, and how it runs each task. */
export interface Peer {
  readonly name: string;
  version(home: string): Start;
  /** One prompt, without a terminal. */
  print(home: string, url: string): Start | Refusal;
  /** The same in an existing session; `ids` has its copy for each program. */
  resume(home: string, url: string, ids: Readonly<Record<string, string>>): Start | Refusal;
  list(home: string): Start | Refusal;
  search(home: string): Start | Refusal;
  usage(home: string): Start | Refusal;
}

export const PEER_PROGRAMS = [
  '@anthropic-ai/claude-code@2.1.325',
  '@openai/codex@0.166.0',
  '@google/gemini-cli@0.61.0',
  'opencode-ai@1.18.33',
  '@mariozechner/pi-coding-agent@0.73.1',
  'ccusage@20.0.24',
];

const NONE = 'no such command';
const PICKER = 'in its terminal only';
const OWN = 'of its own sessions; not compared';
const NO_WRITER = 'not compared: Robota writes no session for it';
const ROBOTA = join(import.meta.dirname, '../../apps/cli/bin/robota.cjs');

export const PEERS: readonly Peer[] = [
  robota(),
  driven('Claude Code', {
    print: ['-p', PROMPT],
    resume: (ids) => ['-p', '-r', ids.claude ?? '', PROMPT],
    list: PICKER,
    usage: NONE,
    search: PICKER,
  }),
  driven('Codex', {
    print: ['exec', '--skip-git-repo-check', PROMPT],
    resume: (ids) => ['exec', 'resume', '--skip-git-repo-check', ids.codex ?? '', PROMPT],
    list: PICKER,
    usage: NONE,
    search: NONE,
  }),
  driven('Gemini CLI', {
    print: ['--skip-trust', '-p', PROMPT],
    resume: (ids) => ['--skip-trust', '-r', ids.gemini ?? '', '-p', PROMPT],
    list: OWN,
    usage: NONE,
    search: NONE,
  }),
  onlyRead('opencode', { list: OWN, usage: OWN }),
  onlyRead('pi', { list: PICKER, usage: NONE }),
  ccusage(),
];

function robota(): Peer {
  const start = (home: string, args: readonly string[], env = {}): Start => ({
    command: process.execPath,
    args: [ROBOTA, ...args],
    env: { HOME: home, ...env },
    cwd: home,
  });
  const asking = (url: string) => ({ ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url });
  return {
    name: 'Robota',
    version: (home) => start(home, ['--version']),
    print: (home, url) => start(home, ['-p', PROMPT], asking(url)),
    resume: (home, url, ids) => start(home, ['-p', '-r', ids.robota ?? '', PROMPT], asking(url)),
    list: (home) => start(home, ['sessions', 'list', '--all']),
    search: (home) => start(home, ['search', 'needle']),
    usage: (home) => start(home, ['usage']),
  };
}

/** Outside ACP, Gemini CLI asks how to sign in unless it is configured. */
function chooseKey(home: string): void {
  const path = join(home, '.gemini/settings.json');
  const settings = JSON.parse(readFileSync(path, 'utf8')) as object;
  const security = { auth: { selectedType: 'gemini-api-key' } };
  writeFileSync(path, JSON.stringify({ ...settings, security }));
}

interface DrivenWork {
  readonly print: readonly string[];
  readonly resume: (ids: Readonly<Record<string, string>>) => readonly string[];
  readonly list: Refusal;
  readonly usage: Refusal;
  readonly search: Refusal;
}

function driven(name: string, work: DrivenWork): Peer {
  const program = PROGRAMS.find((each) => each.name.startsWith(name)) as RealProgram;
  const start = (home: string, url: string, args: readonly string[]): Start => {
    quieten(home);
    chooseKey(home);
    const { program: place, environment = {} } = program.options(url, 'default');
    // Codex applies settings only when they follow the subcommand.
    const settings = place?.args ?? [];
    const [first = '', ...rest] = args;
    const isSubcommand = !first.startsWith('-');
    return {
      command: place?.command ?? '',
      args: isSubcommand ? [first, ...settings, ...rest] : [...args],
      env: { HOME: home, ...environment },
      cwd: home,
    };
  };
  return {
    name: program.name,
    version: (home) => start(home, 'http://127.0.0.1:9', ['--version']),
    print: (home, url) => start(home, url, work.print),
    resume: (home, url, ids) => start(home, url, work.resume(ids)),
    list: () => work.list,
    search: () => work.search,
    usage: () => work.usage,
  };
}

function onlyRead(name: string, work: { readonly list: Refusal; readonly usage: Refusal }): Peer {
  const program = READ_PROGRAMS.find((each) => each.name.startsWith(name)) as ReadProgram;
  return {
    name: program.name,
    version: (home) => {
      const { command, args, env } = program.prepare(home, 'http://127.0.0.1:9');
      const script = args.slice(0, command === process.execPath ? 1 : 0);
      return { command, args: [...script, '--version'], env: { HOME: home, ...env }, cwd: home };
    },
    print: (home, url) => {
      const { command, args, env } = program.prepare(home, url);
      return { command, args: [...args, PROMPT], env: { HOME: home, ...env }, cwd: home };
    },
    resume: () => NO_WRITER,
    list: () => work.list,
    search: () => NONE,
    usage: () => work.usage,
  };
}

function ccusage(): Peer {
  const start = (home: string, args: readonly string[]): Start => ({
    command: join(agentFolder('ccusage@20.0.24'), '.bin', 'ccusage'),
    args,
    env: { HOME: home },
    cwd: home,
  });
  return {
    name: 'ccusage 20.0.24',
    version: (home) => start(home, ['--version']),
    print: () => 'no agent',
    resume: () => 'no agent',
    list: () => NONE,
    search: () => NONE,
    usage: (home) => start(home, ['daily', '--offline']),
  };
}
