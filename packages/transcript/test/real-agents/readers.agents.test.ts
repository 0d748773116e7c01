import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import {
  findAgentSessions,
  followTranscript,
  parseTranscriptFile,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../drivers/temporary-home.ts';
import { type ScriptedReply, startModelServer } from './model-server.ts';
import { READ_PROGRAMS, type ReadProgram } from './read-programs.ts';

describe.each(READ_PROGRAMS)('$name', { timeout: 120_000 }, (program) => {
  it('is found and read, and followed when it continues', async () => {
    const { home, run } = await start(program);
    await run(['go:@@tool']);

    const found = [];
    for await (const one of findAgentSessions({ agents: [program.type], home, environment: {} })) {
      found.push(one);
    }
    const [session] = found;
    const { blocks, requests, skipped } = await parseTranscriptFile(
      program.type,
      session?.path ?? '',
    );
    const followed = followTranscript(program.type, session?.id ?? '', { home, environment: {} });
    onTestFinished(() => followed.stop());
    await followed.opened;
    await run([...program.goOn(session?.id ?? ''), 'go:@@again']);
    await followed.refresh();

    expect(found).toHaveLength(1);
    expect(session?.cwd).toBeDefined();
    expect(brief(blocks)).toEqual([
      'user_message go:@@tool',
      'assistant_text I look.',
      'tool_use success',
      'tool_result out-1',
      'assistant_text Answer to @@tool',
    ]);
    expect(skipped).toEqual({ lines: 0, kinds: {} });
    expect(requests?.map(({ usage }) => usage.outputTokens)).toEqual([5, 5]);
    expect(brief(followed.conversation?.blocks ?? []).slice(5)).toEqual([
      'user_message go:@@again',
      'assistant_text Answer to @@again',
    ]);
  });
});

async function start(program: ReadProgram) {
  const root = temporaryFolder();
  const home = join(root, 'home');
  const workspace = join(root, 'workspace');
  mkdirSync(home, { recursive: true });
  mkdirSync(workspace);
  const script = (prompt: string, step: number): ScriptedReply =>
    prompt === '@@tool' && step === 0 ? program.shell : { text: `Answer to ${prompt}` };
  const server = await startModelServer(program.speak, script);
  onTestFinished(() => server.close());
  const { command, args, env } = program.prepare(root, server.url);
  if (!existsSync(command)) throw new Error(`${command} is not installed`);
  const run = async (more: string[]) => {
    const child = spawn(command, [...args, ...more], {
      cwd: workspace,
      env: { PATH: process.env.PATH, HOME: home, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'exit');
  };
  return { home, run };
}

function brief(blocks: readonly ConversationBlock[]): string[] {
  return blocks.map((block) => {
    switch (block.type) {
      case 'user_message':
      case 'assistant_text':
        return `${block.type} ${String(block.content)}`;
      case 'tool_use':
        return `tool_use ${block.status}`;
      case 'tool_result':
        return `tool_result ${String(block.output).trim()}`;
      default:
        return block.type;
    }
  });
}
