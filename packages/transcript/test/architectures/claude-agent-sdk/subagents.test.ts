import { parseClaudeTranscriptFile } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { ClaudeSession } from './claude-session.ts';

const GO = { name: 'Task', input: { subagent_type: 'reviewer', prompt: 'Review it' } };

describe('subagents', () => {
  it('finds the thread of an agent in the main file by its prompt', () => {
    const session = new ClaudeSession();
    session.user('Please review');
    const call = session.calls('m1', 'toolu_1', GO);
    const inline = { isSidechain: true };
    session.from(null).user('Review it', inline);
    session.says('s1', 'Reviewing.', inline);
    session.from(call).result('toolu_1', [{ type: 'text', text: 'All fine' }]);
    session.says('m2', 'Thanks.');

    const { blocks, subagents } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual([
      'user: "Please review"',
      'subagent toolu_1 reviewer: success',
      'text: Thanks.',
    ]);
    expect(subagents.map(({ id }) => id)).toEqual(['toolu_1']);
    expect(briefs(subagents[0]?.blocks ?? [])).toEqual([
      'session_start: Subagent reviewer started',
      'user: "Review it"',
      'text: Reviewing.',
      'session_end: Subagent completed',
    ]);
    expect(subagents[0]?.blocks.map(({ id }) => id)).toEqual([
      'subagent:toolu_1:started',
      'u3',
      's1:0',
      'subagent:toolu_1:completed',
    ]);
  });

  it('separates two agents with the same prompt', () => {
    const session = new ClaudeSession();
    const first = session.calls('m1', 'toolu_1', GO);
    const second = session.calls('m1', 'toolu_2', GO);
    const inline = { isSidechain: true };
    const left = session.from(null).user('Review it', inline);
    const right = session.from(null).user('Review it', inline);
    session.from(right).says('s2', 'Second.', inline);
    session.from(left).says('s1', 'First.', inline);
    session.from(first).result('toolu_1', 'ok');
    session.from(second).result('toolu_2', 'ok');

    const { subagents } = parseClaudeTranscriptFile(session.text);

    expect(subagents.map(({ id, blocks }) => [id, briefs(blocks)[2]])).toEqual([
      ['toolu_1', 'text: First.'],
      ['toolu_2', 'text: Second.'],
    ]);
  });

  it('finds a running agent through its metadata file', () => {
    const session = new ClaudeSession();
    session.calls('m1', 'toolu_1', { ...GO, name: 'Agent' });
    const agent = new ClaudeSession({ isSidechain: true, agentId: 'abc' });
    agent.user('Other words');
    agent.says('s1', 'Reviewing.');

    const { blocks, subagents } = parseClaudeTranscriptFile({
      main: session.text,
      subagents: [{ id: 'agent-abc', transcript: agent.text, meta: '{"toolUseId":"toolu_1"}' }],
    });

    expect(briefs(blocks)).toEqual(['subagent abc reviewer: pending']);
    expect(subagents.map(({ id, blocks: own }) => [id, own.length])).toEqual([['abc', 3]]);
  });

  it('tracks a background agent until it reports its end', () => {
    const session = new ClaudeSession();
    session.calls('m1', 'toolu_1', GO);
    session.result('toolu_1', 'launched', {
      toolUseResult: { isAsync: true, status: 'async_launched', agentId: 'abc' },
    });
    const running = parseClaudeTranscriptFile(session.text);
    session.user(
      '<task-notification><task-id>abc</task-id><tool-use-id>toolu_1</tool-use-id>' +
        '<status>completed</status><summary>Agent done</summary><result>Fine</result></task-notification>',
    );
    const ended = parseClaudeTranscriptFile(session.text);

    expect(briefs(running.blocks)).toEqual(['subagent abc reviewer: running']);
    expect(briefs(ended.blocks)).toEqual(['subagent abc reviewer: success', 'status: Agent done']);
    expect(ended.blocks[0]).toMatchObject({ output: 'Fine' });
  });

  it('shows a failed agent as an error with its message', () => {
    const session = new ClaudeSession();
    session.calls('m1', 'toolu_1', GO);
    session.user(
      [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'No such agent', is_error: true }],
      {
        toolUseResult: 'Error: No such agent',
      },
    );

    expect(parseClaudeTranscriptFile(session.text).blocks).toMatchObject([
      { type: 'subagent', status: 'error', output: 'No such agent', subagentId: 'toolu_1' },
    ]);
  });

  it('finds nested agents, and keeps an agent without a call', () => {
    const session = new ClaudeSession();
    session.calls('m1', 'toolu_1', GO);
    session.result('toolu_1', 'ok', { toolUseResult: { status: 'completed', agentId: 'outer' } });
    const outer = new ClaudeSession({ isSidechain: true });
    outer.user('Review it');
    outer.calls('s1', 'toolu_2', { name: 'Agent', input: { prompt: 'Deeper' } });
    outer.result('toolu_2', 'ok', { toolUseResult: { status: 'completed', agentId: 'inner' } });
    const inner = new ClaudeSession({ isSidechain: true });
    inner.user('Deeper');
    const stray = new ClaudeSession({ isSidechain: true });
    stray.user('Who called?');
    const warmup = new ClaudeSession({ isSidechain: true });
    warmup.user('Warmup');

    const { subagents } = parseClaudeTranscriptFile({
      main: session.text,
      subagents: [
        { id: 'stray', transcript: stray.text },
        { id: 'inner', transcript: inner.text },
        { id: 'warm', transcript: warmup.text },
        { id: 'outer', transcript: outer.text },
      ],
    });

    expect(subagents.map(({ id, blocks }) => [id, blocks.length])).toEqual([
      ['outer', 4],
      ['inner', 3],
      ['stray', 2],
    ]);
    expect(briefs(subagents[0]?.blocks ?? [])).toContain('subagent inner -: success');
  });

  it("shows a subagent's file opened on its own as a conversation", () => {
    const agent = new ClaudeSession({ isSidechain: true, agentId: 'abc' });
    agent.user('Review it');
    agent.says('s1', 'Fine.');

    const { blocks, subagents } = parseClaudeTranscriptFile(agent.text);

    expect(briefs(blocks)).toEqual(['user: "Review it"', 'text: Fine.']);
    expect(subagents).toEqual([]);
  });

  it("supersedes a rewound branch of a thread under the thread's id", () => {
    const session = new ClaudeSession();
    session.calls('m1', 'toolu_1', GO);
    const agent = new ClaudeSession({ isSidechain: true });
    const prompt = agent.user('Review it');
    agent.says('s1', 'Wrong.');
    agent.from(prompt).says('s2', 'Right.');

    const { superseded } = parseClaudeTranscriptFile({
      main: session.text,
      subagents: [{ id: 'abc', transcript: agent.text }],
    });

    expect(superseded).toMatchObject([
      { reason: 'retry', conversationId: 'abc', afterBlockId: 'u1' },
    ]);
  });
});
