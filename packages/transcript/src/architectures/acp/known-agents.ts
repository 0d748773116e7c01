/** An agent program that implements the Agent Client Protocol on stdin and stdout. */
export interface AcpAgent {
  /** The part of the agent name after `acp:`. */
  readonly name: string;
  readonly title: string;
  /** The program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The npm package, and the version our tests run. */
  readonly npmPackage?: string | undefined;
  readonly tested?: string | undefined;
}

/** The agents our tests drive; others are added by their command line. */
export const KNOWN_ACP_AGENTS: readonly AcpAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code over ACP',
    command: ['claude-agent-acp'],
    npmPackage: '@agentclientprotocol/claude-agent-acp',
    tested: '0.99.1',
  },
  {
    name: 'codex',
    title: 'Codex over ACP',
    command: ['codex-acp'],
    npmPackage: '@agentclientprotocol/codex-acp',
    tested: '2.6.0',
  },
  {
    name: 'gemini',
    title: 'Gemini CLI over ACP',
    command: ['gemini', '--acp'],
    npmPackage: '@google/gemini-cli',
    tested: '0.61.0',
  },
  {
    name: 'opencode',
    title: 'opencode over ACP',
    command: ['opencode', 'acp'],
    npmPackage: 'opencode-ai',
    tested: '1.18.33',
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    command: ['qwen', '--acp'],
    npmPackage: '@qwen-code/qwen-code',
    tested: '0.24.4',
  },
  { name: 'robota', title: 'Robota over ACP', command: ['robota', 'acp'] },
];

const ACP_PREFIX = 'acp:';

/** Letters, digits, dots, dashes and underscores, since it becomes part of file names. */
export function isAcpName(name: string): boolean {
  return /^[\w.-]{1,64}$/.test(name) && !name.startsWith('.');
}

export function acpTypeOf(name: string): string {
  return `${ACP_PREFIX}${name}`;
}
