import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConversationBlock,
  parseTranscripts,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import {
  AgentSession,
  type AgentSessionOptions,
  MemoryTranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeAgent, processesOf, temporaryHome } from './temporary-home.ts';

const AGENTS = [
  { architecture: 'claude-agent-sdk', name: 'claude' },
  { architecture: 'codex', name: 'codex' },
  { architecture: 'gemini-cli', name: 'gemini' },
] as const;

describe.each(AGENTS)('driving $name', ({ architecture, name }) => {
  const fresh = (options: Partial<AgentSessionOptions> = {}) =>
    openSession({
      architecture,
      agentProfileRef: 'none',
      program: fakeAgent(name),
      ...options,
    } as AgentSessionOptions);

  it('answers with the same events, and continues in the same session', async () => {
    const { session } = await fresh();

    await read(session.sendMessage('one'));
    await read(session.sendMessage('two'));

    expect(spoken(session.getState().blocks)).toEqual([
      'user_message one',
      'assistant_text Answer to one',
      'user_message two',
      'assistant_text Answer to two',
    ]);
    expect(session.getState().metadata?.lastTurn).toEqual({ status: 'completed' });
  });

  it('reads the same blocks from the transcript it has saved', async () => {
    const { session, reopen } = await fresh();
    await read(session.sendMessage('one'));
    const live = spoken(session.getState().blocks);
    await session.destroy();

    const again = await reopen();

    expect(spoken(again.getState().blocks)).toEqual(live);
  });

  it('resumes in an empty home from the saved data, byte for byte', async () => {
    const { session, reopen, persistence } = await fresh();
    await read(session.sendMessage('one'));
    await session.destroy();
    const saved = await persistence.loadSession(session.sessionId);

    const again = await reopen({ home: temporaryHome() });
    await read(again.sendMessage('two'));

    expect(again.getState().rawTranscript?.startsWith(saved?.rawTranscript ?? '?')).toBe(true);
    expect(spoken(again.getState().blocks).at(-1)).toBe('assistant_text Answer to two');
  });

  it('forks: a new session begins with the conversation, the old one is unchanged', async () => {
    const { session, reopen, persistence } = await fresh();
    await read(session.sendMessage('one'));
    const before = (await persistence.loadSession(session.sessionId))?.rawTranscript;

    const fork = await reopen({ forkOf: session.sessionId });
    await read(fork.sendMessage('two'));

    expect(spoken(fork.getState().blocks)).toEqual([
      'user_message one',
      'assistant_text Answer to one',
      'user_message two',
      'assistant_text Answer to two',
    ]);
    expect((await persistence.loadSession(session.sessionId))?.rawTranscript).toBe(before);
    expect(fork.sessionId).not.toBe(session.sessionId);
  });

  it('shares its home: another session there neither ends it nor is ended by it', async () => {
    const { session, reopen, home } = await fresh();
    await read(session.sendMessage('one'));
    const before = processesOf(home.homeDirectory);

    const fork = await reopen({ forkOf: session.sessionId });
    await read(fork.sendMessage('two'));
    expect(processesOf(home.homeDirectory)).toEqual(expect.arrayContaining(before));
    await fork.destroy();

    expect(processesOf(home.homeDirectory)).toEqual(before);
  });

  it('asks for permission through one callback', async () => {
    const questions: string[] = [];
    const { session } = await fresh({
      onPermissionRequest: ({ toolName }) => {
        questions.push(toolName);
        return true;
      },
    });

    await read(session.sendMessage('ask'));

    expect(questions).toHaveLength(1);
    expect(spoken(session.getState().blocks).at(-1)).toMatch(/allow|accept|proceed_once/);
  });

  it('denies permission without a callback', async () => {
    const { session } = await fresh();

    await read(session.sendMessage('ask'));

    expect(spoken(session.getState().blocks).at(-1)).toMatch(/deny|decline|cancel/);
  });

  it('reports a failed turn as failed', async () => {
    const { session } = await fresh();

    await read(session.sendMessage('fail'));

    expect(session.getState().metadata?.lastTurn).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('refused'),
    });
  });

  it('treats a program that exits without a result as interrupted, although the code is 0', async () => {
    const { session } = await fresh();

    await read(session.sendMessage('die'));

    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
  });

  it('leaves no process behind when aborted, and continues afterwards', async () => {
    const { session, home } = await fresh();
    await read(session.sendMessage('one'));

    const sent = session.sendMessage(name === 'claude' ? 'shell' : 'wait');
    for await (const event of sent) {
      if (/shell \d|waiting \d/.test(JSON.stringify(event))) sent.abort();
    }

    expect(processesOf(home.homeDirectory)).toEqual([]);
    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
    await read(session.sendMessage('two'));
    expect(spoken(session.getState().blocks).at(-1)).toBe('assistant_text Answer to two');
  });

  it('explains how to install a missing program', async () => {
    const { session } = await fresh({ program: { command: '/nowhere/agent' } });

    await expect(read(session.sendMessage('one'))).rejects.toThrow(
      /there is no program "\/nowhere\/agent"\. Install it with "npm install -g @/,
    );
  });

  it('explains how to install a newer program', async () => {
    const environment = { FAKE_VERSION: '0.1.2', FAKE_AGENT: 'robota/0.1.2' };
    const { session } = await fresh({ environment });

    await expect(read(session.sendMessage('one'))).rejects.toThrow(
      /its version is 0\.1\.2.*Install it with "npm install -g @/,
    );
  });

  it('reports an unknown version', async () => {
    const environment = { FAKE_VERSION: 'new', FAKE_AGENT: 'new' };
    const { session } = await fresh({ environment });

    await expect(read(session.sendMessage('one'))).rejects.toThrow(/its version is not known/);
  });

  it('ends the program with the session', async () => {
    const { session, home } = await fresh();
    await read(session.sendMessage('one'));
    expect(processesOf(home.homeDirectory)).not.toEqual([]);

    await session.destroy();

    expect(processesOf(home.homeDirectory)).toEqual([]);
  });
});

describe('program-specific behaviour', () => {
  it('emits input and output of a Gemini tool before the model continues', async () => {
    const { session } = await openSession({
      architecture: 'gemini-cli',
      agentProfileRef: 'none',
      program: fakeAgent('gemini'),
    });

    const events = await read(session.sendMessage('tool'));

    const blocks = session.getState().blocks;
    const resultAt = events.findIndex((event) => JSON.stringify(event).includes('the content'));
    const textAt = events.findIndex((event) => event.type === 'text_delta');
    expect(resultAt).toBeGreaterThan(0);
    expect(resultAt).toBeLessThan(textAt);
    const { rawTranscript } = session.getState();
    const reloaded = parseTranscripts('gemini-cli', { main: rawTranscript }).blocks;
    expect(blocks.map(({ type }) => type)).toEqual(reloaded.map(({ type }) => type));
    expect(blocks.find(({ type }) => type === 'tool_result')).toMatchObject({
      output: 'the content',
    });
    expect(blocks.find(({ type }) => type === 'tool_use')).toMatchObject({
      input: { file_path: 'a.txt' },
    });
  });

  it('emits the result of a Codex command once, as in the rollout', async () => {
    const { session } = await openSession({
      architecture: 'codex',
      agentProfileRef: 'none',
      program: fakeAgent('codex'),
    });

    const events = await read(session.sendMessage('run'));

    const results = events.filter(
      (event) => event.type === 'block_complete' && event.block.type === 'tool_result',
    );
    expect(results).toMatchObject([{ block: { output: 'out-1\n' } }]);
    expect(session.getState().blocks.at(-1)).toMatchObject({ model: 'fake' });
    const { rawTranscript } = session.getState();
    const reloaded = parseTranscripts('codex', { main: rawTranscript }).blocks;
    expect(session.getState().blocks.map(({ id }) => id)).toEqual(reloaded.map(({ id }) => id));
  });

  it('ends a Claude Code that ignores the interrupt', async () => {
    const { session, home } = await openSession({
      architecture: 'claude-agent-sdk',
      agentProfileRef: 'none',
      program: fakeAgent('claude'),
      environment: { FAKE_DEAF: '1' },
    });

    const sent = session.sendMessage('shell');
    for await (const event of sent) if (event.type === 'block_complete') sent.abort();

    expect(processesOf(home.homeDirectory)).toEqual([]);
    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
  });

  it('passes only supported flags to an older Claude Code', async () => {
    const { session } = await openSession({
      architecture: 'claude-agent-sdk',
      agentProfileRef: 'none',
      program: fakeAgent('claude'),
      environment: { FAKE_OLD: '1' },
    });

    await read(session.sendMessage('arguments'));

    const said = spoken(session.getState().blocks).at(-1);
    expect(said).toContain('--replay-user-messages');
    expect(said).not.toContain('--forward-subagent-text');
  });

  it('mentions an untested newer version when Claude Code does not start', async () => {
    const { session } = await openSession({
      architecture: 'claude-agent-sdk',
      agentProfileRef: 'none',
      program: fakeAgent('claude'),
      environment: { FAKE_BROKEN: '1', FAKE_VERSION: '9.0.0 (Claude Code)' },
    });

    await expect(read(session.sendMessage('one'))).rejects.toThrow(
      /before it took the message\. Its version 9\.0\.0 is newer than 2\.1\.325, the newest/,
    );
  });

  it('passes model, mode and prompt to Claude Code', async () => {
    const { session } = await openSession({
      architecture: 'claude-agent-sdk',
      agentProfileRef: 'none',
      program: fakeAgent('claude'),
      model: 'opus',
      permissionMode: 'plan',
      systemPrompt: 'Be brief.',
    });

    await read(session.sendMessage('arguments'));

    const said = spoken(session.getState().blocks).at(-1);
    expect(said).toContain('"--permission-mode","plan","--model","opus"');
    expect(said).toContain('"--append-system-prompt","Be brief."');
  });

  it('saves a file the agent created', async () => {
    const { session, persistence, home } = await openSession({
      architecture: 'claude-agent-sdk',
      agentProfileRef: 'none',
      program: fakeAgent('claude'),
    });

    await read(session.sendMessage('write'));

    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.workspaceFiles).toEqual([{ path: 'made.txt', content: 'made\n' }]);
    expect(readFileSync(join(home.workspaceDirectory, 'made.txt'), 'utf8')).toBe('made\n');
  });
});

async function openSession(options: AgentSessionOptions) {
  const home = temporaryHome();
  const persistence = new MemoryTranscriptPersistence();
  const open = async (chosen: AgentSessionOptions, place = home) => {
    const context = { home: place };
    const session = await AgentSession.create(chosen, context, new EventEmitter(), persistence);
    onTestFinished(() => session.destroy());
    return session;
  };
  const session = await open(options);
  const { program, environment } = options;
  const reopen = ({ home: place = home, forkOf }: Reopening = {}) =>
    open(
      forkOf === undefined
        ? { sessionId: session.sessionId, program, environment }
        : { forkOf, program, environment },
      place,
    );
  return { session, home, persistence, reopen };
}

interface Reopening {
  readonly home?: ReturnType<typeof temporaryHome>;
  readonly forkOf?: string;
}

async function read(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function spoken(blocks: readonly ConversationBlock[]): string[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'user_message' && block.type !== 'assistant_text') return [];
    const { content } = block;
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    return [`${block.type} ${text.replace(/^\[\{"type":"text","text":"(.*)"\}\]$/, '$1')}`];
  });
}
