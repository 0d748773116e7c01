import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseClaudeTranscriptFile, transcriptFormats } from '@robota-sdk/agent-transcript';
import {
  findOrphanTranscripts,
  parseTranscriptFile,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../drivers/temporary-home.ts';
import { ClaudeSession } from './claude-session.ts';
import { recording } from './recordings.ts';

const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };

describe('requests', () => {
  it('are listed once, with time, model, cause and thread', () => {
    const session = new ClaudeSession();
    session.user('Go');
    session.calls('m1', 'toolu_1', { name: 'Task', input: { prompt: 'Review it' } });
    session.calls('m1', 'toolu_2');
    const agent = new ClaudeSession({ isSidechain: true, agentId: 'a1' });
    agent.user('Review it');
    agent.says('s1', 'Fine.');

    const { requests } = parseClaudeTranscriptFile({
      main: session.text,
      subagents: [{ id: 'agent-a1', transcript: agent.text }],
    });

    const usage = { ...USAGE, totalTokens: 15 };
    const about = { model: 'claude-x', usage, promptTokens: 10 };
    expect(requests).toEqual([
      { id: 'm1', at: '2026-01-01T00:00:02.000Z', cause: 'turn', thread: 'main', ...about },
      { id: 's1', at: '2026-01-01T00:00:02.000Z', cause: 'subagent', thread: 'a1', ...about },
    ]);
  });

  it('of cache warm-up agents and copies of another session are marked', () => {
    const session = new ClaudeSession();
    session.says('m1', 'Before', { forkedFrom: { sessionId: 's0' } });
    session.says('m2', 'Now');
    const warmup = new ClaudeSession({ isSidechain: true });
    warmup.user('Warmup');
    warmup.says('w1', 'Ready');

    const { requests, subagents, metadata } = parseClaudeTranscriptFile({
      main: session.text,
      subagents: [{ id: 'w', transcript: warmup.text }],
    });

    expect(subagents).toEqual([]);
    expect(requests?.map(({ id, cause, isCopy }) => [id, cause, isCopy])).toEqual([
      ['m1', 'turn', true],
      ['m2', 'turn', undefined],
      ['w1', 'warmup', undefined],
    ]);
    expect(metadata.usage?.totalTokens).toBe(30);
  });

  it('that are older than the first line of their file were copied by a fork', () => {
    const session = new ClaudeSession();
    session.says('m1', 'Before');
    session.says('m2', 'Now', { timestamp: '2026-01-01T01:00:00.000Z' });
    const begun = { type: 'queue-operation', timestamp: '2026-01-01T00:59:59.000Z' };

    const whole = parseClaudeTranscriptFile(session.text);
    const fork = parseClaudeTranscriptFile(`${JSON.stringify(begun)}\n${session.text}`);

    expect(whole.requests?.map(({ isCopy }) => isCopy)).toEqual([undefined, undefined]);
    expect(fork.requests?.map(({ isCopy }) => isCopy)).toEqual([true, undefined]);
  });

  it('without a line are derived from the totals, such as the one that wrote a summary', () => {
    const { requests } = parseClaudeTranscriptFile(recording('2.1.325/compact.s3').raw);

    expect(requests?.filter(({ cause }) => cause === 'compaction')).toEqual([
      {
        id: 'cost-state:1794777665832:101:claude-opus-5-5',
        at: '2026-11-15T21:21:06.769Z',
        model: 'claude-opus-5-5',
        cause: 'compaction',
        thread: 'main',
        usage: {
          inputTokens: 10,
          outputTokens: 33,
          cacheReadTokens: 5,
          cacheWriteTokens: 4397,
          totalTokens: 4445,
        },
        promptTokens: 4412,
      },
    ]);
    expect(requests?.filter(({ cause }) => cause === 'other')).toEqual([]);
  });

  it('keep the one-hour share of cache writes', () => {
    const session = new ClaudeSession();
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_1h_input_tokens: 20 },
    };
    session.line('assistant', { message: { id: 'm', model: 'x', content: [], usage } });

    expect(parseClaudeTranscriptFile(session.text).requests?.[0]).toMatchObject({
      usage: { cacheWriteTokens: 30, cacheWrite1hTokens: 20 },
      promptTokens: 31,
    });
  });
});

describe('the metadata file of a subagent', () => {
  it('may be written after the transcript', () => {
    const { raw } = recording('2.1.325/agent2');
    const parser = transcriptFormats().find(({ name }) => name === 'claude')?.parser;
    const reader = parser?.start();
    for (const line of raw.main.split('\n')) reader?.line(line);
    const threads = raw.subagents.map(({ id, transcript, meta }) => {
      const thread = reader?.subagent(id);
      for (const line of (transcript ?? '').split('\n')) thread?.line(line);
      return { thread, meta };
    });
    reader?.end();

    for (const { thread, meta } of threads) thread?.meta?.(meta ?? '');

    const { subagents = [] } = reader?.end() ?? {};
    expect(subagents.map(({ id, blocks }) => ({ id, blocks }))).toEqual(
      parseClaudeTranscriptFile(raw).subagents.map(({ id, blocks }) => ({ id, blocks })),
    );
  });
});

describe('an agent started by an agent', () => {
  it('has the same id in the thread that started it', () => {
    const session = new ClaudeSession();
    session.user('Go');
    session.calls('m1', 'toolu_1', { name: 'Agent', input: { prompt: 'Outer' } });
    const outer = new ClaudeSession({ isSidechain: true });
    outer.user('Outer');
    outer.calls('o1', 'toolu_2', { name: 'Agent', input: { prompt: 'Inner' } });
    const inner = new ClaudeSession({ isSidechain: true });
    inner.user('Inner');

    const { subagents } = parseClaudeTranscriptFile({
      main: session.text,
      subagents: [
        { id: 'out', transcript: outer.text, meta: '{"toolUseId":"toolu_1"}' },
        { id: 'in', transcript: inner.text, meta: '{"toolUseId":"toolu_2"}' },
      ],
    });

    const calls = subagents[0]?.blocks.filter(({ type }) => type === 'subagent');
    expect(calls).toMatchObject([{ toolUseId: 'toolu_2', subagentId: 'in' }]);
    expect(subagents.map(({ id }) => id)).toEqual(['out', 'in']);
  });
});

describe('subagent files in a project folder', () => {
  it('belong to the session named in any of their lines, or to none', async () => {
    const home = temporaryFolder();
    const project = join(home, '.claude/projects/p');
    mkdirSync(project, { recursive: true });
    const session = new ClaudeSession();
    session.says('m1', 'Hello');
    writeFileSync(join(project, 's1.jsonl'), session.text);
    const warm = new ClaudeSession({ isSidechain: true });
    warm.line('user', { sessionId: 'never-was', message: { content: 'Warmup' } });
    warm.says('w1', 'Ready');
    writeFileSync(join(project, 'agent-w.jsonl'), warm.text);
    const lost = new ClaudeSession({ isSidechain: true, sessionId: 'gone' });
    lost.says('l1', 'Lost');
    writeFileSync(join(project, 'agent-l.jsonl'), lost.text);
    mkdirSync(join(project, 'deleted/subagents'), { recursive: true });
    writeFileSync(join(project, 'deleted/subagents/agent-d.jsonl'), lost.text);

    const { requests } = await parseTranscriptFile('claude-agent-sdk', join(project, 's1.jsonl'));
    const orphans: string[] = [];
    for await (const { id } of findOrphanTranscripts({ home, environment: {} })) orphans.push(id);

    expect(requests?.map(({ id }) => id)).toEqual(['m1', 'w1']);
    expect(orphans).toEqual(['l', 'd']);
  });

  it('are found for a recording of 2.0 under its own name', async () => {
    const folder = temporaryFolder();
    const { path } = recording('2.0.76/agentfg');
    cpSync(join(path, '..'), folder, { recursive: true });
    const whole = await parseTranscriptFile('claude-agent-sdk', path);
    renameSync(join(folder, path.split('/').at(-1) ?? ''), join(folder, 'other.jsonl'));

    const { requests } = await parseTranscriptFile('claude-agent-sdk', join(folder, 'other.jsonl'));

    expect(whole.requests?.some(({ thread }) => thread !== 'main')).toBe(true);
    expect(requests?.every(({ thread }) => thread === 'main')).toBe(true);
  });
});
