import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS_CACHE } from '../../../../tools/install-agents.mjs';
import { speakAnthropic } from './anthropic.ts';
import { speakChatCompletions } from './chat-completions.ts';
import type { ScriptedReply, Speak } from './model-server.ts';

/** A program whose sessions are read but not driven. */
export interface ReadProgram {
  readonly name: string;
  readonly type: string;
  readonly speak: Speak;
  readonly shell: ScriptedReply;
  /** Writes its settings and returns its command. */
  prepare(
    root: string,
    url: string,
  ): { command: string; args: string[]; env: Record<string, string> };
  readonly goOn: (id: string) => string[];
}

/** Programs that are installed and whose sessions are only read. */
export const READ_PROGRAMS: readonly ReadProgram[] = [
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
            AGENTS_CACHE,
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
        command: join(AGENTS_CACHE, 'opencode-ai_1.18.33/node_modules', binary),
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
