import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AgentPermissionMode,
  AgentSessionOptions,
} from '@robota-sdk/agent-transcript/architectures';
import { AGENTS_CACHE } from '../../../../tools/install-agents.mjs';
import { speakAnthropic } from './anthropic.ts';
import { speakGoogle } from './google.ts';
import type { ScriptedReply, Speak } from './model-server.ts';
import { speakOpenai } from './openai.ts';

/** A real program, and the model replies that make it use its tools. */
export interface RealProgram {
  readonly name: string;
  readonly speak: Speak;
  readonly shell: (command: string) => Call;
  readonly subagent: Call;
  /** The reply that starts a background agent, if the program supports that. */
  readonly background?: Call;
  options(url: string, permissionMode: AgentPermissionMode): AgentSessionOptions;
}

type Call = NonNullable<ScriptedReply['calls']>[number];

/** The newest and the oldest version of each that is accepted. */
export const PROGRAMS: readonly RealProgram[] = [
  claude('2.1.325'),
  codex('0.166.0'),
  gemini('0.61.0'),
  claude('2.1.200'),
  codex('0.148.0'),
  gemini('0.47.0'),
];

function claude(version: string): RealProgram {
  const place = `_anthropic-ai_claude-code_${version}`;
  return {
    name: `Claude Code ${version}`,
    speak: speakAnthropic,
    shell: (command) => ({ name: 'Bash', input: { command, description: 'Run it' } }),
    subagent: {
      name: 'Agent',
      input: {
        description: 'Look',
        prompt: '@@sub',
        subagent_type: 'general-purpose',
        run_in_background: false,
      },
    },
    background: {
      name: 'Agent',
      input: {
        description: 'Look',
        prompt: '@@sub',
        subagent_type: 'general-purpose',
        run_in_background: true,
      },
    },
    options: (url, permissionMode) => ({
      architecture: 'claude-agent-sdk',
      agentProfileRef: 'none',
      permissionMode,
      program: {
        command: installed(
          place,
          `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
        ),
      },
      environment: {
        ANTHROPIC_API_KEY: 'test-key',
        ANTHROPIC_BASE_URL: url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
        CLAUDE_CODE_MAX_RETRIES: '1',
        IS_SANDBOX: '1',
      },
    }),
  };
}

function codex(version: string): RealProgram {
  return {
    name: `Codex ${version}`,
    speak: speakOpenai,
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    subagent: {
      name: 'spawn_agent',
      namespace: 'multi_agent_v1',
      input: { message: '@@sub' },
    },
    background: {
      name: 'spawn_agent',
      namespace: 'multi_agent_v1',
      input: { message: '@@slow' },
    },
    options: (url, permissionMode) => ({
      architecture: 'codex',
      agentProfileRef: 'none',
      permissionMode,
      model: 'gpt-5.5',
      program: {
        command: join(folder(`_openai_codex_${version}`), '.bin', 'codex'),
        args: codexSettings(url).flatMap((setting) => ['-c', setting]),
      },
      environment: { FAKE_KEY: 'test-key' },
    }),
  };
}

function gemini(version: string): RealProgram {
  return {
    name: `Gemini CLI ${version}`,
    speak: speakGoogle,
    shell: (command) => ({ name: 'run_shell_command', input: { command } }),
    subagent: { name: 'invoke_agent', input: { agent_name: 'generalist', prompt: '@@sub' } },
    options: (url, permissionMode) => ({
      architecture: 'gemini-cli',
      agentProfileRef: 'none',
      permissionMode,
      model: 'gemini-2.5-pro',
      program: { command: join(folder(`_google_gemini-cli_${version}`), '.bin', 'gemini') },
      environment: { GEMINI_API_KEY: 'test-key', GOOGLE_GEMINI_BASE_URL: url },
    }),
  };
}

/** Settings the program keeps in its home: no reports to its maker. */
export function quieten(homeDirectory: string): void {
  const folderOfGemini = join(homeDirectory, '.gemini');
  mkdirSync(folderOfGemini, { recursive: true });
  const settings = {
    privacy: { usageStatisticsEnabled: false },
    general: { enableAutoUpdate: false, maxAttempts: 1 },
  };
  writeFileSync(join(folderOfGemini, 'settings.json'), JSON.stringify(settings));
}

export function codexSettings(url: string): string[] {
  const provider = 'model_providers.fake';
  return [
    'model_provider="fake"',
    'check_for_update_on_startup=false',
    'features.plugins=false',
    'features.apps=false',
    'analytics.enabled=false',
    `${provider}.name="Fake"`,
    `${provider}.base_url="${url}/v1"`,
    `${provider}.env_key="FAKE_KEY"`,
    `${provider}.wire_api="responses"`,
    `${provider}.request_max_retries=0`,
    `${provider}.stream_max_retries=0`,
  ];
}

function folder(name: string): string {
  return join(AGENTS_CACHE, name, 'node_modules');
}

function installed(name: string, path: string): string {
  const program = join(folder(name), path);
  if (existsSync(program)) return program;
  throw new Error(`${program} is not installed; run "npm run test:agents"`);
}
