import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a folder of files; objects become JSON. Returns the folder. */
export function writeFolder(folder: string, files: Readonly<Record<string, unknown>>): string {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Everything in a folder becomes one commit of a real repository. */
export function commitAll(folder: string): void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'state');
}

/** A plugin that has one of everything. */
export function completePlugin(version = '1.0.0'): Record<string, unknown> {
  return {
    '.claude-plugin/plugin.json': {
      name: 'toolkit',
      version,
      description: 'One of everything',
      keywords: ['all'],
      tools: './tools/shout.mjs',
      permissions: { allow: ['Shout'], deny: ['Bash(rm *)'] },
      systemPrompt: 'The toolkit is here.',
    },
    'skills/greet/SKILL.md': '---\ndescription: Greets\n---\nSay hello.',
    'commands/audit.md': '---\ndescription: Audits\n---\nLook at $ARGUMENTS.',
    'agents/critic.md': '---\ndescription: Criticises\n---\nBe strict.',
    'hooks/hooks.json': {
      hooks: {
        UserPromptSubmit: [
          { hooks: [{ type: 'command', command: `cat "\${CLAUDE_PLUGIN_ROOT}/note.txt"` }] },
        ],
      },
    },
    'note.txt': 'a note of the plugin',
    '.mcp.json': { mcpServers: { odd: { type: 'pigeon', url: 'http://127.0.0.1:1/' } } },
    'tools/shout.mjs': `export const tools = [{
      schema: { name: 'Shout', description: 'Shouts.', parameters: { type: 'object', properties: {} } },
      execute: async () => ({ success: true, data: 'HELLO' }),
    }];`,
  };
}
