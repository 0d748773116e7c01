import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import {
  findAgentSessions,
  followTranscript,
  parseTranscriptFile,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../drivers/temporary-home.ts';
import { speakAnthropic } from './anthropic.ts';
import { speakChatCompletions } from './chat-completions.ts';
import { type ScriptedReply, type Speak, startModelServer } from './model-server.ts';

const CACHE =
  process.env.ROBOTA_AGENTS_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'robota-agents');

/** A program whose sessions we read and do not drive. */
interface ReadProgram {
  readonly name: string;
  readonly type: string;
  readonly speak: Speak;
  readonly shell: ScriptedReply;
  /** Writes its settings and says how it is run. */
  prepare(
    root: string,
    url: string,
  ): { command: string; args: string[]; env: Record<string, string> };
  readonly goOn: (id: string) => string[];
}

const PROGRAMS: readonly ReadProgram[] = [
  {
    name: 'pi 0.73.1',
    type: 'pi',
    speak: speakAnthropic,
    shell: { text: 'I look.', calls: [{ name: 'bash', input: { command: 'echo out-1' } }] },
    prepare(root, url) {
      const folder = join(root, 'home/.pi/agent');
      mkdirSync(folder, { recursive: true });
      const models = [{ id: 'fake-model', contextWindow: 200000, maxTokens: 8192 }];
      const fake = { baseUrl: url, api: 'anthropic-messages', apiKey: 'dummy', models };
      writeFileSync(join(folder, 'models.json'), JSON.stringify({ providers: { fake } }));
      return {
        command: process.execPath,
        args: [
          join(
            CACHE,
            '_mariozechner_pi-coding-agent_0.73.1/node_modules/@mariozechner/pi-coding-agent/dist/cli.js',
          ),
          ...['-p', '--mode', 'json', '--model', 'fake/fake-model'],
        ],
        env: { PI_CODING_AGENT_DIR: folder, PI_OFFLINE: '1', PI_TELEMETRY: '0' },
      };
    },
    goOn: (id) => ['--session', id],
  },
  {
    name: 'opencode 1.18.33',
    type: 'opencode',
    speak: speakChatCompletions,
    shell: {
      text: 'I look.',
      calls: [{ name: 'bash', input: { command: 'echo out-1', description: 'Look' } }],
    },
    prepare(root, url) {
      const limit = { context: 200000, output: 8192 };
      const model = { tool_call: true, limit };
      const provider = {
        fake: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
          models: { 'fake-model': model, 'fake-small': model },
        },
      };
      const settings = {
        autoupdate: false,
        share: 'disabled',
        model: 'fake/fake-model',
        small_model: 'fake/fake-small',
        provider,
      };
      writeFileSync(join(root, 'opencode.json'), JSON.stringify(settings));
      const binary = `opencode-${process.platform}-${process.arch}/bin/opencode`;
      return {
        command: join(CACHE, 'opencode-ai_1.18.33/node_modules', binary),
        args: ['run', '--format', 'json', '--auto'],
        env: {
          OPENCODE_CONFIG: join(root, 'opencode.json'),
          XDG_DATA_HOME: join(root, 'home/.local/share'),
          XDG_CONFIG_HOME: join(root, 'home/.config'),
          XDG_CACHE_HOME: join(root, 'home/.cache'),
          XDG_STATE_HOME: join(root, 'home/.state'),
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
          OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        },
      };
    },
    goOn: (id) => ['--session', id],
  },
];

describe.each(PROGRAMS)('$name', { timeout: 120_000 }, (program) => {
  it('is found and read, and followed when it goes on', async () => {
    const { home, run } = await start(program);
    await run(['go:@@tool']);

    const found = [];
    for await (const one of findAgentSessions({ agents: [program.type], home, environment: {} })) {
      found.push(one);
    }
    const [session] = found;
    const { blocks, requests, skipped } = await parseTranscriptFile(
      program.type,
      session?.path ?? '',
    );
    const followed = followTranscript(program.type, session?.id ?? '', { home, environment: {} });
    onTestFinished(() => followed.stop());
    await followed.opened;
    await run([...program.goOn(session?.id ?? ''), 'go:@@again']);
    await followed.refresh();

    expect(found).toHaveLength(1);
    expect(session?.cwd).toBeDefined();
    expect(brief(blocks)).toEqual([
      'user_message go:@@tool',
      'assistant_text I look.',
      'tool_use success',
      'tool_result out-1',
      'assistant_text Answer to @@tool',
    ]);
    expect(skipped).toEqual({ lines: 0, kinds: {} });
    expect(requests?.map(({ usage }) => usage.outputTokens)).toEqual([5, 5]);
    expect(brief(followed.conversation?.blocks ?? []).slice(5)).toEqual([
      'user_message go:@@again',
      'assistant_text Answer to @@again',
    ]);
  });
});

async function start(program: ReadProgram) {
  const root = temporaryFolder();
  const home = join(root, 'home');
  const workspace = join(root, 'workspace');
  mkdirSync(home, { recursive: true });
  mkdirSync(workspace);
  const script = (prompt: string, step: number): ScriptedReply =>
    prompt === '@@tool' && step === 0 ? program.shell : { text: `Answer to ${prompt}` };
  const server = await startModelServer(program.speak, script);
  onTestFinished(() => server.close());
  const { command, args, env } = program.prepare(root, server.url);
  if (!existsSync(command)) throw new Error(`${command} is not installed`);
  const run = async (more: string[]) => {
    const child = spawn(command, [...args, ...more], {
      cwd: workspace,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'exit');
  };
  return { home, run };
}

function brief(blocks: readonly ConversationBlock[]): string[] {
  return blocks.map((block) => {
    switch (block.type) {
      case 'user_message':
      case 'assistant_text':
        return `${block.type} ${String(block.content)}`;
      case 'tool_use':
        return `tool_use ${block.status}`;
      case 'tool_result':
        return `tool_result ${String(block.output).trim()}`;
      default:
        return block.type;
    }
  });
}
