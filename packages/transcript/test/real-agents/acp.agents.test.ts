import { EventEmitter } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import type { ConversationBlock, StreamEvent } from '@robota-sdk/agent-transcript';
import {
  type AgentPermissionMode,
  AgentSession,
  type AgentSessionOptions,
  type AskPermission,
  MemoryTranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { processesOf, temporaryHome } from '../drivers/temporary-home.ts';
import { ACP_PROGRAMS, type AcpProgram } from './acp-programs.ts';
import { type ScriptedReply, startModelServer } from './model-server.ts';

describe.each(ACP_PROGRAMS)('$name', { timeout: 120_000 }, (program) => {
  const can = (ability: 'asking' | 'loading' | 'output') => !program.without?.includes(ability);

  it('answers in a new session, and live and saved agree', async () => {
    const { session, reopen } = await start(program);

    await read(session.sendMessage('@@hello'));
    const { blocks } = session.getState();
    await session.destroy();

    expect(session.getState().metadata?.lastTurn).toEqual({ status: 'completed' });
    expect(spoken(blocks)).toEqual(['user_message @@hello', 'assistant_text Answer to @@hello']);
    expect((await reopen()).getState().blocks).toEqual(blocks);
  });

  it('runs a tool that needs no permission', async () => {
    const { session } = await start(program, { mode: program.freely });

    await read(session.sendMessage('@@tool'));

    expect(tools(session)).toEqual([can('output') ? 'success out-1' : 'success ']);
    expect(spoken(session.getState().blocks).at(-1)).toBe('assistant_text Answer to @@tool');
  });

  if (can('asking')) {
    it('runs what is allowed when it asks', async () => {
      const asked: object[] = [];
      const { session, files } = await start(program, {
        ask: ({ input, toolUseId }) => {
          const isShown = session
            .getState()
            .blocks.some((block) => block.type === 'tool_use' && block.toolUseId === toolUseId);
          asked.push({ command: input.command, isShown });
          return true;
        },
      });

      await read(session.sendMessage('@@ask'));

      expect(asked).toEqual([{ command: 'touch asked-1', isShown: true }]);
      expect(files()).toEqual(['asked-1']);
      expect(tools(session).map((tool) => tool.split(' ')[0])).toEqual(['success']);
    });
  }

  if (can('asking')) {
    it('does not run what is denied', async () => {
      const { session, files } = await start(program, { ask: () => ({ deny: 'No.' }) });

      await read(session.sendMessage('@@ask'));

      expect(files()).toEqual([]);
      expect(tools(session).map((tool) => tool.split(' ')[0])).toEqual(['error']);
    });
  }

  it('is interrupted during a tool, and leaves no process', async () => {
    const { session, home } = await start(program, { mode: program.freely, ask: () => true });

    const sent = session.sendMessage('@@sleep');
    const watching = watchFor(() =>
      processesOf(home.homeDirectory).some((line) => line.startsWith('sleep')),
    ).then(() => sent.abort());
    await read(sent);
    await watching;

    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
    expect(processesOf(home.homeDirectory)).toEqual([]);
  });

  if (can('loading')) {
    it('is loaded by another process and continues', async () => {
      const { session, reopen } = await start(program);
      await read(session.sendMessage('@@hello'));
      await session.destroy();

      const again = await reopen();
      await read(again.sendMessage('@@again'));

      expect(again.getState().metadata?.lastTurn).toEqual({ status: 'completed' });
      expect(spoken(again.getState().blocks)).toEqual([
        'user_message @@hello',
        'assistant_text Answer to @@hello',
        'user_message @@again',
        'assistant_text Answer to @@again',
      ]);
    });
  }
});

async function start(
  program: AcpProgram,
  { mode, ask }: { mode?: AgentPermissionMode; ask?: AskPermission } = {},
) {
  const server = await startModelServer(program.speak, scriptOf(program));
  onTestFinished(() => server.close());
  const home = temporaryHome();
  await home.start();
  mkdirSync(home.workspaceDirectory, { recursive: true });
  const behaviour = {
    ...program.prepare(home.homeDirectory, server.url),
    permissionMode: mode,
    onPermissionRequest: ask,
    keepsWorkspace: false,
  };
  const persistence = new MemoryTranscriptPersistence();
  const open = async (which: AgentSessionOptions) => {
    const bus = new EventEmitter();
    const session = await AgentSession.create(which, { home }, bus, persistence);
    onTestFinished(() => session.destroy());
    return session;
  };
  const session = await open({
    ...behaviour,
    architecture: program.type,
    agentProfileRef: 'none',
  });
  return {
    session,
    home,
    files: () => readdirSync(home.workspaceDirectory).filter((name) => name.startsWith('asked')),
    reopen: () => open({ ...behaviour, sessionId: session.sessionId }),
  };
}

function scriptOf({ shell }: AcpProgram) {
  const first: Readonly<Record<string, ScriptedReply>> = {
    '@@tool': { text: 'I look.', calls: [shell('echo out-1')] },
    '@@ask': { calls: [shell('touch asked-1')] },
    '@@sleep': { calls: [shell('echo begin && sleep 300')] },
  };
  return (prompt: string, step: number): ScriptedReply =>
    (step === 0 && first[prompt]) || { text: `Answer to ${prompt}` };
}

async function read(events: AsyncIterable<StreamEvent>): Promise<void> {
  for await (const event of events) expect(event.conversationId).toBe('main');
}

async function watchFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50));
}

function spoken(blocks: readonly ConversationBlock[]): string[] {
  return blocks.flatMap((block) =>
    block.type === 'user_message' || block.type === 'assistant_text'
      ? [`${block.type} ${String(block.content).trim()}`]
      : [],
  );
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
