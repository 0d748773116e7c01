import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ConversationBlock,
  parseTranscripts,
  type Question,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import {
  type AgentPermissionMode,
  AgentSession,
  type AgentSessionOptions,
  type AskPermission,
  FileTranscriptPersistence,
  followTranscript,
  MemoryTranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processesOf, temporaryFolder, temporaryHome } from '../drivers/temporary-home.ts';
import { type ScriptedReply, startModelServer } from './model-server.ts';
import { PROGRAMS, quieten, type RealProgram } from './programs.ts';

const TIMEOUT_MS = 120_000;

describe.each(PROGRAMS)('$name', { timeout: TIMEOUT_MS }, (program) => {
  it('answers in a new session, and live and saved agree', async () => {
    const { session, reloaded } = await start(program);

    await read(session.sendMessage('@@hello'));

    expect(outcome(session)).toEqual({ status: 'completed' });
    expect(brief(session.getState().blocks)).toEqual([
      'user_message @@hello',
      'assistant_text Answer to @@hello',
    ]);
    expect(brief(await reloaded())).toEqual(brief(session.getState().blocks));
  });

  it('runs a tool that needs no permission', async () => {
    const { session, reloaded } = await start(program, { mode: 'bypassPermissions' });

    await read(session.sendMessage('@@tool'));

    expect(outcome(session)).toEqual({ status: 'completed' });
    expect(tools(session)).toEqual(['success out-1']);
    expect(brief(await reloaded())).toEqual(brief(session.getState().blocks));
  });

  it('runs tools in parallel', async () => {
    const { session, reloaded } = await start(program, { mode: 'bypassPermissions' });

    await read(session.sendMessage('@@parallel'));

    expect(tools(session).sort()).toEqual(['success out-1', 'success out-2']);
    expect((await reloaded()).filter(({ type }) => type === 'tool_result')).toHaveLength(2);
  });

  it('runs what is allowed when it asks', async () => {
    const questions: string[] = [];
    const { session, reloaded } = await start(program, {
      ask: ({ toolName }) => {
        questions.push(toolName);
        return true;
      },
    });

    await read(session.sendMessage('@@ask'));

    expect(questions).toHaveLength(1);
    expect(session.getState().workspaceFiles.map(({ path }) => path)).toEqual(['asked-1']);
    expect(brief(await reloaded())).toEqual(brief(session.getState().blocks));
  });

  it('does not run what is denied', async () => {
    const { session } = await start(program, { ask: () => ({ deny: 'No.' }) });

    await read(session.sendMessage('@@ask'));

    expect(session.getState().workspaceFiles).toEqual([]);
    expect(tools(session).map((tool) => tool.split(' ')[0])).toEqual(['error']);
  });

  it('shows a subagent', async () => {
    const { session } = await start(program, { mode: 'bypassPermissions' });

    await read(session.sendMessage('@@agent'));

    const [agent] = session.getState().blocks.filter(({ type }) => type === 'subagent');
    expect(agent).toBeDefined();
    const ids = session.getState().subagents.map(({ id }) => id);
    expect(ids).toContain(agent?.type === 'subagent' ? agent.subagentId : '');
  });

  it('is interrupted during a reply, leaves no process, and continues', async () => {
    const { session, home } = await start(program);
    await read(session.sendMessage('@@hello'));

    const sent = session.sendMessage('@@hold');
    for await (const event of sent) if (event.type === 'text_delta') sent.abort();

    expect(outcome(session)).toMatchObject({ status: 'interrupted' });
    expect(processesOf(home.homeDirectory)).toEqual([]);
    await read(session.sendMessage('@@again'));
    expect(brief(session.getState().blocks).at(-1)).toBe('assistant_text Answer to @@again');
  });

  it('is interrupted during a tool, and the shell is ended', async () => {
    const { session, home } = await start(program, { mode: 'bypassPermissions' });

    const sent = session.sendMessage('@@sleep');
    const watching = watchFor(() =>
      processesOf(home.homeDirectory).some((line) => line.startsWith('sleep')),
    ).then(() => sent.abort());
    await read(sent);
    await watching;

    expect(outcome(session)).toMatchObject({ status: 'interrupted' });
    expect(processesOf(home.homeDirectory)).toEqual([]);
  });

  it('is resumed by another process, in a home with only the saved data', async () => {
    const { session, reopen } = await start(program);
    await read(session.sendMessage('@@hello'));
    const saved = session.getState().rawTranscript ?? '?';
    await session.destroy();

    const again = await reopen({ sessionId: session.sessionId }, temporaryHome());
    await read(again.sendMessage('@@again'));

    expect(outcome(again)).toEqual({ status: 'completed' });
    expect(brief(again.getState().blocks)).toEqual([
      'user_message @@hello',
      'assistant_text Answer to @@hello',
      'user_message @@again',
      'assistant_text Answer to @@again',
    ]);
    expect(again.getState().rawTranscript?.startsWith(saved)).toBe(true);
  });

  it('is forked', async () => {
    const { session, reopen, home } = await start(program);
    await read(session.sendMessage('@@hello'));

    const fork = await reopen({ forkOf: session.sessionId }, home);
    await read(fork.sendMessage('@@again'));

    expect(outcome(fork)).toEqual({ status: 'completed' });
    expect(brief(fork.getState().blocks).at(-1)).toBe('assistant_text Answer to @@again');
    expect(session.getState().blocks).toHaveLength(2);
  });

  it('has the same blocks in its transcript as live, in the same order, when the turn is over', async () => {
    const { session } = await start(program, { mode: 'bypassPermissions' });

    await read(session.sendMessage('@@tool'));

    const { rawTranscript, blocks } = session.getState();
    const type = session.getState().type;
    const written = parseTranscripts(type, { main: rawTranscript }).blocks;
    expect(brief(blocks)).toEqual(brief(written));
  });

  it('waits for a question, and takes the first answer', async () => {
    const { session, bus } = await start(program, { waits: true });
    const asked = new Promise<Question>((resolve) => {
      bus.once('question', resolve);
    });

    const sent = session.sendMessage('@@ask');
    const question = await asked;
    const waiting = session.getQuestions();
    const [first, second] = [true, false].map((yes) => session.answerQuestion(question.id, yes));
    await read(sent);

    expect(waiting).toEqual([question]);
    expect(JSON.stringify(question.input)).toContain('touch asked-1');
    expect([first, second]).toEqual([true, false]);
    expect(session.getState().workspaceFiles.map(({ path }) => path)).toEqual(['asked-1']);
  });

  it('allows for the session without leaving a rule', async () => {
    const { session, home } = await start(program, { ask: () => 'allow-session' });

    await read(session.sendMessage('@@ask'));

    expect(session.getState().workspaceFiles.map(({ path }) => path)).toEqual(['asked-1']);
    expect(existsSync(join(home.workspaceDirectory, '.claude'))).toBe(false);
  });

  it('can be followed with the same blocks', async () => {
    const { session, home } = await start(program, { mode: 'bypassPermissions' });
    await read(session.sendMessage('@@hello'));
    const id = String(session.getState().metadata?.sessionId ?? session.sessionId);
    const environment = { CLAUDE_CONFIG_DIR: join(home.homeDirectory, '.claude') };
    const followed = followTranscript(session.getState().type, id, {
      home: home.homeDirectory,
      environment,
    });
    onTestFinished(() => followed.stop());
    await followed.opened;

    await read(session.sendMessage('@@tool'));
    await followed.refresh();

    expect(brief(followed.conversation?.blocks ?? [])).toEqual(brief(session.getState().blocks));
  });

  it('shows what was done elsewhere, and continues from there', async () => {
    const { session, reopen, reloaded } = await start(program);
    await read(session.sendMessage('@@hello'));
    await session.destroy();
    const other = await reopen({ sessionId: session.sessionId });
    await read(other.sendMessage('@@elsewhere'));
    await other.destroy();

    const again = await reloaded();

    expect(brief(again).at(-1)).toBe('assistant_text Answer to @@elsewhere');
  });

  it('ends when its host ends, in any way', async () => {
    const server = await startModelServer(program.speak, scriptOf(program));
    onTestFinished(() => server.close());
    const root = temporaryFolder();
    quieten(join(root, 'home'));
    const options = program.options(server.url, 'bypassPermissions');
    const script = join(import.meta.dirname, 'host.ts');
    const host = spawn(
      process.execPath,
      ['--conditions=robota-source', '--import', 'tsx', script, root, JSON.stringify(options)],
      { stdio: 'inherit' },
    );
    const home = join(root, 'home');
    await watchFor(() => processesOf(home).some((line) => line.startsWith('sleep')));

    host.kill('SIGKILL');

    await watchFor(() => processesOf(home).length === 0);
    const persistence = new FileTranscriptPersistence(join(root, 'sessions'));
    expect((await persistence.listAllSessions())[0]?.status).toBe('inactive');
  });

  it('reports an error of the API', async () => {
    const { session } = await start(program);

    await read(session.sendMessage('@@error'));

    expect(outcome(session)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('refused'),
    });
  });
});

describe.each(PROGRAMS.filter(({ background }) => background !== undefined))(
  '$name',
  { timeout: TIMEOUT_MS },
  (program) => {
    it('reports the end of a background agent, during and between turns', async () => {
      const { session } = await start(program, { mode: 'bypassPermissions' });

      await read(session.sendMessage('@@background'));

      const agent = () => session.getState().blocks.find(({ type }) => type === 'subagent');
      await watchFor(() => agent()?.type === 'subagent' && statusOf(agent()) === 'success');
      expect(session.getState().subagents).toHaveLength(1);
    });
  },
);

function statusOf(block: ConversationBlock | undefined): string | undefined {
  return block?.type === 'subagent' ? block.status : undefined;
}

function scriptOf({ shell, subagent, background }: RealProgram) {
  const first: Readonly<Record<string, ScriptedReply>> = {
    '@@tool': { text: 'I look.', calls: [shell('echo out-1')] },
    '@@parallel': { calls: [shell('echo out-1'), shell('echo out-2')] },
    '@@ask': { calls: [shell('touch asked-1')] },
    '@@agent': { calls: [subagent] },
    ...(background !== undefined && { '@@background': { calls: [background] } }),
    '@@slow': { calls: [shell('sleep 1')] },
    '@@sleep': { calls: [shell('echo begin && sleep 300')] },
  };
  return (prompt: string, step: number): ScriptedReply => {
    if (prompt === '@@hold') return { text: 'Half a sentence', hold: true };
    if (prompt === '@@error') return { status: 400 };
    return (step === 0 && first[prompt]) || { text: `Answer to ${prompt}` };
  };
}

async function start(
  program: RealProgram,
  {
    mode = 'default',
    ask,
    waits,
  }: { mode?: AgentPermissionMode; ask?: AskPermission; waits?: boolean } = {},
) {
  const bus = new EventEmitter();
  const server = await startModelServer(program.speak, scriptOf(program));
  onTestFinished(() => server.close());
  const firstHome = temporaryHome();
  const persistence = new MemoryTranscriptPersistence();
  const options = {
    ...program.options(server.url, mode),
    onPermissionRequest: ask,
    waitsForAnswers: waits,
  };
  const { program: command, environment, model } = options;
  const open = async (chosen: AgentSessionOptions, home = firstHome) => {
    quieten(home.homeDirectory);
    const session = await AgentSession.create(chosen, { home }, bus, persistence);
    onTestFinished(() => session.destroy());
    return session;
  };
  const reopen = (which: { sessionId: string } | { forkOf: string }, home = firstHome) =>
    open({ ...which, program: command, environment, model, onPermissionRequest: ask }, home);
  const session = await open(options);
  const reloaded = async () => {
    await session.destroy();
    return (await reopen({ sessionId: session.sessionId })).getState().blocks;
  };
  return { session, bus, home: firstHome, reopen, reloaded };
}

async function read(events: AsyncIterable<StreamEvent>): Promise<void> {
  for await (const event of events) expect(event.conversationId).toBeDefined();
}

async function watchFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}

function outcome(session: AgentSession): unknown {
  return session.getState().metadata?.lastTurn;
}

function tools(session: AgentSession): string[] {
  const { blocks } = session.getState();
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_use') return [];
    const result = blocks.find(
      (other) => other.type === 'tool_result' && other.toolUseId === block.toolUseId,
    );
    const output = JSON.stringify(result?.type === 'tool_result' ? result.output : '');
    return [`${block.status} ${/out-\d/.exec(output)?.[0] ?? ''}`];
  });
}

function brief(blocks: readonly ConversationBlock[]): string[] {
  return blocks.map((block) => {
    if (block.type === 'tool_use') return `tool_use ${block.toolUseId} ${block.status}`;
    if (block.type === 'tool_result') return `tool_result ${block.toolUseId} ${block.isError}`;
    if (block.type === 'user_message' || block.type === 'assistant_text') {
      const { content } = block;
      const text = typeof content === 'string' ? content : content.map(textOf).join('');
      return `${block.type} ${text}`;
    }
    return block.type === 'system' ? `system ${block.message}` : block.type;
  });
}

function textOf(part: object): string {
  return 'text' in part ? String(part.text) : '';
}
