import type { HooksConfig, Tool, ToolParameters } from '@robota-sdk/agent-core';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import type { Notice } from '@robota-sdk/agent-session';
import { expect, it } from 'vitest';
import { startSession } from '../session-kit.ts';

/** A guard as people have them: a script that reads Claude Code's names from stdin. */
function guard(body: string): string {
  return `node -e '
let text = "";
process.stdin.on("data", (chunk) => { text += chunk; }).on("end", () => {
  const { tool_input, hook_event_name } = JSON.parse(text);
  ${body}
});'`;
}

const REFUSES_ENV = guard(
  'if (tool_input.file_path.endsWith(".env")) { console.error("closed"); process.exit(2); }',
);

function hooks(event: 'PreToolUse' | 'PostToolUse', command: string): HooksConfig {
  return { [event]: [{ matcher: 'Read|Edit|Write', hooks: [{ type: 'command', command }] }] };
}

async function read(filePath: string, config: HooksConfig) {
  const ran: ToolParameters[] = [];
  const tool: Tool = {
    ...fakeTool('Read'),
    execute: async (parameters) => {
      ran.push(parameters);
      return { success: true, data: 'text' };
    },
  };
  const notices: Notice[] = [];
  const provider = scriptedProvider(
    calls({ id: '1', name: 'Read', args: { filePath } }),
    says('Done.'),
  );
  const session = startSession(provider, {
    tools: [tool],
    hooks: config,
    permissionMode: 'bypassPermissions',
    onNotice: (notice) => notices.push(notice),
  });
  await session.run('Go');
  const result = session.getHistory().find(({ role }) => role === 'tool')?.content;
  return { ran, result, notices };
}

it('a guard on tool_input.file_path keeps a file closed', async () => {
  const { ran, result } = await read('/p/.env', hooks('PreToolUse', REFUSES_ENV));

  expect(ran).toEqual([]);
  expect(result).toContain('Blocked by hook: closed');
});

it('the same guard lets another file be read', async () => {
  const { ran, notices } = await read('/p/a.txt', hooks('PreToolUse', REFUSES_ENV));

  expect([ran, notices]).toEqual([[{ filePath: '/p/a.txt' }], []]);
});

it('a guard after the call is told the same names, and the model reads what it says', async () => {
  const { ran, result } = await read('/p/.env', hooks('PostToolUse', REFUSES_ENV));

  expect(ran).toHaveLength(1);
  expect(result).toContain('closed');
});

it('a hook that moves the call in Claude Code’s spelling moves it', async () => {
  const moves = guard(
    'console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: hook_event_name, updatedInput: { ...tool_input, file_path: "/p/b.txt" } } }));',
  );

  const { ran } = await read('/p/a.txt', hooks('PreToolUse', moves));

  expect(ran).toEqual([{ filePath: '/p/b.txt' }]);
});

it('a hook in the background that fails is told of, and a broken entry stops nothing', async () => {
  const config = {
    PreToolUse: [
      { hooks: [{ type: 'command' }, { type: 'command', command: 'exit 9', async: true }] },
    ],
    PostToolUse: [{ hooks: [{ type: 'command', command: 'sleep 1' }] }],
  } as unknown as HooksConfig;

  const { ran, notices } = await read('/p/a.txt', config);

  expect(ran).toHaveLength(1);
  expect(notices.map(({ message }) => message).sort()).toEqual([
    'PreToolUse hook command hook exit 9 failed: ended with exit code 9',
    'PreToolUse hook hooks.PreToolUse[0].hooks[0].command failed: is missing or not a text',
  ]);
});
