import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AssembledSessionOptions,
  InteractiveSession,
  type SubmitOutcome,
} from '@robota-sdk/agent-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { talkingProvider } from '../subagents/talking-provider.ts';

const place = useTestPlace();
const server = join(import.meta.dirname, '../../../tools/test/fixtures/mcp-server.mjs');
const open: InteractiveSession[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((session) => session.shutdown()));
});

function everyday(options: Partial<AssembledSessionOptions> = {}): InteractiveSession {
  const session = new InteractiveSession({
    cwd: place.project,
    provider: talkingProvider((prompt) => `heard: ${prompt}`),
    everyday: true,
    persistence: true,
    ...options,
  });
  open.push(session);
  return session;
}

const responseOf = (outcome: SubmitOutcome) =>
  'result' in outcome ? outcome.result.response : JSON.stringify(outcome);

describe('a shell line', () => {
  it('runs without a question and becomes part of the conversation', async () => {
    const asked: unknown[] = [];
    const provider = talkingProvider((prompt) => prompt);
    const session = everyday({ provider });
    session.on('permission_request', (request) => asked.push(request));

    const outcome = await session.runShell('echo hi; exit 3');
    await session.submit('and?');

    expect(responseOf(outcome)).toBe('hi\n[exit code 3]');
    expect(asked).toEqual([]);
    const seen = provider.requests[0]?.messages.map(({ content }) => content) ?? [];
    expect(seen).toContain(
      '<bash-input>echo hi; exit 3</bash-input>\n<bash-stdout>hi\n</bash-stdout>\n<bash-exit-code>3</bash-exit-code>',
    );
  });

  it('is the call it was, live and from the log', async () => {
    const session = everyday();
    const events: string[] = [];
    session.on('stream_event', (event) => events.push(event.type));

    await session.runShell('echo hi');
    const live = session.getBlocks();
    await session.shutdown();

    expect(live).toMatchObject([
      { type: 'tool_use', toolName: 'Bash', input: { command: 'echo hi' }, status: 'success' },
      { type: 'tool_result', isError: false },
    ]);
    expect(events.slice(-3)).toEqual(['block_start', 'block_complete', 'block_complete']);
    const resumed = everyday({ resumeSessionId: session.sessionId });
    expect(resumed.getBlocks()).toEqual(live);
  });

  it('is held by rules, not by the mode that binds the agent', async () => {
    const session = everyday({ permissionMode: 'plan', deniedTools: ['Bash(touch *)'] });

    const allowed = await session.runShell('echo hi > made');
    const denied = await session.runShell('touch other');

    expect(responseOf(allowed)).toBe('');
    expect(existsSync(join(place.project, 'made'))).toBe(true);
    expect(responseOf(denied)).toContain('Permission denied');
    expect(existsSync(join(place.project, 'other'))).toBe(false);
  });

  it('asks where a rule says that somebody must be asked', async () => {
    place.writeHome('.robota/settings.json', { permissions: { ask: ['Bash(touch *)'] } });
    const session = everyday();
    session.on('permission_request', ({ requestId }) => session.answerPermission(requestId, false));

    const outcome = await session.runShell('touch other');

    expect(responseOf(outcome)).toContain('Permission denied');
    expect(existsSync(join(place.project, 'other'))).toBe(false);
  });

  it('waits for its turn and can be stopped', async () => {
    const session = everyday();
    const started = join(place.project, 'started');
    const first = session.runShell(`touch ${started}; sleep 60`);
    await expect.poll(() => existsSync(started), { timeout: 10_000 }).toBe(true);

    session.abort();

    expect(await first).toMatchObject({ status: 'interrupted' });
    expect(session.getBlocks()).toMatchObject([{ status: 'error' }, { isError: true }]);
  });

  it('that a killed process left behind has an unknown outcome', async () => {
    const session = everyday({ sessionId: 'left' });
    await session.runShell('echo hi');
    await session.shutdown();
    const log = join(place.home, '.robota/logs/left.jsonl');
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
    const cut = lines.findIndex((line) => line.includes('"event":"shell_line"'));
    place.writeHome('.robota/logs/left.jsonl', `${lines.slice(0, cut + 1).join('\n')}\n`);
    place.writeHome('.robota/sessions/left.json', '');

    const resumed = everyday({ resumeSessionId: 'left' });
    await resumed.whenReady();

    expect(resumed.getBlocks().at(-2)).toMatchObject({ type: 'tool_use', status: 'error' });
    expect(resumed.getMessages().at(-1)?.content).toContain('unknown');
  });

  it('is a command for surfaces that have commands only', async () => {
    expect(await everyday().executeCommand('shell', 'echo hi')).toMatchObject({
      success: true,
      message: 'hi',
    });
  });
});

describe('/memory', () => {
  it('adds to the file of choice, and the model hears of it with the next prompt', async () => {
    const session = everyday();

    const added = await session.executeCommand('memory', 'add project use pnpm');
    const next = await session.submit('go');
    const later = await session.submit('on');

    const file = join(place.project, 'AGENTS.md');
    expect(added).toMatchObject({ success: true, message: `Remembered in ${file}.` });
    expect(readFileSync(file, 'utf8')).toBe('- use pnpm\n');
    expect(responseOf(next)).toContain('keep to it from now on:\n- use pnpm\n');
    expect(responseOf(later)).toBe('heard: on');
  });

  it('has a file for everybody, for you here and for you everywhere; the last one is read', async () => {
    place.write('CLAUDE.md', 'Be kind.');
    const first = everyday();
    await first.executeCommand('memory', 'add project be brief');
    await first.executeCommand('memory', 'add local in tabs');
    await first.executeCommand('memory', 'add user in English');

    const second = everyday();
    await second.whenReady();

    expect(readFileSync(join(place.project, 'CLAUDE.md'), 'utf8')).toBe('Be kind.\n- be brief\n');
    expect(second.getSystemPrompt()).toContain('be brief');
    expect(second.getSystemPrompt()).toContain('in tabs');
    expect(second.getSystemPrompt()).toContain('in English');
    expect((await second.executeCommand('memory', 'add moon x'))?.success).toBe(false);
    expect((await second.executeCommand('memory', ''))?.data?.files).toMatchObject([
      { scope: 'project', exists: true },
      { scope: 'local', exists: true },
      { scope: 'user', exists: true, path: join(place.home, '.robota/AGENTS.md') },
    ]);
  });
});

describe('/model', () => {
  const claude = (prompt: string) => prompt;
  const anthropic = () =>
    Object.assign(talkingProvider(claude, 'anthropic'), { model: 'claude-sonnet-5-5' });

  it('shows windows and prices', async () => {
    const listed = await everyday({ provider: anthropic() }).executeCommand('model', '');

    expect(listed?.data?.models).toContainEqual({
      id: 'claude-sonnet-4-5',
      name: 'Claude Sonnet 4.5',
      contextWindow: 200_000,
      inputUsd: 3,
      outputUsd: 15,
    });
    expect(listed?.message).toContain('200K window');
    expect(listed?.message).not.toContain('gpt-5');
  });

  it.each([
    ['claude-sonet-4-5', 'Did you mean claude-sonnet-4-5?'],
    ['gpt-5', 'gpt-5 is a model of openai; this session asks anthropic.'],
  ])('refuses %s', async (model, reason) => {
    const session = everyday({ provider: anthropic() });

    const refused = await session.executeCommand('model', model);
    const forced = await session.executeCommand('model', `${model} --force`);

    expect(refused).toMatchObject({ success: false, message: expect.stringContaining(reason) });
    expect(forced).toMatchObject({ success: true, data: { modelId: model } });
  });

  it('takes aliases, and anything where the provider serves anybody’s models', async () => {
    const known = await everyday({ provider: anthropic() }).executeCommand('model', 'haiku');
    const open = await everyday().executeCommand('model', 'my-own');

    expect(known).toMatchObject({ success: true, data: { modelId: 'claude-haiku-4-5' } });
    expect(open).toMatchObject({ success: true, data: { modelId: 'my-own' } });
  });
});

describe('/permissions', () => {
  it('shows rules with their files and removes them, here and for good', async () => {
    place.writeHome('.robota/settings.json', {
      permissions: { allow: ['Bash(make *)', 'Bash(npm *)'], deny: ['Read(x)'] },
      language: 'en',
    });
    const session = everyday();
    const file = join(place.home, '.robota/settings.json');

    const before = await session.executeCommand('permissions', '');
    const removed = await session.executeCommand('permissions', 'remove Bash(make *)');
    const after = await session.executeCommand('permissions', '');

    expect(before?.data?.rules).toContainEqual({
      list: 'allow',
      rule: 'Bash(make *)',
      layer: file,
      isRemovable: true,
    });
    expect(removed).toMatchObject({ success: true, data: { files: [file] } });
    expect(JSON.stringify(after?.data?.rules)).not.toContain('make');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      permissions: { allow: ['Bash(npm *)'], deny: ['Read(x)'] },
      language: 'en',
    });
  });

  it('says where a rule has to be taken out that is not ours', async () => {
    place.writeHome('.claude/settings.json', { permissions: { allow: ['Bash(ls *)'] } });
    const session = everyday({ allowedTools: ['Bash(git *)'] });

    const foreign = await session.executeCommand('permissions', 'remove Bash(ls *)');
    const flag = await session.executeCommand('permissions', 'remove Bash(git *)');
    const unknown = await session.executeCommand('permissions', 'remove Bash(none)');

    expect(foreign?.message).toContain(join('.claude', 'settings.json'));
    expect(flag?.message).toContain('comes from command line');
    expect(unknown?.message).toContain('There is no rule');
  });
});

describe('/mcp', () => {
  it('adds a server that is connected at once, shows it, reconnects and removes it', async () => {
    const session = everyday();

    const added = await session.executeCommand('mcp', `add box ${process.execPath} ${server}`);
    const tools = session.listTools();
    const listed = await session.executeCommand('mcp', '');
    const again = await session.executeCommand('mcp', 'reconnect box');
    const removed = await session.executeCommand('mcp', 'remove box');

    const file = join(place.project, '.robota/settings.local.json');
    expect(added?.message).toMatch(/^box: connected, \d+ tools\nKept in /);
    expect(tools).toContain('mcp__box__echo');
    expect(listed?.data?.servers).toMatchObject([{ name: 'box', state: 'connected' }]);
    expect(again).toMatchObject({ success: true });
    expect(removed).toMatchObject({ success: true, data: { files: [file] } });
    expect(session.listTools()).not.toContain('mcp__box__echo');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ mcpServers: {} });
  });

  it('does not keep a server that does not answer, and knows what there is', async () => {
    const session = everyday({
      mcpServers: { given: { command: process.execPath, args: [server] } },
    });

    const added = await session.executeCommand('mcp', 'add bad /no/such/program');
    const unknown = await session.executeCommand('mcp', 'reconnect bax');
    const given = await session.executeCommand('mcp', 'remove given');

    expect(added).toMatchObject({
      success: false,
      message: expect.stringContaining('It was not added'),
    });
    expect(unknown?.message).toBe('There is no MCP server "bax"; there is given.');
    expect(given?.message).toBe('given is configured by options; take it out there.');
  });
});

describe('lists and prompts', () => {
  it('/agents and /hooks say what there is and where it comes from', async () => {
    const file = place.writeHome(
      '.robota/agents/tester.md',
      '---\nname: tester\ndescription: Tests things\n---\nTest.',
    );
    place.writeHome('.robota/settings.json', {
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }] },
    });
    const session = everyday();

    const agents = await session.executeCommand('agents', '');
    const hooks = await session.executeCommand('hooks', '');

    expect(agents?.message).toContain(`tester: Tests things\n  ${file}`);
    expect(hooks?.message).toBe('PreToolUse (Bash): command true');
  });

  it.each(['init', 'review'])(
    '/%s puts a prompt to the model and shows the command',
    async (name) => {
      const session = everyday();

      const result = await session.executeCommand(name, 'with care');

      expect(result).toMatchObject({ success: true });
      expect(result?.message).toContain('The user adds: with care');
      expect(session.getBlocks()[0]).toMatchObject({ content: `/${name} with care` });
    },
  );

  it('the palette knows them with their arguments', async () => {
    const session = everyday();
    await session.whenReady();

    const commands = session.getCommandSources().flatMap((source) => source.getCommands());

    const names = ['init', 'review', 'memory', 'shell', 'background', 'agents', 'mcp', 'hooks'];
    expect(commands.map(({ name }) => name)).toEqual(names);
    const known = session.listCommands().map(({ name }) => name);
    expect(known).toEqual(expect.arrayContaining(names));
    expect(
      commands.find(({ name }) => name === 'mcp')?.subcommands?.map(({ name }) => name),
    ).toEqual(['list', 'reconnect', 'add', 'remove']);
  });
});
