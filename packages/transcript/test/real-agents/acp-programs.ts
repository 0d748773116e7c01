import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentPermissionMode, AgentSetting } from '@robota-sdk/agent-transcript/architectures';
import { AGENTS_CACHE } from '../../../../tools/install-agents.mjs';
import { speakAnthropic } from './anthropic.ts';
import { speakChatCompletions } from './chat-completions.ts';
import { speakGoogle } from './google.ts';
import type { ScriptedReply, Speak } from './model-server.ts';
import { speakOpenai } from './openai.ts';
import { codexSettings, quieten } from './programs.ts';

/** A real program that implements the Agent Client Protocol. */
export interface AcpProgram {
  readonly name: string;
  readonly type: string;
  readonly speak: Speak;
  shell(command: string): NonNullable<ScriptedReply['calls']>[number];
  /** Writes the settings of the program into its home. */
  prepare(home: string, url: string): Pick<AgentSetting, 'program' | 'environment'>;
  /** The mode in which it runs a shell without asking. */
  readonly freely: AgentPermissionMode;
  /** Known failures of this version, by scenario. */
  readonly without?: readonly ('asking' | 'loading' | 'output')[];
}

export const ACP_PROGRAMS: readonly AcpProgram[] = [
  {
    name: 'claude-agent-acp 0.99.1',
    type: 'acp:claude',
    speak: speakAnthropic,
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
    prepare: (_home, url) => ({
      program: { command: bin('_agentclientprotocol_claude-agent-acp_0.99.1', 'claude-agent-acp') },
      environment: {
        ANTHROPIC_API_KEY: 'test-key',
        ANTHROPIC_BASE_URL: url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        IS_SANDBOX: '1',
      },
    }),
    freely: 'bypassPermissions',
  },
  {
    name: 'opencode acp 1.18.33',
    type: 'acp:opencode',
    speak: speakChatCompletions,
    shell: (command) => ({ name: 'bash', input: { command, description: 'Run it' } }),
    prepare(home, url) {
      const model = { tool_call: true, limit: { context: 200000, output: 8192 } };
      const config = join(home, 'opencode.json');
      write(config, {
        autoupdate: false,
        share: 'disabled',
        model: 'fake/fake-model',
        small_model: 'fake/fake-small',
        permission: { bash: { '*': 'ask', 'echo *': 'allow' } },
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'dummy' },
            models: { 'fake-model': model, 'fake-small': model },
          },
        },
      });
      const binary = `opencode-${process.platform}-${process.arch}/bin/opencode`;
      return {
        program: {
          command: join(AGENTS_CACHE, 'opencode-ai_1.18.33/node_modules', binary),
          args: ['acp'],
        },
        environment: {
          OPENCODE_CONFIG: config,
          XDG_DATA_HOME: join(home, '.local/share'),
          XDG_CONFIG_HOME: join(home, '.config'),
          XDG_CACHE_HOME: join(home, '.cache'),
          XDG_STATE_HOME: join(home, '.state'),
          OPENCODE_DISABLE_AUTOUPDATE: '1',
          OPENCODE_DISABLE_MODELS_FETCH: '1',
          OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
          OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
        },
      };
    },
    freely: 'default',
  },
  {
    name: 'qwen --acp 0.24.4',
    type: 'acp:qwen',
    speak: speakChatCompletions,
    shell: (command) => ({
      name: 'run_shell_command',
      input: { command, description: 'Run it', is_background: false },
    }),
    prepare(home, url) {
      write(join(home, '.qwen/settings.json'), {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      });
      return {
        program: { command: bin('_qwen-code_qwen-code_0.24.4', 'qwen'), args: ['--acp'] },
        environment: {
          OPENAI_API_KEY: 'test-key',
          OPENAI_BASE_URL: `${url}/v1`,
          OPENAI_MODEL: 'fake-model',
        },
      };
    },
    freely: 'bypassPermissions',
  },
  {
    name: 'gemini --acp 0.61.0',
    type: 'acp:gemini',
    speak: speakGoogle,
    shell: (command) => ({ name: 'run_shell_command', input: { command } }),
    prepare(home, url) {
      quieten(home);
      return {
        program: {
          command: bin('_google_gemini-cli_0.61.0', 'gemini'),
          args: ['--acp', '-m', 'gemini-2.5-pro'],
        },
        environment: {
          GEMINI_API_KEY: 'test-key',
          GOOGLE_GEMINI_BASE_URL: url,
          GEMINI_CLI_HOME: home,
          GEMINI_CLI_TRUST_WORKSPACE: 'true',
          GEMINI_CLI_NO_RELAUNCH: '1',
        },
      };
    },
    freely: 'bypassPermissions',
    // It looks up a session by the minute it began in and overwrites it within that minute; command output
    // is only in its own files.
    without: ['loading', 'output'],
  },
  {
    name: 'codex-acp 2.6.0',
    type: 'acp:codex',
    speak: speakOpenai,
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    prepare(home, url) {
      const lines = codexSettings(url).map((setting) => setting.replace('=', ' = '));
      const file = join(home, '.codex/config.toml');
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `model = "gpt-5.5"\n${lines.join('\n')}\n`);
      return {
        program: { command: bin('_agentclientprotocol_codex-acp_2.6.0', 'codex-acp') },
        environment: { FAKE_KEY: 'test-key', CODEX_HOME: join(home, '.codex') },
      };
    },
    freely: 'bypassPermissions',
    // Its sandbox decides by itself; it was never seen to ask.
    without: ['asking'],
  },
];

function bin(place: string, name: string): string {
  return join(AGENTS_CACHE, place, 'node_modules', '.bin', name);
}

function write(path: string, settings: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(settings));
}
