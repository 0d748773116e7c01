import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import {
  BundlePluginInstaller,
  InteractiveSession,
  type InteractiveSessionOptions,
  MarketplaceClient,
} from '@robota-sdk/agent-sdk';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { callsTools, talkingProvider } from '../subagents/talking-provider.ts';
import { commitAll, writeFolder } from './plugin-place.ts';

const place = useTestPlace();
const ROOT = `\${CLAUDE_PLUGIN_ROOT}`;
const SERVER = join(import.meta.dirname, '../../../tools/test/fixtures/mcp-server.mjs');

/** A guard in a script of its own that reads Claude Code's names. */
const GUARD = `let text = '';
process.stdin.on('data', (chunk) => { text += chunk; }).on('end', () => {
  const { tool_input } = JSON.parse(text);
  if (tool_input.file_path?.endsWith('.env')) { console.error('guarded'); process.exit(2); }
});`;

/** Three plugins in the shapes that marketplaces for Claude Code have them. */
function marketplace(): string {
  const folder = writeFolder(join(place.home, 'market'), {
    '.claude-plugin/marketplace.json': {
      $schema: 'https://anthropic.com/claude-code/marketplace.schema.json',
      name: 'tools',
      owner: { name: 'Somebody', email: 'somebody@example.com' },
      metadata: { description: 'Tools', version: '1.0.0' },
      plugins: [
        {
          name: 'document-skills',
          description: 'Skills without a manifest',
          source: './',
          strict: false,
          skills: ['./document-skills/xlsx', './document-skills/pdf'],
        },
        {
          name: 'commit-commands',
          description: 'Commands',
          version: '1.2.0',
          author: { name: 'A', email: 'a@example.com', url: 'https://a.example' },
          source: './plugins/commit-commands',
          category: 'productivity',
        },
        { name: 'guard', source: './plugins/guard', description: 'Hooks, agents and servers' },
      ],
    },
    'document-skills/xlsx/SKILL.md': `---
name: xlsx
description: Use when: spreadsheets are wanted
license: Proprietary
---
Run ${ROOT}/document-skills/xlsx/recalc.py.`,
    'document-skills/pdf/SKILL.md': '---\nname: pdf\ndescription: PDF files\n---\nRead forms.md.',
    'plugins/commit-commands/.claude-plugin/plugin.json': {
      name: 'commit-commands',
      description: 'Commands',
      author: { name: 'A', email: 'a@example.com' },
    },
    'plugins/commit-commands/commands/commit.md': `---
allowed-tools: Bash(touch:*), Bash(git commit:*)
description: Make a commit
model: haiku
---
- State: !\`cat ${ROOT}/state.txt\`
Use ${ROOT}/scripts/commit.sh for $ARGUMENTS.`,
    'plugins/commit-commands/state.txt': 'two files changed',
    'plugins/guard/.claude-plugin/plugin.json': { name: 'guard', version: '0.1.0' },
    'plugins/guard/hooks/guard.mjs': GUARD,
    'plugins/guard/hooks/hooks.json': {
      description: 'Guards files',
      hooks: {
        PreToolUse: [
          {
            matcher: 'Edit|Write|MultiEdit',
            hooks: [
              { type: 'telepathy', thought: 'no' },
              { type: 'command', command: `node "${ROOT}/hooks/guard.mjs"`, timeout: 10 },
            ],
          },
        ],
        SessionStart: [{ hooks: [{ type: 'command', command: 'node', args: ['-e', '1'] }] }],
      },
    },
    'plugins/guard/agents/reviewer.md': `---
name: reviewer
description: Reviews code
tools: Read, Grep
model: sonnet
color: red
---
Follow ${ROOT}/checklist.md.`,
    'plugins/guard/.mcp.json': {
      memory: { command: 'node', args: [`${ROOT}/server.mjs`], env: { FIXTURE_NAME: ROOT } },
    },
    'plugins/guard/server.mjs': readFileSync(SERVER, 'utf8'),
  });
  commitAll(folder);
  return folder;
}

const installer = () => new BundlePluginInstaller({ scope: 'user' });

beforeEach(async () => {
  const client = new MarketplaceClient({ installer: installer(), cwd: place.project });
  await client.add(marketplace());
  for (const name of ['document-skills', 'commit-commands', 'guard']) {
    await client.install(name, 'tools');
  }
});

function directoryOf(name: string): string {
  return (
    installer()
      .list()
      .find((plugin) => plugin.name === name)?.path ?? ''
  );
}

async function start(
  answer: Parameters<typeof talkingProvider>[0],
  options: Partial<InteractiveSessionOptions> = {},
) {
  const provider = talkingProvider(answer);
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    model: 'claude-opus-4-6',
    ...options,
  } as InteractiveSessionOptions);
  await session.whenReady();
  return { provider, session };
}

describe('plugins as marketplaces for Claude Code have them', () => {
  it('are installed, and list() says where they lie', async () => {
    const plugins = installer().list();

    expect(plugins.map(({ id }) => id)).toEqual([
      'document-skills@tools',
      'commit-commands@tools',
      'guard@tools',
    ]);
    expect(plugins.every(({ path }) => isAbsolute(path) && existsSync(path))).toBe(true);
    installer().disable('guard');
    installer().enable('guard');
    expect(directoryOf('guard')).toBe(plugins[2]?.path);
  });

  it('a skill of an entry without a manifest knows its folder', async () => {
    const { provider, session } = await start((_prompt, messages) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return 'done';
      return callsTools({ id: '1', name: 'robota_command_document-skills_xlsx', args: {} });
    });

    await session.submit('go');
    await session.shutdown();

    expect(provider.requests[1]?.messages.at(-1)?.content).toContain(
      `Run ${directoryOf('document-skills')}/document-skills/xlsx/recalc.py.`,
    );
    expect(provider.requests[0]?.messages[0]?.content).toContain('document-skills:pdf');
  });

  it('a command runs what it names, with its model and without questions for its tools', async () => {
    const asked: string[] = [];
    const { provider, session } = await start(
      (prompt, messages) => {
        const last = messages.at(-1);
        if (last?.role === 'tool' || !prompt.includes('commit.sh')) return 'done';
        return callsTools(
          { id: '1', name: 'Bash', args: { command: 'touch allowed' } },
          { id: '2', name: 'Bash', args: { command: 'mkdir asked' } },
        );
      },
      {
        permissionHandler: async (toolName, toolArgs) => {
          asked.push(`${toolName} ${String(toolArgs.command)}`);
          return toolArgs.command === `cat ${directoryOf('commit-commands')}/state.txt`;
        },
      },
    );

    const result = await session.executeCommand('commit-commands:commit', 'the fix');
    await session.submit('and now?');
    await session.shutdown();

    expect(result).toMatchObject({ success: true });
    expect(provider.requests[0]?.messages.at(-1)?.content).toContain(
      `- State: two files changed\nUse ${directoryOf('commit-commands')}/scripts/commit.sh for the fix.`,
    );
    expect(asked.filter((question) => !question.includes('state.txt'))).toEqual([
      'Bash mkdir asked',
    ]);
    expect(existsSync(join(place.project, 'allowed'))).toBe(true);
    expect(provider.requests.map(({ options }) => options.model)).toEqual([
      'claude-haiku-4-5',
      'claude-haiku-4-5',
      'claude-opus-4-6',
    ]);
  });

  it('a guard holds although its neighbour is a hook nobody knows', async () => {
    const { session, provider } = await start(
      (_prompt, messages) => {
        if (messages.at(-1)?.role === 'tool') return 'done';
        return callsTools({ id: '1', name: 'Write', args: { filePath: '.env', content: 'x' } });
      },
      { permissionMode: 'bypassPermissions' },
    );

    await session.submit('go');
    await session.shutdown();

    expect(provider.requests[1]?.messages.at(-1)?.content).toContain('Blocked by hook: guarded');
    expect(existsSync(join(place.project, '.env'))).toBe(false);
    expect(session.getNotices().map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Plugin guard: .*hooks\.PreToolUse\[0\]\.hooks\[0\]\.type is not one/),
    ]);
  });

  it('an agent and a server know the folder of their plugin', async () => {
    const { session, provider } = await start(
      (prompt, messages) => {
        if (prompt === 'review it') return 'reviewed';
        if (messages.at(-1)?.role === 'tool') return 'done';
        return callsTools(
          { id: '1', name: 'Agent', args: { prompt: 'review it', subagent_type: 'reviewer' } },
          { id: '2', name: 'mcp__memory__echo', args: { text: 'hello' } },
        );
      },
      { permissionMode: 'bypassPermissions' },
    );

    await session.submit('go');
    await session.shutdown();

    const review = provider.requests.find(
      ({ messages }) => messages.at(-1)?.content === 'review it',
    );
    expect(review?.messages[0]?.content).toContain(`Follow ${directoryOf('guard')}/checklist.md.`);
    expect(review?.options.model).toBe('claude-sonnet-4-6');
    expect(provider.requests.at(-1)?.messages.at(-1)?.content).toContain(
      `hello from ${directoryOf('guard')}`,
    );
  });
});

it('a skill of an untrusted project grants itself nothing', async () => {
  place.write('.claude/commands/take.md', '---\nallowed-tools: Bash(touch:*)\n---\nTake it.');
  const asked: unknown[] = [];
  const answer: Parameters<typeof start>[0] = (_prompt, messages) =>
    messages.at(-1)?.role === 'tool'
      ? 'done'
      : callsTools({ id: '1', name: 'Bash', args: { command: 'touch taken' } });
  const handler = {
    permissionHandler: async (_tool: string, args: unknown) => {
      asked.push(args);
      return false;
    },
  };

  const untrusted = await start(answer, handler);
  await untrusted.session.executeCommand('take', '');
  await untrusted.session.shutdown();
  const taken = existsSync(join(place.project, 'taken'));
  const trusted = await start(answer, { ...handler, trust: true });
  await trusted.session.executeCommand('take', '');
  await trusted.session.shutdown();

  expect([asked, taken]).toEqual([[{ command: 'touch taken' }], false]);
  expect(existsSync(join(place.project, 'taken'))).toBe(true);
});
