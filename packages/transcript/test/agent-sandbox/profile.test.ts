import { spawnSync } from 'node:child_process';
import process from 'node:process';
import {
  type AgentProfile,
  getAgentArchitectureAdapter,
  LocalAgentHome,
} from '@robota-sdk/agent-transcript/architectures';
import { expect, it } from 'vitest';

const PROFILE: AgentProfile = {
  id: 'reviewer',
  name: 'Reviewer',
  agentMDFile: '# Rules',
  systemPrompt: 'Be kind.',
  skills: [
    {
      name: 'lint',
      description: 'Lints: "all"',
      skillMd: 'Run it.',
      supportingFiles: [{ relativePath: 'run.sh', content: 'true' }],
    },
  ],
  subagents: [{ name: 'reader', description: 'Reads', prompt: 'Read.', tools: ['Read', 'Grep'] }],
  commands: [{ name: 'go', description: 'Goes', prompt: 'Go on.' }],
  mcpServers: [
    { name: 'files', command: 'node', args: ['server.js'], env: { KEY: 'v' } },
    { name: 'web', url: 'http://localhost/mcp' },
  ],
};

it('sets up Claude Code through the given function only', async () => {
  expect(await setUp('claude-agent-sdk')).toEqual({
    '/h/.claude/CLAUDE.md': '# Rules',
    '/h/.claude/skills/lint/SKILL.md':
      '---\nname: "lint"\ndescription: "Lints: \\"all\\""\n---\n\nRun it.',
    '/h/.claude/skills/lint/run.sh': 'true',
    '/h/.claude/agents/reader.md':
      '---\nname: "reader"\ndescription: "Reads"\ntools: "Read, Grep"\n---\n\nRead.',
    '/h/.claude/commands/go.md': '---\ndescription: "Goes"\n---\n\nGo on.',
    '/h/.claude/robota-mcp.json': expect.stringContaining('"http://localhost/mcp"'),
  });
});

it('sets up Gemini CLI through the given function only', async () => {
  expect(await setUp('gemini-cli')).toEqual({
    '/h/.gemini/GEMINI.md': 'Be kind.\n\n# Rules',
    '/h/.gemini/skills/lint/SKILL.md': expect.stringContaining('name: "lint"'),
    '/h/.gemini/skills/lint/run.sh': 'true',
    '/h/.gemini/agents/reader.md': expect.stringContaining('description: "Reads"'),
    '/h/.gemini/commands/go.toml': 'description = "Goes"\nprompt = "Go on."\n',
    '/h/.gemini/robota-mcp.json': expect.stringContaining('"http://localhost/mcp"'),
  });
});

it('sets up Codex through the given function only', async () => {
  expect(await setUp('codex')).toEqual({
    '/h/.codex/AGENTS.md': 'Be kind.\n\n# Rules',
    '/h/.codex/skills/lint/SKILL.md': expect.stringContaining('name: "lint"'),
    '/h/.codex/skills/lint/run.sh': 'true',
    '/h/.codex/skills/reader/SKILL.md': expect.stringContaining('Read.'),
    '/h/.codex/prompts/go.md': '---\ndescription: "Goes"\n---\n\nGo on.',
    '/h/.codex/config.toml': [
      '[mcp_servers."files"]\ncommand = "node"\nargs = ["server.js"]\nenv = { "KEY" = "v" }\n',
      '[mcp_servers."web"]\nurl = "http://localhost/mcp"\n',
    ].join('\n'),
  });
});

it('knows the paths of each program', () => {
  const storage = (['claude-agent-sdk', 'gemini-cli', 'codex'] as const).map((type) => {
    const { AGENT_STORAGE_DIR, WORKSPACE_DIR } = adapterOf(type).getPaths();
    return [AGENT_STORAGE_DIR, WORKSPACE_DIR];
  });

  expect(storage).toEqual([
    ['/h/.claude/projects/-w-my-project', '/w/my.project'],
    ['/h/.gemini/tmp', '/w/my.project'],
    ['/h/.codex/sessions', '/w/my.project'],
  ]);
});

// In a process of its own: the SDK may have registered its engine in this one.
it('reports that our own engine must be registered', async () => {
  const program = `
    import { getAgentArchitectureAdapter, LocalAgentHome } from '@robota-sdk/agent-transcript/architectures';
    const home = new LocalAgentHome({ root: '/h', homeDirectory: '/h', workspaceDirectory: '/w' });
    const adapter = getAgentArchitectureAdapter('robota', { home });
    console.log(adapter.parseTranscripts({}).blocks.length);
    adapter.executeQuery({ query: '', sessionId: 'x', isNewSession: true });
  `;
  const flags = ['--conditions=robota-source', '--import', 'tsx', '--input-type=module'];

  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });

  expect({ status, stdout }).toEqual({ status: 1, stdout: '0\n' });
  expect(stderr).toContain('registerAgentArchitecture');
});

async function setUp(type: Parameters<typeof adapterOf>[0]): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  await adapterOf(type).setupAgentProfile({
    agentProfile: PROFILE,
    writeFile: async (path, content) => {
      files[path] = content;
    },
  });
  return files;
}

function adapterOf(type: Parameters<typeof getAgentArchitectureAdapter>[0]) {
  const home = new LocalAgentHome({
    root: '/h',
    homeDirectory: '/h',
    workspaceDirectory: '/w/my.project',
  });
  return getAgentArchitectureAdapter(type, { home });
}
