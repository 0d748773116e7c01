import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { calls, fails, fakeTool, says } from '@robota-sdk/agent-core/testing';
import { type ConversationBlock, parseTranscripts } from '@robota-sdk/agent-transcript';
import type { AgentSession, PermissionQuestion } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';
import { emptyHome, NEW, read, robotaAgent, said } from './robota-agent.ts';

useTestPlace();

const COMPLETED = { status: 'completed' };

function parsedBlocks(session: AgentSession): readonly ConversationBlock[] {
  return parseTranscripts('robota', { main: session.getState().rawTranscript }).blocks;
}

function lastTurn(session: AgentSession): unknown {
  return session.getState().metadata?.lastTurn;
}

describe('our own engine as an agent session', () => {
  it('answers, ends with how the turn went, and leaves a transcript of the same blocks', async () => {
    const { open } = await robotaAgent([says('Hello.', { deltas: ['Hel', 'lo.'] })]);
    const session = await open();

    const events = await read(session.sendMessage('hi'));

    expect(events.at(-1)).toEqual({
      type: 'metadata_update',
      metadata: { lastTurn: COMPLETED },
      conversationId: 'main',
    });
    const { blocks } = session.getState();
    expect(said(blocks)).toEqual([
      ['user_message', 'hi'],
      ['assistant_text', 'Hello.'],
    ]);
    expect(parsedBlocks(session)).toEqual(blocks);
  });

  it('goes on with the same conversation, tools and all', async () => {
    const { open, provider } = await robotaAgent(
      [calls({ id: 'a', name: 'Echo', args: {} }), says('done'), says('again')],
      { tools: [fakeTool('Echo', () => 'echoed')], permissionMode: 'bypassPermissions' },
    );
    const session = await open();

    await read(session.sendMessage('go'));
    await read(session.sendMessage('more'));

    const { blocks } = session.getState();
    expect(blocks.map(({ type }) => type)).toEqual([
      'user_message',
      'tool_use',
      'tool_result',
      'assistant_text',
      'user_message',
      'assistant_text',
    ]);
    expect(parsedBlocks(session)).toEqual(blocks);
    expect(provider.requests.at(-1)?.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('says that a turn failed, and answers the next message', async () => {
    const { open } = await robotaAgent([fails(new Error('no key')), says('better')]);
    const session = await open();

    await read(session.sendMessage('go'));
    const failed = lastTurn(session);
    await read(session.sendMessage('again'));

    expect(failed).toEqual({ status: 'failed', reason: 'no key' });
    expect(lastTurn(session)).toEqual(COMPLETED);
  });

  it('throws when a turn cannot begin', async () => {
    const { open } = await robotaAgent([]);
    const session = await open();

    await expect(read(session.sendMessage('   '))).rejects.toThrow('The prompt is empty.');
  });
});

describe('a question of our own engine', () => {
  const script = () => [calls({ id: 'a', name: 'Poke', args: { at: 'x' } }), says('ok')];

  async function answered(answer: boolean | { deny: string } | { allow: true; input: object }) {
    const questions: PermissionQuestion[] = [];
    const tool = fakeTool('Poke', ({ at }) => `poked at ${String(at)}`);
    const { open } = await robotaAgent(script(), { tools: [tool] });
    const session = await open({
      ...NEW,
      onPermissionRequest(question) {
        questions.push(question);
        return answer as boolean;
      },
    });
    await read(session.sendMessage('go'));
    const { blocks } = session.getState();
    return { questions, session, result: blocks.find(({ type }) => type === 'tool_result') };
  }

  it('is put to the callback, and yes lets the call run', async () => {
    const { questions, result, session } = await answered(true);

    expect(questions).toEqual([
      {
        id: expect.any(String),
        toolName: 'Poke',
        toolUseId: 'a',
        input: { at: 'x' },
        description: expect.any(String),
        conversationId: 'main',
      },
    ]);
    expect(result).toMatchObject({ isError: false });
    expect(parsedBlocks(session)).toEqual(session.getState().blocks);
  });

  it('is answered with no by the callback, for a reason the model reads', async () => {
    const { result, session } = await answered({ deny: 'Not today' });

    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('Not today') });
    expect(lastTurn(session)).toEqual(COMPLETED);
  });

  it('with another input runs the call with that input', async () => {
    const { result } = await answered({ allow: true, input: { at: 'y' } });

    expect(result).toMatchObject({ isError: false, output: 'poked at y' });
  });

  it('is answered with no where nobody is there', async () => {
    const { open } = await robotaAgent(script(), { tools: [fakeTool('Poke', () => 'poked')] });
    const session = await open();

    await read(session.sendMessage('go'));

    expect(session.getState().blocks).toContainEqual(
      expect.objectContaining({ type: 'tool_result', isError: true }),
    );
  });

  it('is not asked again after a yes for the session', async () => {
    let asked = 0;
    const { open } = await robotaAgent([...script(), ...script()], {
      tools: [fakeTool('Poke', () => 'poked')],
    });
    const session = await open({
      ...NEW,
      onPermissionRequest() {
        asked += 1;
        return 'allow-session';
      },
    });

    await read(session.sendMessage('go'));
    await read(session.sendMessage('go'));

    expect(asked).toBe(1);
  });
});

describe('an interrupted turn of our own engine', () => {
  it('ends what runs, is kept as far as it got, and the session goes on', async () => {
    const open: AgentSession[] = [];
    const wait = waitingTool(() => void open[0]?.abort());
    const agent = await robotaAgent([calls({ id: 'a', name: 'Wait', args: {} }), says('back')], {
      tools: [wait],
      permissionMode: 'bypassPermissions',
    });
    const session = await agent.open();
    open.push(session);

    await read(session.sendMessage('go'));
    const interrupted = lastTurn(session);
    const { blocks: before, rawTranscript } = session.getState();
    await read(session.sendMessage('again'));

    expect(interrupted).toEqual({ status: 'interrupted', reason: 'The turn was interrupted' });
    expect(rawTranscript).toContain('"event":"session_shutdown"');
    expect(before.map(({ type }) => type)).toEqual([
      'user_message',
      'tool_use',
      'tool_result',
      'system',
    ]);
    expect(said(session.getState().blocks).slice(-2)).toEqual([
      ['user_message', 'again'],
      ['assistant_text', 'back'],
    ]);
    expect(parsedBlocks(session)).toEqual(session.getState().blocks);
  });

  it('is what a reader that stops early leaves', async () => {
    const { open } = await robotaAgent([says('a b', { deltas: ['a ', 'b'] }), says('back')]);
    const session = await open();

    for await (const event of session.sendMessage('go')) if (event.type === 'text_delta') break;
    await read(session.sendMessage('again'));

    expect(lastTurn(session)).toEqual(COMPLETED);
  });
});

describe('a kept session of our own engine', () => {
  it('is resumed in an empty home from what was persisted, large values and all', async () => {
    const large = 'x'.repeat(100_000);
    const { open, provider } = await robotaAgent(
      [calls({ id: 'a', name: 'Echo', args: {} }), says('one'), says('two')],
      { tools: [fakeTool('Echo', () => 'echoed')], permissionMode: 'bypassPermissions' },
    );
    const first = await open();
    await read(first.sendMessage(large));
    const before = first.getState().blocks;
    await first.destroy();

    const second = await open({ sessionId: first.sessionId });
    const loaded = second.getState().blocks;
    await read(second.sendMessage('second'));

    expect(loaded).toEqual(before);
    const request = provider.requests.at(-1) ?? [];
    expect(request.slice(1).map(({ role, content }) => [role, content])).toEqual([
      ['user', large],
      ['assistant', null],
      ['tool', 'echoed'],
      ['assistant', 'one'],
      ['user', 'second'],
    ]);
    expect(parsedBlocks(second)).toEqual(second.getState().blocks);
  });

  it('brings its subagents along', async () => {
    const work = { prompt: 'dig', description: 'Digs', subagent_type: 'general-purpose' };
    const { open } = await robotaAgent(
      [calls({ id: 'a', name: 'Agent', args: work }), says('dug'), says('done')],
      { permissionMode: 'bypassPermissions' },
    );
    const first = await open();
    await read(first.sendMessage('go'));
    const before = first.getState();
    await first.destroy();

    const after = (await open({ sessionId: first.sessionId })).getState();

    expect(before.blocks.map(({ type }) => type)).toEqual([
      'user_message',
      'subagent',
      'assistant_text',
    ]);
    expect(after.blocks).toEqual(before.blocks);
    expect(after.subagents?.map(({ id, blocks }) => [id, said(blocks)])).toEqual(
      before.subagents?.map(({ id, blocks }) => [id, said(blocks)]),
    );
    expect(after.subagents).toHaveLength(1);
  });

  it('survives the loss of its home', async () => {
    const { open, provider } = await robotaAgent([says('one'), says('two')]);
    const home = emptyHome();
    const session = await open(NEW, home);
    await read(session.sendMessage('first'));

    rmSync(home.homeDirectory, { recursive: true });
    await read(session.sendMessage('second'));

    expect(
      provider.requests
        .at(-1)
        ?.map(({ content }) => content)
        .slice(1),
    ).toEqual(['first', 'one', 'second']);
    expect(parsedBlocks(session)).toEqual(session.getState().blocks);
  });

  it('is forked with what was said, and stays as it was', async () => {
    const { open, provider, persistence } = await robotaAgent([says('one'), says('two')]);
    const origin = await open();
    await read(origin.sendMessage('first'));
    const kept = (await persistence.loadSession(origin.sessionId))?.rawTranscript;

    const fork = await open({ forkOf: origin.sessionId });
    await read(fork.sendMessage('second'));

    expect(said(fork.getState().blocks)).toEqual([
      ['user_message', 'first'],
      ['assistant_text', 'one'],
      ['user_message', 'second'],
      ['assistant_text', 'two'],
    ]);
    expect(
      provider.requests
        .at(-1)
        ?.map(({ content }) => content)
        .slice(1),
    ).toEqual(['first', 'one', 'second']);
    expect(said(parsedBlocks(fork))).toEqual(said(fork.getState().blocks));
    expect((await persistence.loadSession(origin.sessionId))?.rawTranscript).toBe(kept);
  });
});

/** Works until it is called off; `onStart` hears that it has begun. */
function waitingTool(onStart: () => void) {
  return fakeTool('Wait', async (_parameters, { signal }) => {
    const calledOff = once(signal, 'abort');
    onStart();
    await calledOff;
    return { success: false, error: 'stopped' };
  });
}
