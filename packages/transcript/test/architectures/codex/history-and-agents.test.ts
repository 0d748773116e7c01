import { parseCodexTranscriptFile, parseTranscripts } from '@robota-sdk/agent-transcript';
import { parseTranscriptFile } from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { recording } from './recordings.ts';
import { call, event, header, numbered, output, prompt, reply, rollout } from './rollout.ts';

describe('reverted turns', () => {
  it('are superseded after a rollback', async () => {
    const { path } = recording('0.142.0/app-rollback/home#0');

    const { blocks, superseded } = await parseTranscriptFile('codex', path);

    expect(briefs(blocks)).toEqual([
      'user: "@text one"',
      'text: Hello there.',
      'user: "@text three"',
      'text: Hello there.',
    ]);
    expect(superseded).toEqual([
      { reason: 'rewind', afterBlockId: blocks[1]?.id, blocks: expect.any(Array) },
    ]);
    expect(briefs(superseded[0]?.blocks ?? [])[0]).toBe('user: "@think two"');
  });

  it('are superseded after a revert, which refers to the previous file', async () => {
    const { path } = recording('0.166.0/app-revert/home#1');

    const { blocks, superseded, skipped, metadata } = await parseTranscriptFile('codex', path);

    expect(briefs(blocks)).toEqual([
      'user: "@text one"',
      'text: Hello there.',
      'user: "@text three"',
      'text: Hello there.',
    ]);
    expect(superseded.map((branch) => [branch.reason, briefs(branch.blocks)[0]])).toEqual([
      ['rewind', 'user: "@think two"'],
    ]);
    expect(skipped).toEqual({ lines: 0, kinds: {} });
    expect(metadata.usage).toMatchObject({ inputTokens: 3000, outputTokens: 60 });
  });

  it('include everything when more turns are rolled back than exist', () => {
    const text = rollout(prompt('a'), event({ type: 'thread_rolled_back', num_turns: 9 }));

    const { blocks, superseded } = parseTranscripts('codex', { main: text });

    expect(blocks).toEqual([]);
    expect(superseded).toMatchObject([{ afterBlockId: null, blocks: [{ content: 'a' }] }]);
  });
});

describe('forks', () => {
  it('begin with the history of their parent, whose usage is not counted again', async () => {
    const { path } = recording('0.166.0/09-resume-fork/home-4#1');

    const { blocks, metadata } = await parseTranscriptFile('codex', path);

    expect(briefs(blocks).filter((line) => line.startsWith('user'))).toEqual([
      'user: "first prompt"',
      'user: "second prompt"',
      'user: "third prompt"',
      'user: "fork prompt"',
    ]);
    expect(metadata.forkedFrom).toBe('01a1e126-d719-7240-b301-c3d18ab6643d');
    expect(metadata.usage).toMatchObject({ inputTokens: 1000, totalTokens: 1020 });
  });

  it('report missing history when the parent is gone', () => {
    const { text } = recording('0.166.0/09-resume-fork/home-6#0');

    const { blocks, skipped, metadata } = parseCodexTranscriptFile(text);

    expect(briefs(blocks)).toEqual(['user: "fork prompt"', 'text: Forked answer.']);
    expect(skipped.kinds).toEqual({ 'history_base/missing': 1 });
    expect(metadata.missingHistory).toEqual(['01a1e126-d719-7240-b301-c3d18ab6643d']);
  });

  it('get referenced rollouts from the resolver, up to where they branched off', () => {
    const parent = rollout(prompt('one'), reply('First.', 'm1'), prompt('later'));
    const about = { history_base: { thread_id: 'parent', end_ordinal_exclusive: 3 } };
    const fork = numbered([header(about, 'fork'), prompt('two')], 3);
    const asked: string[] = [];

    const { blocks, subagents } = parseCodexTranscriptFile(fork, {
      resolveRollout(id) {
        asked.push(id);
        return id === 'parent' ? parent : undefined;
      },
    });

    expect(briefs(blocks)).toEqual(['user: "one"', 'text: First.', 'user: "two"']);
    expect(subagents).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(['parent']));
  });

  it('stop at circular references between rollouts', () => {
    const base = (thread_id: string) => ({
      history_base: { thread_id, end_ordinal_exclusive: 99 },
    });
    const texts: Record<string, string> = {
      a: numbered([header(base('b'), 'a'), prompt('a')], 0),
      b: numbered([header(base('a'), 'b'), prompt('b')], 0),
    };

    const { skipped } = parseCodexTranscriptFile(texts.a ?? '', {
      resolveRollout: (id) => texts[id],
    });

    expect(skipped.kinds).toEqual({ 'history_base/missing': 1 });
  });

  it('count only their own usage when they begin with a copy, as before 0.148', async () => {
    const { path } = recording('0.142.0/app-fork/home#1');

    const { metadata, blocks } = await parseTranscriptFile('codex', path);

    expect(metadata.usage).toMatchObject({ inputTokens: 1000, outputTokens: 20 });
    expect(briefs(blocks)[0]).toBe('user: "@text one"');
  });
});

describe('subagents', () => {
  it.each([
    ['0.98.0/spawn/home#0', 'helper'],
    ['0.142.0/app-spawn/home#0', 'Pasteur'],
    ['0.166.0/08-subagent/home#0', 'Herschel'],
    ['0.166.0/app-spawn/home#0', 'Sartre'],
    ['0.166.0/app-spawn2/home#0', 'helper'],
  ])('have a block in the conversation and a thread of their own, in %s', async (name, agent) => {
    const { blocks, subagents } = await parseTranscriptFile('codex', recording(name).path);
    const block = blocks.find((each) => each.type === 'subagent');

    expect(block).toMatchObject({ name: agent, status: 'success', output: expect.any(String) });
    expect(subagents.map((thread) => thread.id)).toEqual([block?.subagentId]);
    const thread = briefs(subagents[0]?.blocks ?? []);
    expect(thread[0]).toBe(`session_start: Subagent ${agent} started`);
    expect(thread[1]).toMatch(/^user: "SUBTASK: read b\.txt/);
    expect(thread.at(-1)).toBe('session_end: Subagent completed');
    expect(subagents[0]?.blocks[0]?.id).toBe(`subagent:${block?.toolUseId}:started`);
  });

  it('of the second tool set do not repeat the copied parent history', async () => {
    const { path } = recording('0.166.0/app-spawn2/home#0');

    const { subagents } = await parseTranscriptFile('codex', path);

    expect(briefs(subagents[0]?.blocks ?? [])).not.toContain('user: "@spawn one"');
  });

  it('are failed when they could not be started', () => {
    const text = rollout(
      call('c1', 'spawn_agent', '{"message":"go"}'),
      output('c1', 'collab spawn failed: agent limit reached'),
    );

    expect(parseTranscripts('codex', { main: text }).blocks).toEqual([
      expect.objectContaining({
        type: 'subagent',
        id: 'subagent:c1',
        subagentId: 'c1',
        input: 'go',
        status: 'error',
        output: 'collab spawn failed: agent limit reached',
      }),
    ]);
  });

  it('count towards the usage of the session, each request once', async () => {
    const { path } = recording('0.166.0/08-subagent/home#0');

    const { metadata } = await parseTranscriptFile('codex', path);

    expect(metadata.usage).toMatchObject({ inputTokens: 5000, outputTokens: 100 });
    expect(Object.keys(metadata.usageByMessage as object)).toHaveLength(5);
  });
});
