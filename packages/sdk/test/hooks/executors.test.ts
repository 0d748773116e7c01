import { join } from 'node:path';
import type { HookInput, HooksConfig, HookTypeExecutor } from '@robota-sdk/agent-core';
import { InteractiveSession, PromptExecutor } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { callsTools, talkingProvider } from '../subagents/talking-provider.ts';

const place = useTestPlace();

/** Wants to run a command; asked about an event it answers with `verdict`. */
function judging(verdict: string) {
  return talkingProvider((prompt, messages) => {
    if (prompt.includes('Respond with JSON')) return verdict;
    const last = messages.at(-1);
    if (last?.role === 'tool') return last.content;
    return callsTools({ id: 'b', name: 'Bash', args: { command: 'echo ran' } });
  });
}

async function answerWith(hooks: HooksConfig, provider = judging('{"ok": true}')) {
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    hooks,
    permissionMode: 'bypassPermissions',
  });
  const outcome = await session.submit('go');
  await session.shutdown();
  return { session, response: 'result' in outcome ? outcome.result.response : outcome };
}

describe('prompt hooks', () => {
  const before = { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Is it safe?' }] }] } as const;

  it('put their text in front of the prompt at the start and on a prompt, and ask nobody', async () => {
    const provider = talkingProvider((prompt) => prompt);

    const { response } = await answerWith(
      {
        SessionStart: [{ hooks: [{ type: 'prompt', prompt: 'Be brief.' }] }],
        UserPromptSubmit: [{ hooks: [{ type: 'prompt', prompt: 'Be kind.' }] }],
      },
      provider,
    );

    expect(response).toBe('<system-reminder>\nBe brief.\nBe kind.\n</system-reminder>\ngo');
    expect(provider.requests).toHaveLength(1);
  });

  it('have a model judge a tool call: yes lets it run, no blocks it with the reason', async () => {
    const yes = await answerWith(before, judging('```json\n{"ok": true}\n```'));
    const no = await answerWith(before, judging('{"ok": false, "reason": "too risky"}'));

    expect(yes.response).toContain('ran');
    expect(no.response).toBe('Error: Blocked by hook: too risky');
  });

  it('see what happened, and count as requests of their own', async () => {
    const provider = judging('{"ok": true}');

    const { session } = await answerWith(before, provider);

    expect(provider.requests[1]?.messages[0]?.content).toContain('"command": "echo ran"');
    expect((await session.getCosts())[0]?.causes).toEqual({ main: 1, subagent: 1 });
  });

  it('that get no verdict are named and do not block', async () => {
    const { session, response } = await answerWith(before, judging('Well, it depends.'));

    expect(response).toContain('ran');
    expect(session.getNotices().map(({ message }) => message)).toEqual([
      expect.stringContaining('Well, it depends.'),
    ]);
  });
});

describe('agent hooks', () => {
  it('have a subagent judge, which fires no hooks itself', async () => {
    place.write('.robota/agents/judge.md', '---\ndescription: d\n---\nYou judge.');
    const provider = judging('{"ok": false, "reason": "not today"}');
    const fired: string[] = [];
    const note = {
      type: 'function' as const,
      run: (input: HookInput) => {
        fired.push(input.hook_event_name);
        return { exitCode: 0 };
      },
    };

    const { response } = await answerWith(
      {
        PreToolUse: [{ hooks: [note, { type: 'agent', agent: 'judge' }] }],
        SubagentStart: [{ hooks: [note] }],
      },
      provider,
    );

    expect(response).toBe('Error: Blocked by hook: not today');
    expect(provider.requests[1]?.messages[0]?.content).toMatch(/^You judge\./);
    expect(fired).toEqual(['PreToolUse']);
  });

  it('may be written as an instruction', async () => {
    const provider = judging('{"ok": true}');

    const { response } = await answerWith(
      { PreToolUse: [{ hooks: [{ type: 'agent', agent: 'Look closely.' }] }] },
      provider,
    );

    expect(response).toContain('ran');
    expect(provider.requests[1]?.messages[0]?.content).toMatch(/^Look closely\./);
  });
});

it('refuses a definition of another type', async () => {
  const executor: HookTypeExecutor = new PromptExecutor({ provider: talkingProvider(() => '') });
  const input = { session_id: 's', cwd: '/', hook_event_name: 'Stop' } as const;
  const signal = new AbortController().signal;

  expect(
    await executor.execute({ type: 'command', command: 'true' }, input, { env: {}, signal }),
  ).toEqual({ exitCode: 1, stderr: 'not a prompt hook' });
});

describe('MCP tool hooks', () => {
  const server = join(import.meta.dirname, '../../../tools/test/fixtures/mcp-server.mjs');
  const asks = (toolName: string): HooksConfig => ({
    UserPromptSubmit: [
      {
        hooks: [
          {
            type: 'mcp_tool',
            server: 'fixture',
            tool: toolName,
            input: { text: `heard \${prompt}` },
          },
        ],
      },
    ],
  });

  it('call a tool of a connected server, with facts of the event put in', async () => {
    const provider = talkingProvider((prompt) => prompt);
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      hooks: asks('echo'),
      mcpServers: { fixture: { command: process.execPath, args: [server] } },
    });

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome).toMatchObject({ result: { response: expect.stringContaining('heard go') } });
  });

  it('for a server that is not connected are skipped with a notice', async () => {
    const notices: string[] = [];
    const session = new InteractiveSession({
      cwd: place.project,
      provider: talkingProvider(() => 'fine'),
      hooks: asks('echo'),
    });
    session.on('notice', ({ message }) => notices.push(message));

    const outcome = await session.submit('go');
    await session.shutdown();

    expect(outcome.status).toBe('completed');
    expect(notices).toEqual([
      'UserPromptSubmit hook mcp_tool hook fixture/echo failed: no connected MCP server fixture has a tool echo',
    ]);
  });
});

it('the prompt executor works without a third argument', async () => {
  const executor = new PromptExecutor({ provider: talkingProvider(() => '{"ok": false}') });

  const answer = await executor.execute(
    { type: 'prompt', prompt: 'Is it safe?' },
    { session_id: 's', cwd: '/', hook_event_name: 'PreToolUse', tool_name: 'Bash' },
  );

  expect(answer).toMatchObject({ exitCode: 2 });
});

it('hooks given in code that would be lost are an error that names the field', async () => {
  const session = new InteractiveSession({
    cwd: place.project,
    provider: talkingProvider(() => 'fine'),
    hooks: { PreToolUse: [{ hooks: [{ type: 'command' }] }] } as unknown as HooksConfig,
  });

  await expect(session.whenReady()).rejects.toMatchObject({
    code: 'invalid_hooks',
    message: expect.stringContaining('hooks.PreToolUse[0].hooks[0].command is missing'),
  });
  await session.shutdown();
});

it('hooks of a type of one’s own run where their executor is given, from settings too', async () => {
  const seen: string[] = [];
  place.writeHome('.claude/settings.json', {
    hooks: { UserPromptSubmit: [{ hooks: [{ type: 'audit', level: 'high' }] }] },
  });
  const audit: HookTypeExecutor = {
    type: 'audit',
    execute: async (definition) => {
      seen.push(JSON.stringify(definition));
      return { exitCode: 0 };
    },
  };
  const session = new InteractiveSession({
    cwd: place.project,
    provider: talkingProvider(() => 'fine'),
    hookTypeExecutors: [audit],
  });

  await session.submit('go');
  await session.shutdown();

  expect(seen).toEqual(['{"type":"audit","level":"high"}']);
  expect(session.getNotices()).toEqual([]);
});

it('disableAllHooks keeps hooks of files from running, and not those given in code', async () => {
  const inCode: string[] = [];
  place.writeHome('.claude/settings.json', {
    disableAllHooks: true,
    hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'exit 2' }] }] },
  });

  const { response } = await answerWith(
    {
      UserPromptSubmit: [
        {
          hooks: [
            {
              type: 'function',
              run: () => {
                inCode.push('ran');
                return { exitCode: 0 };
              },
            },
          ],
        },
      ],
    },
    talkingProvider(() => 'fine'),
  );

  expect([response, inCode]).toEqual(['fine', ['ran']]);
});
