import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConversationBlock,
  describeTool,
  type StreamEvent,
  toAgentName,
  toAgentType,
} from '@robota-sdk/agent-transcript';
import {
  AgentSession,
  type AgentSessionOptions,
  findAgentSessions,
  MemoryTranscriptPersistence,
  registerAcpAgent,
  takeInventory,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeAgent, processesOf, temporaryHome } from '../../drivers/temporary-home.ts';

describe('an ACP agent', () => {
  it('is known by name and type, and others are added by their command line', () => {
    const forget = registerAcpAgent({ name: 'mine', title: 'Mine', command: ['mine', '--acp'] });

    expect(toAgentType('acp:mine')).toBe('acp:mine');
    expect(toAgentName('acp:qwen')).toBe('acp:qwen');
    forget();
    expect(toAgentType('acp:mine')).toBeUndefined();
    expect(() => registerAcpAgent({ name: '../x', title: 'X', command: ['x'] })).toThrow(
      /cannot name an agent/,
    );
  });

  it('answers, and continues in the same session', async () => {
    const { session } = await open();

    await read(session.sendMessage('one'));
    await read(session.sendMessage('two'));

    expect(spoken(session)).toEqual([
      'user_message one',
      'assistant_text Answer to one after 0',
      'user_message two',
      'assistant_text Answer to two after 1',
    ]);
    expect(session.getState().metadata).toMatchObject({
      lastTurn: { status: 'completed' },
      model: 'small',
      mode: 'default',
      usage: { inputTokens: 20, outputTokens: 10, totalTokens: 30 },
    });
  });

  it('is loaded by another process, which shows the past once and adds up the usage', async () => {
    const { session, reopen } = await open();
    await read(session.sendMessage('one'));
    await session.destroy();

    const again = await reopen();
    const before = again.getState().blocks;
    await read(again.sendMessage('two'));

    expect(before).toEqual(session.getState().blocks);
    expect(spoken(again)).toEqual([
      'user_message one',
      'assistant_text Answer to one after 0',
      'user_message two',
      'assistant_text Answer to two after 1',
    ]);
    expect(again.getState().metadata?.usage).toMatchObject({ totalTokens: 30 });
  });

  it('reports that an agent without session/load cannot continue', async () => {
    const environment = { FAKE_WITHOUT: 'load' };
    const { session, reopen } = await open({ environment });
    await read(session.sendMessage('one'));
    await session.destroy();

    const again = await reopen({ environment });

    await expect(read(again.sendMessage('two'))).rejects.toThrow(
      /Qwen Code cannot continue an earlier session; begin a new one/,
    );
  });

  it('refuses to fork, which the protocol does not support', async () => {
    const { session, reopen } = await open();
    await read(session.sendMessage('one'));

    const fork = await reopen({ forkOf: session.sessionId });

    await expect(read(fork.sendMessage('two'))).rejects.toThrow(/cannot fork a session/);
  });

  it('shows thoughts and messages as separate blocks', async () => {
    const { session } = await open();

    const events = await read(session.sendMessage('think'));

    expect(spoken(session).slice(1)).toEqual([
      'thinking First this.',
      'assistant_text Well: done.',
      'assistant_text More.',
    ]);
    expect(events.filter(({ type }) => type === 'text_delta')).toHaveLength(5);
  });

  it("updates a call's input later, and shows one result however often it is reported", async () => {
    const { session } = await open();

    await read(session.sendMessage('tool'));
    await read(session.sendMessage('tool'));

    const { blocks } = session.getState();
    const calls = blocks.filter((block) => block.type === 'tool_use');
    const results = blocks.filter((block) => block.type === 'tool_result');
    expect(calls).toMatchObject([
      { toolName: 'Read', status: 'success', input: { file_path: 'a.txt' }, toolUseId: '1' },
      { toolName: 'Read', status: 'success', input: { file_path: 'a.txt' } },
    ]);
    expect(results.map(({ output }) => output)).toEqual(['the content', 'the content']);
    expect(results.map(({ toolUseId }) => toolUseId)).toEqual(
      calls.map(({ toolUseId }) => toolUseId),
    );
    expect(new Set(calls.map(({ toolUseId }) => toolUseId)).size).toBe(2);
  });

  it('shows a file change as an edit', async () => {
    const { session } = await open();

    await read(session.sendMessage('edit'));

    const call = session.getState().blocks.find((block) => block.type === 'tool_use');
    expect(call && describeTool(call)).toMatchObject({
      kind: 'edit',
      target: '/w/a.txt',
      diff: { added: 1, removed: 1 },
    });
  });

  it('shows the terminal output of a command', async () => {
    const { session } = await open();

    await read(session.sendMessage('shell'));

    expect(session.getState().blocks.at(-1)).toMatchObject({
      type: 'tool_result',
      output: 'out-1\n',
    });
  });

  it('shows the current plan at its first position', async () => {
    const { session } = await open();

    await read(session.sendMessage('plan'));

    const calls = session.getState().blocks.filter((block) => block.type === 'tool_use');
    expect(calls).toHaveLength(1);
    expect(calls[0] && describeTool(calls[0])).toMatchObject({
      kind: 'plan',
      target: '1 of 2 done',
    });
  });

  it('keeps the metadata the agent reports', async () => {
    const { session } = await open();

    await read(session.sendMessage('facts'));

    expect(session.getState().metadata).toMatchObject({
      commands: [{ name: 'sum', description: 'Sums up' }],
      contextTokens: 12,
      costUSD: 0.5,
      title: 'A title',
    });
  });

  it('sends images, which the log keeps; an agent without image support reports an error', async () => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, mediaType: 'image/png', data: 'iVBORw0KGgo=' },
    };
    const { session, reopen } = await open();
    const blind = await open({ environment: { FAKE_WITHOUT: 'images' } });

    await read(session.sendMessage('look', [image]));
    await read(blind.session.sendMessage('look', [image]));

    const [asked] = session.getState().blocks;
    expect(asked).toMatchObject({ content: [{ type: 'text', text: 'look' }, image] });
    expect(spoken(session)[1]).toBe('assistant_text text , image image/pngiVBORw0KGgo=');
    expect(blind.session.getState().metadata?.lastTurn).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('takes no images'),
    });
    await session.destroy();
    expect((await reopen()).getState().blocks[0]).toEqual(asked);
  });

  it('asks for permission after the call is shown, and sends the answer', async () => {
    const questions: object[] = [];
    const { session } = await open({
      onPermissionRequest: (question) => {
        questions.push({ question, isShown: JSON.stringify(session.getState().blocks) });
        return 'allow-session';
      },
    });

    await read(session.sendMessage('ask'));

    expect(questions).toMatchObject([
      {
        question: { toolName: 'Bash', toolUseId: 'ask-1', input: { command: 'touch it' } },
        isShown: expect.stringContaining('touch it'),
      },
    ]);
    expect(spoken(session).at(-1)).toBe('assistant_text always');
  });

  it('denies permission without a callback', async () => {
    const { session } = await open();

    await read(session.sendMessage('ask'));

    expect(spoken(session).at(-1)).toBe('assistant_text no');
    expect(session.getState().blocks.find(({ type }) => type === 'tool_use')).toMatchObject({
      status: 'error',
    });
  });

  it('ends a call without a result with its turn', async () => {
    const { session } = await open();

    await read(session.sendMessage('open'));

    expect(session.getState().blocks.slice(1)).toMatchObject([
      { type: 'tool_use', status: 'error' },
      { type: 'tool_result', isError: true },
    ]);
  });

  it.each([
    ['fail', { status: 'failed', reason: expect.stringContaining('refused') }],
    ['refuse', { status: 'failed', reason: expect.stringContaining('refused to go on') }],
    ['die', { status: 'interrupted' }],
  ])('reports how a turn ended: %s', async (prompt, outcome) => {
    const { session } = await open();

    await read(session.sendMessage(prompt));

    expect(session.getState().metadata?.lastTurn).toMatchObject(outcome);
  });

  it('leaves no process behind when aborted, and continues afterwards', async () => {
    const { session, home } = await open();

    const sent = session.sendMessage('wait');
    for await (const event of sent) if (/waiting \d/.test(JSON.stringify(event))) sent.abort();

    expect(processesOf(home.homeDirectory)).toEqual([]);
    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
    await read(session.sendMessage('two'));
    expect(spoken(session).at(-1)).toBe('assistant_text Answer to two after 1');
  });

  it('sets model and mode, and lists what the agent offers otherwise', async () => {
    const { session } = await open({ model: 'large', permissionMode: 'bypassPermissions' });
    await read(session.sendMessage('chosen'));
    const { session: other } = await open({ model: 'huge' });
    const { session: third } = await open({ permissionMode: 'plan' });

    expect(spoken(session).at(-1)).toBe('assistant_text large yolo');
    expect(session.getState().metadata).toMatchObject({ model: 'large', mode: 'yolo' });
    await expect(read(other.sendMessage('one'))).rejects.toThrow(
      /Qwen Code has no model "huge"; it offers small, large/,
    );
    await expect(read(third.sendMessage('one'))).rejects.toThrow(
      /no mode like "plan"; it offers default, yolo/,
    );
  });

  it.each([
    [{ FAKE_SIGNED_OUT: '1' }, /wants you to sign in first \(With a browser\): start "qwen"/],
    [{ FAKE_PROTOCOL: '7' }, /speaks version 7 of the Agent Client Protocol; version 1 is needed/],
  ])('explains what to do when it cannot start: %o', async (environment, message) => {
    const { session, home } = await open({ environment });

    await expect(read(session.sendMessage('one'))).rejects.toThrow(message);
    expect(processesOf(home.homeDirectory)).toEqual([]);
  });

  it('explains how to install a missing program', async () => {
    const { session } = await open({ program: { command: '/nowhere/agent' } });

    await expect(read(session.sendMessage('one'))).rejects.toThrow(
      /there is no program "\/nowhere\/agent"\. Install it with "npm install -g @qwen-code/,
    );
  });

  it('writes no secret into its log, however it is split into deltas', async () => {
    const { session, home } = await open();

    await read(session.sendMessage('secret'));
    await session.destroy();

    const folder = join(home.homeDirectory, '.robota', 'acp', 'qwen');
    const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(text.join()).toContain('The key is ');
    expect(text.join()).toContain('[REDACTED');
    expect(text.join()).not.toContain('AAAAAAAA');
  });

  it('has sessions that are found like those of other agents', async () => {
    const { session, home } = await open();
    await read(session.sendMessage('one'));
    const place = { home: home.homeDirectory, environment: {}, agents: ['acp:qwen'] };

    const found = [];
    for await (const each of findAgentSessions(place)) found.push(each);
    const { families } = await takeInventory(place);

    const about = { type: 'acp:qwen', cwd: home.workspaceDirectory };
    expect(found).toMatchObject([{ ...about, preview: 'one' }]);
    expect(families).toMatchObject([{ ...about, id: found[0]?.id, path: found[0]?.path }]);
  });

  it('accepts the MCP servers of a profile, and rejects its other parts', async () => {
    const profile = { id: 'p', name: 'P' };
    const { session } = await open({
      agentProfile: { ...profile, mcpServers: [{ name: 'x', command: 'x' }] },
    });
    await read(session.sendMessage('one'));
    const { session: other } = await open({
      agentProfile: { ...profile, agentMDFile: 'Be kind.' },
    });

    expect(spoken(session)).toHaveLength(2);
    await expect(read(other.sendMessage('one'))).rejects.toThrow(/cannot be given instructions/);
  });
});

type Behaviour = Omit<AgentSessionOptions, 'architecture' | 'agentProfileRef' | 'sessionId'>;

async function open(options: Partial<Behaviour> = {}) {
  const home = temporaryHome();
  const persistence = new MemoryTranscriptPersistence();
  const start = async (chosen: AgentSessionOptions) => {
    const bus = new EventEmitter();
    const session = await AgentSession.create(chosen, { home }, bus, persistence);
    onTestFinished(() => session.destroy());
    return session;
  };
  const program = fakeAgent('acp');
  const fresh = { architecture: 'acp:qwen', agentProfileRef: 'none', program, ...options };
  const session = await start(fresh as AgentSessionOptions);
  const reopen = (how: object = {}) => {
    const which = 'forkOf' in how ? {} : { sessionId: session.sessionId };
    return start({ program, ...which, ...how } as AgentSessionOptions);
  };
  return { session, home, reopen };
}

async function read(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function spoken(session: AgentSession): string[] {
  return session
    .getState()
    .blocks.flatMap((block: ConversationBlock) =>
      'content' in block ? [`${block.type} ${String(block.content)}`] : [],
    );
}
