import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  evaluatePermission,
  type IAIProvider,
  type IContextWindowState,
  type TUniversalMessage,
} from '@robota-sdk/agent-core';
import { calls, fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  BuiltinCommandSource,
  bashTool,
  CommandRegistry,
  chatEntryToMessage,
  createQuery,
  editTool,
  getMessagesForAPI,
  globTool,
  grepTool,
  type ICommandResult,
  type IExecutionResult,
  type IHistoryEntry,
  InteractiveSession,
  type IToolState,
  isChatEntry,
  messageToHistoryEntry,
  readTool,
  writeTool,
} from '@robota-sdk/agent-sdk';
import { type ITerminalOutput, Session } from '@robota-sdk/agent-session';
import {
  createSessionStore,
  InMemorySessionStoreAdapter,
  resolveSession,
} from '@robota-sdk/agent-store';
import { webFetchTool, webSearchTool } from '@robota-sdk/agent-tools';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** The examples of the specifications, with the package names of docs/spec-map.md and a scripted model. */

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'robota-spec-'));
});

afterEach(() => {
  rmSync(cwd, { recursive: true, force: true });
});

describe('the SDK specification', () => {
  it('runs a prompt through InteractiveSession and emits every event', async () => {
    const provider: IAIProvider = scriptedProvider(
      calls({ id: '1', name: 'Glob', args: { pattern: '*' } }),
      says('Done.'),
    );
    const session = new InteractiveSession({ cwd, provider });
    const seen: string[] = [];
    session.on('text_delta', (delta: string) => seen.push(`text ${delta}`));
    session.on('tool_start', (state: IToolState) => seen.push(`start ${state.toolName}`));
    session.on('tool_end', (state: IToolState) => seen.push(`end ${state.result}`));
    session.on('complete', (result: IExecutionResult) => seen.push(`complete ${result.response}`));
    let context: IContextWindowState | undefined;
    session.on('context_update', (state: IContextWindowState) => {
      context = state;
    });

    await session.submit('list the files');
    const result: ICommandResult | null = await session.executeCommand('context', '');
    const messages: TUniversalMessage[] = session.getMessages();
    await session.shutdown();

    expect(seen.filter((line) => !line.startsWith('text'))).toEqual([
      'start Glob',
      'end success',
      'complete Done.',
    ]);
    expect(context?.maxTokens).toBeGreaterThan(0);
    expect(result?.success).toBe(true);
    expect(messages[0]).toMatchObject({ role: 'user', content: 'list the files' });
    expect([session.isExecuting(), session.getPendingPrompt(), session.getStreamingText()]).toEqual(
      [false, null, expect.any(String)],
    );
  });

  it('answers through createQuery, each time in a new session', async () => {
    const provider = scriptedProvider(says('One.'), says('Two.'));
    const query = createQuery({ provider });
    const deltas: string[] = [];

    const first = await query('Show me the file list', { cwd });
    const second = await query('Analyze the code', {
      cwd,
      permissionMode: 'acceptEdits',
      maxTurns: 10,
      onTextDelta: (delta) => deltas.push(delta),
    });

    expect([first, second, deltas.join('')]).toEqual(['One.', 'Two.', 'Two.']);
  });

  it('finds commands through the registry', () => {
    const registry = new CommandRegistry();
    registry.addSource(new BuiltinCommandSource());

    expect(registry.getCommands('mod').map(({ name }) => name)).toEqual(['mode', 'model']);
    expect(registry.getSubcommands('mode').length).toBeGreaterThan(0);
    expect(registry.resolveQualifiedName('audit')).toBeNull();
  });

  it('exports the tools and the history helpers at the specified places', () => {
    const names = [
      bashTool,
      readTool,
      writeTool,
      editTool,
      globTool,
      grepTool,
      webFetchTool,
      webSearchTool,
    ].map((tool) => tool.schema.name);
    const entry: IHistoryEntry = messageToHistoryEntry({
      id: '1',
      timestamp: new Date(0),
      state: 'complete',
      role: 'user',
      content: 'hi',
    });

    expect(names).toEqual([
      'Bash',
      'Read',
      'Write',
      'Edit',
      'Glob',
      'Grep',
      'WebFetch',
      'WebSearch',
    ]);
    expect([
      isChatEntry(entry),
      chatEntryToMessage(entry).role,
      getMessagesForAPI([entry]).length,
    ]).toEqual([true, 'user', 1]);
  });

  it('evaluates permissions directly', () => {
    expect(
      evaluatePermission('Bash', { command: 'pnpm test' }, 'default', {
        allow: ['Bash(pnpm *)'],
        cwd,
      }),
    ).toBe('auto');
    expect(evaluatePermission('Write', { filePath: 'a' }, 'plan', { cwd })).toBe('deny');
  });

  it('reads settings and instructions from cwd', async () => {
    mkdirSync(join(cwd, '.robota'));
    writeFileSync(join(cwd, 'AGENTS.md'), 'Always be brief.');
    writeFileSync(join(cwd, '.robota/settings.json'), JSON.stringify({ language: 'ko' }));
    const provider = scriptedProvider(says('네.'));

    const session = new InteractiveSession({ cwd, provider });
    await session.submit('hi');
    await session.shutdown();

    expect(session.getSystemPrompt()).toContain('Always be brief.');
    expect(session.getSystemPrompt()).toMatch(/ko/);
  });
});

describe('the session specification', () => {
  const terminal: ITerminalOutput = {
    write: () => undefined,
    writeLine: () => undefined,
    writeMarkdown: () => undefined,
    writeError: () => undefined,
    prompt: async () => '',
    select: async () => 0,
    spinner: () => ({ stop: () => undefined, update: () => undefined }),
  };

  it('runs a session from ready-made parts', async () => {
    const provider = scriptedProvider(says('Hello!'));
    const session = new Session({
      tools: [fakeTool('Echo')],
      provider,
      systemMessage: 'Be kind.',
      terminal,
    });

    const response = await session.run('Hello');

    expect([response, session.getMessageCount(), session.isRunning()]).toEqual([
      'Hello!',
      1,
      false,
    ]);
    await session.shutdown();
  });
});

describe('the session store specification', () => {
  it('follows a user across surfaces', async () => {
    const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
    const created = await store.create({ id: 's1', userId: 'u1', initialSurfaceId: 'web' });
    await store.attachSurface('s1', 'slack');
    const touched = await store.touch('s1');

    expect([created.state, touched.state, touched.attachedSurfaces]).toEqual([
      'created',
      'active',
      ['web', 'slack'],
    ]);
    expect(typeof resolveSession).toBe('function');
  });
});
