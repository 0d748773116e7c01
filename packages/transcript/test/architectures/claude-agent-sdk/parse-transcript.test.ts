import { parseClaudeTranscriptFile } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { ClaudeSession } from './claude-session.ts';

describe('messages', () => {
  it('numbers the blocks of one model message across its lines', () => {
    const session = new ClaudeSession();
    session.user('Hi');
    session.assistant('m1', { type: 'thinking', thinking: 'Hm' });
    session.says('m1', 'Hello');
    session.says('m2', 'Again');

    const { blocks } = parseClaudeTranscriptFile(session.text);

    expect(blocks.map((block) => block.id)).toEqual(['u1', 'm1:0', 'm1:1', 'm2:0']);
    expect(blocks[2]).toEqual({
      type: 'assistant_text',
      id: 'm1:1',
      timestamp: '2026-01-01T00:00:03.000Z',
      content: 'Hello',
      model: 'claude-x',
    });
  });

  it('keeps images and documents of user messages', () => {
    const session = new ClaudeSession();
    session.user([
      { type: 'text', text: 'Look' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://example.org/x.png' } },
      {
        type: 'document',
        title: 'Report',
        source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' },
      },
    ]);

    const { blocks } = parseClaudeTranscriptFile(session.text);

    expect(blocks).toEqual([
      {
        type: 'user_message',
        id: 'u1',
        timestamp: '2026-01-01T00:00:01.000Z',
        content: [
          { type: 'text', text: 'Look' },
          { type: 'image', source: { type: 'base64', data: 'AAAA', mediaType: 'image/png' } },
          { type: 'image', source: { type: 'url', data: 'https://example.org/x.png' } },
          {
            type: 'document',
            source: { type: 'base64', data: 'BBBB', mediaType: 'application/pdf' },
            title: 'Report',
          },
        ],
      },
    ]);
  });

  it('keeps user text next to a tool result', () => {
    const session = new ClaudeSession();
    session.calls('m1', 't1');
    session.user([
      { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
      { type: 'text', text: 'And hurry.' },
    ]);

    expect(briefs(parseClaudeTranscriptFile(session.text).blocks)).toEqual([
      'Read t1: success',
      'result t1: "ok"',
      'user: "And hurry."',
    ]);
  });

  it('shows a message queued during a turn, which is an attachment', () => {
    const session = new ClaudeSession();
    session.user('Go');
    session.line('attachment', {
      attachment: { type: 'queued_command', prompt: 'Wait, also this' },
    });
    session.says('m1', 'Both done.');

    expect(briefs(parseClaudeTranscriptFile(session.text).blocks)).toEqual([
      'user: "Go"',
      'user: "Wait, also this"',
      'text: Both done.',
    ]);
  });

  it('does not show program text as user or model messages', () => {
    const session = new ClaudeSession();
    session.user('<local-command-caveat>careful</local-command-caveat>', { isMeta: true });
    session.user('<command-name>/model</command-name>\n<command-args>opus</command-args>');
    session.user('<local-command-stdout>Set model</local-command-stdout>');
    session.user('<bash-input>ls</bash-input>');
    session.user('<bash-stdout>a.txt</bash-stdout><bash-stderr>oops</bash-stderr>');
    session.user('<system-reminder>be nice</system-reminder>');
    session.user([{ type: 'text', text: '[Request interrupted by user for tool use]' }]);
    session.line('assistant', {
      message: {
        id: 'x',
        model: '<synthetic>',
        content: [{ type: 'text', text: 'No response requested.' }],
      },
    });
    session.user('<div> is a tag I ask about');

    expect(briefs(parseClaudeTranscriptFile(session.text).blocks)).toEqual([
      'status: /model opus',
      'status: Set model',
      'status: ! ls',
      'status: a.txt\noops',
      'status: Request interrupted by user for tool use',
      'user: "<div> is a tag I ask about"',
    ]);
  });

  it('marks interrupted text', () => {
    const session = new ClaudeSession();
    session.says('m1', 'Once upon', { isAbortedMidStream: true });

    expect(parseClaudeTranscriptFile(session.text).blocks[0]?.metadata).toEqual({
      interrupted: true,
    });
  });
});

describe('tools', () => {
  it('leaves a call without a result pending, and keeps why a call was denied', () => {
    const session = new ClaudeSession();
    session.calls('m1', 't1');
    session.user([{ type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true }], {
      toolDenialKind: 'user-rejected',
      toolUseResult: 'Error: no',
    });
    session.calls('m2', 't2', { input: { description: 'Look', file_path: '/x' } });

    const { blocks } = parseClaudeTranscriptFile(session.text);

    expect(blocks[1]?.metadata).toEqual({ denial: 'user-rejected' });
    expect(blocks[2]).toEqual({
      type: 'tool_use',
      id: 't2',
      timestamp: '2026-01-01T00:00:03.000Z',
      toolName: 'Read',
      toolUseId: 't2',
      input: { description: 'Look', file_path: '/x' },
      status: 'pending',
      description: 'Look',
    });
  });

  it('accepts arguments that are not objects and results of any shape', () => {
    const session = new ClaudeSession();
    session.assistant('m1', { type: 'tool_use', id: 't1', name: 'X', input: 'not json' });
    session.result('t1', [
      { type: 'text', text: 'a' },
      { type: 'tool_reference', name: 'b' },
    ]);
    session.calls('m2', 't2');
    session.result('t2', undefined);

    const { blocks } = parseClaudeTranscriptFile(session.text);

    expect(blocks[0]).toMatchObject({ input: { raw: 'not json' } });
    expect(blocks[1]).toMatchObject({
      output: [
        { type: 'text', text: 'a' },
        { type: 'tool_reference', name: 'b' },
      ],
    });
    expect(blocks[3]).toMatchObject({ output: '', isError: false });
  });
});

describe('branches', () => {
  it('keeps all results of parallel calls, although each has a different parent', () => {
    const session = new ClaudeSession();
    const first = session.calls('m1', 't1');
    const second = session.calls('m1', 't2');
    session.from(second).result('t2', 'two', { sourceToolAssistantUUID: second });
    session.from(first).result('t1', 'one', { sourceToolAssistantUUID: first });
    session.says('m2', 'Done.');

    const { blocks, superseded } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual([
      'Read t1: success',
      'Read t2: success',
      'result t2: "two"',
      'result t1: "one"',
      'text: Done.',
    ]);
    expect(superseded).toEqual([]);
  });

  it('supersedes a rewound branch', () => {
    const session = new ClaudeSession();
    session.user('One');
    const answer = session.says('m1', 'First.');
    session.user('Two');
    session.says('m2', 'Second.');
    session.from(answer).user('Two, better');
    session.says('m3', 'Better.');

    const { blocks, superseded } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual([
      'user: "One"',
      'text: First.',
      'user: "Two, better"',
      'text: Better.',
    ]);
    expect(superseded.map(({ reason, afterBlockId }) => ({ reason, afterBlockId }))).toEqual([
      { reason: 'rewind', afterBlockId: 'm1:0' },
    ]);
    expect(briefs(superseded[0]?.blocks ?? [])).toEqual(['user: "Two"', 'text: Second.']);
  });

  it('supersedes everything after a rewind to the start', () => {
    const session = new ClaudeSession();
    session.user('One');
    session.says('m1', 'First.');
    session.from(null).user('Other');

    const { blocks, superseded } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual(['user: "Other"']);
    expect(superseded).toMatchObject([{ reason: 'rewind', afterBlockId: null }]);
  });

  it('supersedes a retried reply', () => {
    const session = new ClaudeSession();
    const prompt = session.user('One');
    session.says('m1', 'Half.');
    session.from(prompt).says('m2', 'Whole.');

    const { blocks, superseded } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual(['user: "One"', 'text: Whole.']);
    expect(superseded).toMatchObject([{ reason: 'retry', afterBlockId: 'u1' }]);
  });

  it('separates two writers of one file: the last line wins, nothing is lost', () => {
    const session = new ClaudeSession();
    const call = session.calls('m1', 't1');
    const left = session.result('t1', 'left', { sourceToolAssistantUUID: call });
    const right = session.from(call).result('t1', 'right', { sourceToolAssistantUUID: call });
    session.from(left).says('m2', 'Left.');
    session.from(right).says('m3', 'Right.');

    const { blocks, superseded } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual(['Read t1: success', 'result t1: "right"', 'text: Right.']);
    expect(superseded.map((branch) => briefs(branch.blocks))).toEqual([
      ['result t1: "left"', 'text: Left.'],
    ]);
    expect(superseded[0]).toMatchObject({ reason: 'branch', afterBlockId: 't1' });
    expect(superseded[0]?.blocks[0]?.id).toBe('t1:result:2');
  });

  it('continues across a compaction, with the summary in its metadata', () => {
    const session = new ClaudeSession();
    session.user('One');
    const last = session.says('m1', 'First.');
    session.from(null).line('system', {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid: last,
      compactMetadata: { trigger: 'auto', preTokens: 9 },
    });
    session.user('What happened so far', { isCompactSummary: true });
    session.says('m2', 'Going on.');

    const { blocks } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual([
      'user: "One"',
      'text: First.',
      'status: Conversation compacted',
      'text: Going on.',
    ]);
    expect(blocks[2]?.metadata).toEqual({
      compaction: { kind: 'full', trigger: 'auto', preTokens: 9, summary: 'What happened so far' },
    });
  });

  it('continues across a compaction without a logical parent', () => {
    const session = new ClaudeSession();
    session.user('One');
    session.from(null).line('system', { subtype: 'compact_boundary', content: 'Compacted' });

    expect(briefs(parseClaudeTranscriptFile(session.text).blocks)).toEqual([
      'user: "One"',
      'status: Compacted',
    ]);
  });

  it('treats a compaction on an abandoned branch as abandoned', () => {
    const session = new ClaudeSession();
    const prompt = session.user('One');
    const last = session.says('m1', 'First.');
    session.from(null).line('system', { subtype: 'compact_boundary', logicalParentUuid: last });
    session.user('Summary', { isCompactSummary: true });
    session.from(prompt).user('Instead');

    const { blocks, superseded } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual(['user: "One"', 'user: "Instead"']);
    expect(briefs(superseded[0]?.blocks ?? [])).toEqual([
      'text: First.',
      'status: Conversation compacted',
    ]);
  });
});

describe('cost', () => {
  it('counts a message once, with its last usage, however many lines repeat it', () => {
    const usage = (output: number) => ({ input_tokens: 10, output_tokens: output });
    const session = new ClaudeSession();
    for (const [index, output] of [1, 40, 40].entries()) {
      const content = [{ type: 'text', text: String(index) }];
      const message = { id: 'm1', model: 'claude-x', content, usage: usage(output) };
      session.line('assistant', { message });
    }
    session.raw({ type: 'cost-state', totalCostUSD: 0.5 });
    session.raw({ type: 'cost-state', totalCostUSD: 0.75 });

    const { metadata } = parseClaudeTranscriptFile(session.text);

    expect(metadata.costUSD).toBe(0.75);
    expect(metadata.usage).toEqual({
      inputTokens: 10,
      outputTokens: 40,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      totalTokens: 50,
    });
  });

  it('does not count requests a fork copied from its parent', () => {
    const session = new ClaudeSession();
    session.says('m1', 'Copied', { forkedFrom: { sessionId: 's0', messageUuid: 'x' } });
    session.says('m2', 'New');

    const { metadata } = parseClaudeTranscriptFile(session.text);

    expect(Object.keys(metadata.usageByMessage as object)).toEqual(['m2']);
  });

  it("prefers the user's title to the generated one", () => {
    const session = new ClaudeSession();
    session.user('Hi');
    session.raw({ type: 'custom-title', customTitle: 'Mine' });
    session.raw({ type: 'summary', summary: 'Guessed' });

    expect(parseClaudeTranscriptFile(session.text).metadata).toEqual({
      sessionId: 's1',
      cwd: '/work',
      version: '2.1.325',
      title: 'Mine',
    });
  });
});

describe('bad input', () => {
  it('skips and counts invalid lines and unknown kinds', () => {
    const session = new ClaudeSession();
    session.user('One');
    session.raw('{"type":"user","mess');
    session.raw('42');
    session.raw('');
    session.raw({ type: 'brand-new', uuid: 'x' });
    session.line('system', { subtype: 'newer' });
    session.line('attachment', { attachment: { type: 'newest' } });
    session.assistant('m1', { type: 'hologram' });
    session.says('m1', 'Two');

    const { blocks, skipped } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual(['user: "One"', 'text: Two']);
    expect(skipped).toEqual({
      lines: 2,
      kinds: {
        'brand-new': 1,
        'system/newer': 1,
        'attachment/newest': 1,
        'assistant/hologram': 1,
      },
    });
  });

  it('reads past NUL bytes and bridges a truncated line', () => {
    const session = new ClaudeSession();
    session.user('One');
    session.says('m1', 'Lost');
    session.says('m2', 'Two');
    session.lines[1] = session.lines[1]?.slice(0, 40) ?? '';
    session.lines[2] = `${'\0'.repeat(512)}${session.lines[2]}`;

    const { blocks, skipped } = parseClaudeTranscriptFile(session.text);

    expect(briefs(blocks)).toEqual(['user: "One"', 'text: Two']);
    expect(skipped.lines).toBe(1);
    expect(parseClaudeTranscriptFile(`\ufeff${session.text}`).blocks).toEqual(blocks);
  });

  it('sorts lines that racing writers left out of order', () => {
    const session = new ClaudeSession();
    session.user('One');
    session.calls('m1', 't1');
    session.result('t1', 'ok');
    session.says('m2', 'Done.');
    const [one, call, result, done] = session.lines as [string, string, string, string];

    for (const lines of [
      [result, one, call, done],
      [done, result, call, one],
      [one, done, call, result],
    ]) {
      const { blocks, superseded } = parseClaudeTranscriptFile(lines.join('\n'));
      expect(briefs(blocks)).toEqual([
        'user: "One"',
        'Read t1: success',
        'result t1: "ok"',
        'text: Done.',
      ]);
      expect(superseded).toEqual([]);
    }
  });

  it('handles circular parents, later parents and duplicate lines', () => {
    const session = new ClaudeSession();
    session.user('One', { parentUuid: 'u2' });
    session.says('m1', 'Two', { parentUuid: 'u1' });
    session.user('Three', { parentUuid: 'u3' });
    session.raw(session.lines[1] ?? '');

    expect(briefs(parseClaudeTranscriptFile(session.text).blocks)).toEqual([
      'user: "One"',
      'text: Two',
      'user: "Three"',
    ]);
  });

  it('reads a 12 MB line, a lone surrogate and a last line without a newline', () => {
    const session = new ClaudeSession();
    const big = 'x'.repeat(12_000_000);
    session.user(big);
    session.user('a\ud800b');

    const { blocks } = parseClaudeTranscriptFile(session.text.trimEnd());

    expect(
      blocks.map((block) => (block.type === 'user_message' ? block.content.length : 0)),
    ).toEqual([12_000_000, 3]);
  });

  it('reads empty input as an empty session', () => {
    const nothing = {
      blocks: [],
      subagents: [],
      superseded: [],
      skipped: { lines: 0, kinds: {} },
      metadata: {},
      offsets: [],
      requests: [],
    };

    expect(parseClaudeTranscriptFile('')).toEqual(nothing);
    expect(parseClaudeTranscriptFile({ main: '\n\n', subagents: [{ id: 'x' }] })).toEqual(nothing);
  });
});
