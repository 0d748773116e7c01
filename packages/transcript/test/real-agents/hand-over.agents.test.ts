import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlocksFold, type ConversationBlock, parseTranscripts } from '@robota-sdk/agent-transcript';
import {
  compareSteps,
  FIDELITY_KINDS,
  type HandOverStep,
  type NewTranscript,
  parseTranscriptFile,
  registeredAgent,
  toMessages,
  toSteps,
  writeNewFile,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRecordings } from '../architectures/all-recordings.ts';
import { temporaryFolder } from '../drivers/temporary-home.ts';
import { speakAnthropic } from './anthropic.ts';
import { speakGoogle } from './google.ts';
import { type Speak, startModelServer } from './model-server.ts';
import { speakOpenai } from './openai.ts';
import { PROGRAMS, quieten, type RealProgram } from './programs.ts';

/** The recording of each source. */
const SOURCES = {
  claude: ['parallel', 'readimg', 'agentfg', 'toolerr', 'think'].map(
    (name) => `claude 2.1.325/${name}`,
  ),
  codex: ['04-parallel-tools', '05-tool-errors', '08-subagent', '02-reasoning'].map(
    (name) => `codex 0.166.0/${name}/`,
  ),
  gemini: [
    '12-auto-compaction',
    '04-parallel-tools',
    '22-image',
    '10-subagent',
    '05-tool-error',
  ].map((name) => `gemini ${name}`),
};

const NEWEST = PROGRAMS.slice(0, 3);

describe.each(NEWEST)('$name', { timeout: 120_000 }, (program) => {
  it.each(['claude', 'codex', 'gemini', 'robota'] as const)(
    'goes on with a session of %s, and sends every word and pair of it',
    async (source) => {
      const steps = stepsOf(source);
      const { file, session, resume } = await write(program, steps);

      const { requests, output } = await resume('@@next');

      const sent = requests.find((body) => body.includes('@@next')) ?? '';
      expect(missingIn(sent, steps), output).toEqual([]);
      expect(countPairs(program, sent), output).toEqual(callsIn(steps));
      if (program.name.startsWith('Codex')) expect(output).toContain(session.id);
      const current = await registeredAgent(typeOf(program)).layout.findCurrentFile?.(file);
      const parsed = await parseTranscriptFile(typeOf(program), current ?? file);
      const after = compareSteps(steps, toSteps(parsed.blocks));
      const lost = FIDELITY_KINDS.filter((kind) => after[kind].kept < after[kind].of);
      expect(lost.filter((kind) => kind !== 'thinking')).toEqual([]);
      expect(after.userTexts.extra).toBe(1);
      expect(JSON.stringify(parsed.blocks)).toContain('Answer to @@next');
    },
  );

  it('sends each call and result once, however often a session is resumed', async () => {
    const steps = stepsOf('claude');
    const { resume } = await write(program, steps);

    const first = await resume('@@one');
    const second = await resume('@@two');
    const third = await resume('@@three');

    const pairs = [first, second, third].map(({ requests }, index) =>
      countPairs(program, requests.find((body) => body.includes(PROMPTS[index] ?? '')) ?? ''),
    );
    expect(pairs).toEqual([callsIn(steps), callsIn(steps), callsIn(steps)]);
  });

  it('accepts user text that looks like a command', async () => {
    const at = '2026-11-10T10:00:00.000Z';
    const said = ['/etc/hosts is broken', '?why', '<system-reminder>no</system-reminder>'];
    const steps = said.flatMap((text): HandOverStep[] => [
      { role: 'user', at, parts: [{ type: 'text', text }] },
      {
        role: 'assistant',
        at,
        model: undefined,
        pieces: [{ type: 'text', text: `On ${text}`, at }],
      },
    ]);
    const { resume } = await write(program, steps);

    const { requests, output } = await resume('@@next');

    const sent = requests.find((body) => body.includes('@@next')) ?? '';
    expect(missingIn(sent, steps), output).toEqual([]);
  });
});

/** Gemini CLI has models that read a million tokens, which takes long to send. */
describe.each(NEWEST.slice(0, 2))('$name', { timeout: 120_000 }, (program) => {
  it('compacts a session that is too long before it continues', async () => {
    // A million tokens: the window that the program takes for granted depends on its model.
    const at = '2026-11-10T10:00:00.000Z';
    const steps = Array.from({ length: 400 }, (_, index): HandOverStep[] => [
      {
        role: 'user',
        at,
        parts: [{ type: 'text', text: `Part ${index} ${'word '.repeat(2_000)}` }],
      },
      { role: 'assistant', at, model: undefined, pieces: [{ type: 'text', text: 'Read.', at }] },
    ]).flat();
    const { file, resume } = await write(program, steps);

    const { requests, output } = await resume('@@next');

    const sent = requests.filter((body) => body.includes('@@next')).at(-1) ?? '';
    expect(sent, output).not.toBe('');
    expect(sent.length).toBeLessThan(readFileSync(file).length / 2);
  });
});

const PROMPTS = ['@@one', '@@two', '@@three'];

function stepsOf(source: keyof typeof SOURCES | 'robota'): readonly HandOverStep[] {
  if (source !== 'robota') return toSteps(blocksOf(source));
  const fold = new BlocksFold();
  const session = newSession('/nowhere');
  for (const message of toMessages(toSteps(blocksOf('codex')), session)) {
    fold.apply({ n: 0, time: 0, event: 'history_mutation', mutation: 'append_message', message });
  }
  return toSteps(fold.state.blocks);
}

function blocksOf(source: keyof typeof SOURCES): readonly ConversationBlock[] {
  // A compaction comes first, because it replaces what is before it.
  const compacted = allRecordings.find(
    (one) => one.name.startsWith(source) && hasSummary(parseTranscripts(one.type, one).blocks),
  );
  const recorded = SOURCES[source].map((name) =>
    allRecordings.find((one) => one.name.startsWith(name)),
  );
  return [compacted, ...recorded].flatMap((found) => {
    if (found === undefined) throw new Error(`A recording of ${source} is missing`);
    return parseTranscripts(found.type, found).blocks;
  });
}

function hasSummary(blocks: readonly ConversationBlock[]): boolean {
  return toSteps(blocks)[0]?.role === 'summary';
}

function newSession(cwd: string): NewTranscript {
  const origin = { agent: 'test', title: 'Another agent', id: 'source-1' };
  return { id: crypto.randomUUID(), cwd, now: new Date(), origin };
}

function typeOf(program: RealProgram): string {
  const options = program.options('', 'bypassPermissions');
  return 'architecture' in options ? options.architecture : '';
}

async function write(program: RealProgram, steps: readonly HandOverStep[]) {
  const home = temporaryFolder();
  const cwd = join(home, 'work');
  mkdirSync(cwd);
  mkdirSync(join(home, '.codex'));
  quieten(home);
  chooseKey(home);
  const session = newSession(cwd);
  const { writer } = registeredAgent(typeOf(program));
  if (writer === undefined) throw new Error(`${program.name} is not written`);
  const file = await writer.place(session, { home, environment: {} });
  await writeNewFile(file, writer.lines(steps, session));
  return {
    file,
    session,
    resume: (prompt: string) => resumeIn({ program, home, cwd, id: session.id, prompt }),
  };
}

/** Gemini CLI asks once how to sign in and keeps the answer in its settings. */
function chooseKey(home: string): void {
  const path = join(home, '.gemini', 'settings.json');
  const settings = JSON.parse(readFileSync(path, 'utf8')) as object;
  const security = { auth: { selectedType: 'gemini-api-key' } };
  writeFileSync(path, JSON.stringify({ ...settings, security }));
}

interface Resume {
  readonly program: RealProgram;
  readonly home: string;
  readonly cwd: string;
  readonly id: string;
  readonly prompt: string;
}

/** The requests of the program during one prompt, and its output. */
async function resumeIn({ program, home, cwd, id, prompt }: Resume) {
  const requests: string[] = [];
  const server = await startModelServer(
    (body, request, script) => {
      requests.push(body);
      return program.speak(body, request, script);
    },
    (asked) => ({ text: `Answer to ${asked}` }),
  );
  onTestFinished(() => server.close());
  const options = program.options(server.url, 'bypassPermissions');
  const args = [...(options.program?.args ?? []), ...resumeArguments(typeOf(program), id, prompt)];
  const environment = {
    ...process.env,
    HOME: home,
    CODEX_HOME: join(home, '.codex'),
    ...options.environment,
  };
  const child = spawn(options.program?.command ?? '', args, {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await new Promise((resolve) => child.once('close', resolve));
  return { requests, output };
}

function resumeArguments(architecture: string, id: string, prompt: string): readonly string[] {
  switch (architecture) {
    case 'claude-agent-sdk':
      return ['-p', prompt, '--resume', id];
    case 'codex':
      return ['exec', '--json', '--skip-git-repo-check', 'resume', id, prompt];
    default:
      return ['--skip-trust', '-m', 'gemini-2.5-pro', '--resume', id, '-p', prompt];
  }
}

/** Texts, arguments and results of the steps that are missing in the request. */
function missingIn(request: string, steps: readonly HandOverStep[]): readonly string[] {
  const sent = plain(stringsIn(request === '' ? '' : JSON.parse(request)).join('\n'));
  return steps.flatMap(wordsOf).filter((text) => !sent.includes(plain(text)));
}

function wordsOf(step: HandOverStep): readonly string[] {
  if (step.role === 'summary') return [step.text];
  if (step.role === 'user')
    return step.parts.map((part) => (part.type === 'text' ? part.text : part.source.data));
  return step.pieces.flatMap((piece) => {
    if (piece.type !== 'call') return piece.type === 'text' ? [piece.text] : [];
    const answered = piece.call.result.parts.map((part) =>
      part.type === 'text' ? part.text : part.source.data,
    );
    return [...stringsIn(piece.call.input), ...answered];
  });
}

/** Every string at any depth; arguments that are JSON in a string are opened. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    if (!value.startsWith('{')) return [value];
    try {
      return [value, ...stringsIn(JSON.parse(value))];
    } catch {
      // Text that only begins like JSON.
      return [value];
    }
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function plain(text: string): string {
  return text.replaceAll('\u2060', '').replace(/\s+/g, ' ').trim();
}

function callsIn(steps: readonly HandOverStep[]): { calls: number; results: number } {
  const calls = steps.flatMap((step) =>
    step.role === 'assistant' ? step.pieces.filter(({ type }) => type === 'call') : [],
  ).length;
  return { calls, results: calls };
}

function countPairs({ speak }: RealProgram, request: string) {
  const [call, result] = PAIRS.get(speak) ?? [];
  const count = (part: string | undefined) => request.split(`"${part}"`).length - 1;
  return { calls: count(call), results: count(result) };
}

/** Field names of a call and its result in each vendor's requests. */
const PAIRS: ReadonlyMap<Speak, readonly [string, string]> = new Map([
  [speakAnthropic, ['tool_use', 'tool_result']],
  [speakOpenai, ['function_call', 'function_call_output']],
  [speakGoogle, ['functionCall', 'functionResponse']],
]);
