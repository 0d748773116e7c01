import { parseGeminiTranscriptFile, parseTranscripts } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { briefs } from './brief.ts';
import { CONTEXT, functionResponse, GeminiChat, toolCall } from './gemini-chat.ts';
import { recording } from './recordings.ts';

describe('messages', () => {
  it('become blocks with ids from the records', () => {
    const chat = new GeminiChat().user('u1', 'Read it.').model('m1', 'Reading.', {
      thoughts: [{ subject: 'Plan', description: 'Read.', timestamp: '2026-01-01T00:30:00.000Z' }],
      toolCalls: [
        toolCall('t1', {
          displayName: 'ReadFile',
          description: 't1.txt',
          renderOutputAsMarkdown: true,
          resultDisplay: 'Read 1 line',
        }),
      ],
    });

    expect(parseGeminiTranscriptFile(chat.text).blocks).toEqual([
      {
        type: 'user_message',
        id: 'u1',
        timestamp: '2026-01-01T00:00:01.000Z',
        content: 'Read it.',
      },
      {
        type: 'thinking',
        id: 'm1:thought:0',
        timestamp: '2026-01-01T00:30:00.000Z',
        content: 'Read.',
        summary: 'Plan',
      },
      {
        type: 'assistant_text',
        id: 'm1',
        timestamp: '2026-01-01T00:00:02.000Z',
        content: 'Reading.',
        model: 'gemini-x',
      },
      {
        type: 'tool_use',
        id: 't1',
        timestamp: '2026-01-01T00:00:02.000Z',
        toolName: 'read_file',
        toolUseId: 't1',
        input: { file_path: 't1.txt' },
        status: 'success',
        displayName: 'ReadFile',
        description: 't1.txt',
      },
      {
        type: 'tool_result',
        id: 't1:result',
        timestamp: '2026-01-01T01:00:00.000Z',
        toolUseId: 't1',
        output: 'output of t1',
        isError: false,
        renderOutputAsMarkdown: true,
        metadata: { display: 'Read 1 line' },
      },
    ]);
  });

  it('replace one another by id, at the position of the first', () => {
    const chat = new GeminiChat().model('m1', 'Draft').user('u1', 'Go on').model('m1', 'Final');

    expect(briefs(parseGeminiTranscriptFile(chat.text).blocks)).toEqual([
      'text: Final',
      'user: Go on',
    ]);
  });

  it.each([
    ['a text', 'Hello'],
    ['one part', { text: 'Hello' }],
    ['parts', [{ text: 'Hel' }, { text: 'lo' }]],
    ['texts in a list', ['Hello']],
  ])('are read when their content is %s', (_, content) => {
    const chat = new GeminiChat().message('u1', 'user', { content });

    expect(briefs(parseGeminiTranscriptFile(chat.text).blocks)).toEqual(['user: Hello']);
  });

  it('show what was typed, and keep what was sent', () => {
    const chat = new GeminiChat().message('u1', 'user', {
      content: [{ text: 'see @a.txt' }, { text: '\n--- a.txt ---\nalpha' }],
      displayContent: [{ text: 'see @a.txt' }],
    });

    expect(parseGeminiTranscriptFile(chat.text).blocks).toMatchObject([
      { content: 'see @a.txt', metadata: { sent: 'see @a.txt\n--- a.txt ---\nalpha' } },
    ]);
  });

  it('from before 0.25 show what was typed before the referenced files', () => {
    const { blocks } = parseTranscripts('gemini-cli', recording('legacy-0.19.4/image').raw);

    expect(blocks[0]).toMatchObject({
      content: 'look at @pic.png',
      metadata: { sent: expect.stringContaining('--- End of content ---') },
    });
  });

  it('leave out what the program or a hook adds to a prompt', () => {
    const chat = new GeminiChat().raw(CONTEXT).message('u1', 'user', {
      content: [{ text: 'Hi' }, { text: '<hook_context>extra</hook_context>' }],
    });

    expect(briefs(parseGeminiTranscriptFile(chat.text).blocks)).toEqual(['user: Hi']);
  });

  it('of the program itself are system blocks', () => {
    const chat = new GeminiChat()
      .message('i', 'info', { content: 'Switched model' })
      .message('w', 'warning', { content: [{ text: 'Loop detected' }] })
      .message('e', 'error', { content: '[API Error: Overloaded]' });

    expect(parseGeminiTranscriptFile(chat.text).blocks).toMatchObject([
      { id: 'i', subtype: 'status', message: 'Switched model', metadata: { level: 'info' } },
      { id: 'w', subtype: 'status', message: 'Loop detected', metadata: { level: 'warning' } },
      {
        id: 'e',
        subtype: 'error',
        message: '[API Error: Overloaded]',
        metadata: { level: 'error' },
      },
    ]);
  });

  it('of unknown kinds are shown and counted, as are records and parts', () => {
    const chat = new GeminiChat()
      .message('x', 'oracle', { content: 'Beware' })
      .message('u', 'user', { content: [{ text: 'Hi' }, { hologram: {} }] })
      .set({ colour: 'blue' })
      .raw({ $fork: 'f' });

    const { blocks, skipped } = parseGeminiTranscriptFile(chat.text);

    expect(briefs(blocks)).toEqual(['status: Beware', 'user: Hi']);
    expect(skipped).toEqual({
      lines: 0,
      kinds: { 'message/oracle': 1, 'part/hologram': 1, '$set/colour': 1, 'record/$fork': 1 },
    });
  });
});

describe('tool calls', () => {
  it.each([
    ['validating', 'pending'],
    ['scheduled', 'pending'],
    ['awaiting_approval', 'pending'],
    ['executing', 'running'],
    ['success', 'success'],
    ['error', 'error'],
    ['cancelled', 'error'],
  ])('that are %s have the status %s', (recorded, status) => {
    const call = toolCall('t1', { status: recorded, result: undefined });
    const chat = new GeminiChat().model('m1', '', { toolCalls: [call] });

    const [use, result] = parseGeminiTranscriptFile(chat.text).blocks;

    expect(use).toMatchObject({ type: 'tool_use', status });
    expect(result?.type).toBe(
      status === 'success' || status === 'error' ? 'tool_result' : undefined,
    );
  });

  it('in a rebuilt message keep what the first record knew', () => {
    const chat = new GeminiChat().user('u1', 'Read').answered('m1', 'Reading.', ['t1']);
    const before = parseGeminiTranscriptFile(chat.text).blocks;
    const rebuilt = {
      id: 'm1',
      timestamp: '2027-01-01T00:00:00.000Z',
      type: 'gemini',
      content: [
        { text: 'Reading.' },
        { functionCall: { id: 't1', name: 'read_file', args: { file_path: 't1.txt' } } },
      ],
    };
    const copy = { ...rebuilt, id: 'm1_response', type: 'user', content: [functionResponse('t1')] };
    chat.checkpoint(CONTEXT, 'u1', rebuilt, copy, 'm1-answers');

    expect(parseGeminiTranscriptFile(chat.text).blocks).toEqual(before);
  });

  it('with two different results show both', () => {
    const chat = new GeminiChat()
      .answered('m1', 'Reading.', ['t1'])
      .response('r2', ['t1'], 'something else');

    const results = parseGeminiTranscriptFile(chat.text).blocks.filter(
      (block) => block.type === 'tool_result',
    );

    expect(results.map(({ id, output }) => [id, output])).toEqual([
      ['t1:result', 'output of t1'],
      ['t1:result:2', 'something else'],
    ]);
  });

  it('without an id are matched by name, oldest first', () => {
    const calls = ['a', 'b'].map((query) => ({ functionCall: { name: 'grep', args: { query } } }));
    const answers = ['A', 'B'].map((output) => ({
      functionResponse: { name: 'grep', response: { output } },
    }));
    const chat = new GeminiChat()
      .message('m1', 'gemini', { content: calls })
      .message('r1', 'user', { content: answers });

    expect(briefs(parseGeminiTranscriptFile(chat.text).blocks)).toEqual([
      'grep: success',
      'grep: success',
      'result: "A"',
      'result: "B"',
    ]);
  });

  it('recorded on one message appear where they were made', () => {
    const chat = new GeminiChat()
      .model('m1', 'First.', { toolCalls: [toolCall('t1'), toolCall('t2')] })
      .response('r1', ['t1'])
      .model('m2', 'Second.')
      .response('r2', ['t2'])
      .model('m3', 'Done.');

    expect(parseGeminiTranscriptFile(chat.text).blocks.map(({ id }) => id)).toEqual([
      'm1',
      't1',
      't1:result',
      'm2',
      't2',
      't2:result',
      'm3',
    ]);
  });

  it('are kept when the message that listed them is dropped', () => {
    const chat = new GeminiChat()
      .user('u1', 'Read')
      .model('m1', 'Reading.')
      .message('carrier', 'gemini', { content: '', toolCalls: [toolCall('t1')] })
      .response('r1', ['t1'])
      .checkpoint('u1', 'm1', 'r1');

    const { blocks, superseded } = parseGeminiTranscriptFile(chat.text);

    expect(briefs(blocks)).toEqual([
      'user: Read',
      'text: Reading.',
      'read_file: success',
      'result: "output of t1"',
    ]);
    expect(superseded).toEqual([]);
  });
});

describe('a rewind', () => {
  const chat = () =>
    new GeminiChat()
      .raw(CONTEXT)
      .user('u1', 'One')
      .model('m1', '1')
      .user('u2', 'Two')
      .model('m2', '2');

  it('supersedes the message and all after it', () => {
    const { blocks, superseded } = parseGeminiTranscriptFile(
      chat().rewindTo('u2').checkpoint(CONTEXT, 'u1', 'm1').user('u3', 'Three').model('m3', '3')
        .text,
    );

    expect(briefs(blocks)).toEqual(['user: One', 'text: 1', 'user: Three', 'text: 3']);
    expect(superseded.map((branch) => ({ ...branch, blocks: briefs(branch.blocks) }))).toEqual([
      { reason: 'rewind', afterBlockId: 'm1', blocks: ['user: Two', 'text: 2'] },
    ]);
  });

  it('to an unknown message supersedes everything, as the program does', () => {
    const { blocks, superseded } = parseGeminiTranscriptFile(chat().rewindTo('nobody').text);

    expect(blocks).toEqual([]);
    expect(superseded).toMatchObject([{ reason: 'rewind', afterBlockId: null }]);
    expect(superseded[0]?.blocks).toHaveLength(4);
  });

  it('includes notices, and a second one is a separate branch', () => {
    const twice = chat()
      .message('i1', 'info', { content: 'Note' })
      .checkpoint(CONTEXT, 'u1', 'm1', 'u2', 'm2')
      .rewindTo('u2')
      .user('u3', 'Three')
      .rewindTo('u3');

    const { superseded } = parseGeminiTranscriptFile(twice.text);

    expect(superseded.map((branch) => briefs(branch.blocks))).toEqual([
      ['user: Two', 'text: 2', 'status: Note'],
      ['user: Three'],
    ]);
  });

  it('leaves no trace in the program’s view', () => {
    const { blocks, superseded } = parseGeminiTranscriptFile(chat().rewindTo('u2').text, {
      view: 'program',
    });

    expect(briefs(blocks)).toEqual(['user: One', 'text: 1']);
    expect(superseded).toEqual([]);
  });
});

describe('a checkpoint', () => {
  it('without the last prompt supersedes it: the turn failed', () => {
    const chat = new GeminiChat()
      .raw(CONTEXT)
      .user('u1', 'One')
      .model('m1', '1')
      .user('u2', 'Fails')
      .checkpoint(CONTEXT, 'u1', 'm1')
      .user('u3', 'Works')
      .model('m3', '3');

    const { blocks, superseded } = parseGeminiTranscriptFile(chat.text);

    expect(briefs(blocks)).toEqual(['user: One', 'text: 1', 'user: Works', 'text: 3']);
    expect(superseded).toMatchObject([
      { reason: 'retry', afterBlockId: 'm1', blocks: [{ id: 'u2' }] },
    ]);
  });

  it('keeps notices, which it never contains', () => {
    const chat = new GeminiChat()
      .user('u1', 'One')
      .message('i', 'info', { content: 'Note' })
      .checkpoint('u1');

    expect(briefs(parseGeminiTranscriptFile(chat.text).blocks)).toEqual([
      'user: One',
      'status: Note',
    ]);
  });

  it('with another chat supersedes the previous one', () => {
    const chat = new GeminiChat()
      .user('u1', 'Old')
      .model('m1', 'Old answer')
      .user('n1', 'Saved')
      .model('n2', 'Saved answer')
      .checkpoint('n1', 'n2');

    const { blocks, superseded } = parseGeminiTranscriptFile(chat.text);

    expect(briefs(blocks)).toEqual(['user: Saved', 'text: Saved answer']);
    expect(superseded).toMatchObject([{ reason: 'reset', blocks: [{ id: 'u1' }, { id: 'm1' }] }]);
  });

  it('restores what an earlier one had dropped', () => {
    const chat = new GeminiChat()
      .user('u1', 'One')
      .model('m1', '1')
      .checkpoint('u1')
      .checkpoint('u1', 'm1');

    const { blocks, superseded } = parseGeminiTranscriptFile(chat.text);

    expect(briefs(blocks)).toEqual(['user: One', 'text: 1']);
    expect(superseded).toEqual([]);
  });

  it('that compacts may keep the end of the chat under new ids without repeating it', () => {
    const kept = (id: string, of: string, chat: GeminiChat) => ({ ...chat.messages.get(of), id });
    const chat = new GeminiChat()
      .user('u1', 'One')
      .model('m1', '1')
      .user('u2', 'Two')
      .model('m2', '2');
    chat.checkpoint(
      { ...CONTEXT, id: 's', content: [{ text: '<state_snapshot>all</state_snapshot>' }] },
      { ...CONTEXT, id: 'ack', type: 'gemini', content: [{ text: 'Got it.' }] },
      kept('k2', 'u2', chat),
      kept('k3', 'm2', chat),
    );
    chat.user('u3', 'Three');

    const { blocks, superseded } = parseGeminiTranscriptFile(chat.text);

    expect(briefs(blocks)).toEqual([
      'user: One',
      'text: 1',
      'user: Two',
      'text: 2',
      'status: Conversation compacted',
      'user: Three',
    ]);
    expect(superseded).toEqual([]);
  });
});

describe('a resume in the same minute', () => {
  const chat = () => new GeminiChat().raw(CONTEXT).user('u1', 'One').model('m1', '1');
  const restarted = () =>
    chat()
      .raw({ sessionId: 'session-1', projectHash: 'hash', startTime: '2026-01-01T00:00:20.000Z' })
      .checkpoint(CONTEXT);

  it('that was interrupted before the chat was restored loses nothing', () => {
    expect(parseGeminiTranscriptFile(restarted().text).blocks).toEqual(
      parseGeminiTranscriptFile(chat().text).blocks,
    );
    expect(parseGeminiTranscriptFile(restarted().text, { view: 'program' }).blocks).toEqual([]);
  });

  it('that continues without the old chat supersedes it', () => {
    const { blocks, superseded } = parseGeminiTranscriptFile(restarted().user('u2', 'Anew').text);

    expect(briefs(blocks)).toEqual(['user: Anew']);
    expect(superseded).toMatchObject([{ reason: 'reset', blocks: [{ id: 'u1' }, { id: 'm1' }] }]);
  });

  it('keeps the start of the session', () => {
    expect(parseGeminiTranscriptFile(restarted().text).metadata.startTime).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });
});

describe('bad input', () => {
  it('is skipped and counted', () => {
    const chat = new GeminiChat().user('u1', 'One');
    const lines = [
      '{"torn',
      ...chat.lines,
      '{"id":"m1","type":"gem',
      `${'\0'.repeat(20)}${JSON.stringify({ id: 'm2', type: 'gemini', content: 'Two' })}`,
      '[]',
    ];

    const { blocks, skipped } = parseGeminiTranscriptFile(lines.join('\n'));

    expect(briefs(blocks)).toEqual(['user: One', 'text: Two']);
    expect(skipped).toEqual({ lines: 3, kinds: {} });
  });

  it.each(['', '\n\n', '   '])('that is empty (%j) is an empty session', (text) => {
    expect(parseGeminiTranscriptFile(text)).toEqual({
      blocks: [],
      subagents: [],
      superseded: [],
      skipped: { lines: 0, kinds: {} },
      metadata: {},
      offsets: [],
      requests: [],
    });
  });

  it('keeps lone surrogates and very long lines', () => {
    const long = 'x'.repeat(12_000_000);
    const chat = new GeminiChat().user('u1', '\ud800').model('m1', long);

    const { blocks } = parseGeminiTranscriptFile(chat.text);

    expect(blocks).toMatchObject([{ content: '\ud800' }, { type: 'assistant_text' }]);
    expect(blocks[1]?.type === 'assistant_text' && blocks[1].content.length).toBe(12_000_000);
  });

  it('reads a chat from before 0.39 on one line as on many', () => {
    const { main } = recording('legacy-0.38.2/tools').raw;

    expect(parseGeminiTranscriptFile(JSON.stringify(JSON.parse(main)))).toEqual(
      parseGeminiTranscriptFile(main),
    );
  });

  it('recovers the complete messages of a truncated document', () => {
    const { main } = recording('legacy-0.38.2/tools').raw;
    const torn = main.slice(0, main.lastIndexOf('"content": "Done."'));

    const { blocks, skipped, metadata } = parseGeminiTranscriptFile(torn);

    expect(blocks).toEqual(parseGeminiTranscriptFile(main).blocks.slice(0, -1));
    expect(skipped.lines).toBe(1);
    expect(metadata.sessionId).toBe('69e55243-faad-41ac-ba37-4f5c3fcdf586');
  });
});

describe('subagents', () => {
  const agentCall = (fields: object) =>
    toolCall('t1', {
      name: 'invoke_agent',
      args: { agent_name: 'helper', prompt: 'Look' },
      result: undefined,
      ...fields,
    });

  it('are pending until their result is recorded', () => {
    const chat = new GeminiChat().model('m1', '', {
      toolCalls: [agentCall({ status: 'executing' })],
    });

    expect(parseGeminiTranscriptFile(chat.text).blocks).toEqual([
      {
        type: 'subagent',
        id: 'subagent:t1',
        timestamp: '2026-01-01T00:00:01.000Z',
        subagentId: 't1',
        name: 'helper',
        input: 'Look',
        status: 'running',
        toolUseId: 't1',
      },
    ]);
  });

  it('of agents that were separate tools are found by their report', () => {
    const call = toolCall('t1', {
      name: 'codebase_investigator',
      args: { objective: 'Find it' },
      resultDisplay: {
        isSubagentProgress: true,
        agentName: 'codebase_investigator',
        state: 'completed',
      },
      result: [
        functionResponse('t1', "Subagent 'x' finished.\nTermination Reason: GOAL\nResult:\nFound."),
      ],
    });
    const chat = new GeminiChat().model('m1', '', { toolCalls: [call] });

    expect(parseGeminiTranscriptFile(chat.text).blocks).toMatchObject([
      {
        type: 'subagent',
        name: 'codebase_investigator',
        input: 'Find it',
        output: 'Found.',
        status: 'success',
      },
    ]);
  });

  it('without a call keep their thread, open', () => {
    const main = new GeminiChat().user('u1', 'Go').text;
    const transcript = new GeminiChat('a1', 'subagent').user('s1', 'Look').text;

    const { subagents } = parseTranscripts('gemini-cli', {
      main,
      subagents: [{ id: 'a1', transcript }],
    });

    expect(subagents.map(({ id, blocks }) => [id, briefs(blocks)])).toEqual([
      ['a1', ['session_start: Subagent started', 'user: Look']],
    ]);
  });

  it('that start subagents have them linked too, including superseded ones', () => {
    const main = new GeminiChat().model('m1', '', {
      toolCalls: [agentCall({ agentId: 'a1' })],
    }).text;
    const inner = toolCall('t2', {
      name: 'invoke_agent',
      args: { agent_name: 'inner', prompt: 'Deep' },
      agentId: 'a2',
    });
    const first = new GeminiChat('a1', 'subagent')
      .user('s1', 'Look')
      .model('s2', '', { toolCalls: [inner] })
      .user('s3', 'Undone')
      .rewindTo('s3').text;
    const second = new GeminiChat('a2', 'subagent').user('d1', 'Deep').text;

    const { subagents, superseded } = parseTranscripts('gemini-cli', {
      main,
      subagents: [
        { id: 'a2', transcript: second },
        { id: 'a1', transcript: first },
      ],
    });

    expect(subagents.map(({ id, blocks }) => [id, briefs(blocks)])).toEqual([
      [
        'a1',
        [
          'session_start: Subagent helper started',
          'user: Look',
          'subagent inner: success',
          'session_end: Subagent completed',
        ],
      ],
      [
        'a2',
        ['session_start: Subagent inner started', 'user: Deep', 'session_end: Subagent completed'],
      ],
    ]);
    expect(superseded).toMatchObject([
      { reason: 'rewind', conversationId: 'a1', afterBlockId: 'subagent:t2' },
    ]);
  });
});

describe('a compaction', () => {
  const ANSWER = 'Got it. Thanks for the additional context!';

  it('is recognised by the generated answer, whatever tag its summary has', () => {
    const chat = new GeminiChat().user('u1', 'One').model('m1', 'First.').user('u2', 'Two');
    chat.raw({
      $set: {
        messages: [
          { id: 'n1', timestamp: 't', type: 'user', content: [{ text: 'Summary: one was said.' }] },
          { id: 'n2', timestamp: 't', type: 'gemini', content: ANSWER },
          { id: 'n3', timestamp: 't', type: 'user', content: [{ text: 'Two' }] },
        ],
      },
    });
    chat.model('m2', 'Second.');

    const { blocks, superseded } = parseGeminiTranscriptFile(chat.text);

    expect(blocks.map(({ id, type }) => `${type} ${id}`)).toEqual([
      'user_message u1',
      'assistant_text m1',
      'user_message u2',
      'system n1',
      'assistant_text m2',
    ]);
    expect(blocks[3]?.metadata).toEqual({
      compaction: { summary: 'Summary: one was said.', keptBlockIds: ['u2'] },
    });
    expect(superseded).toEqual([]);
  });

  it('is not detected when the model itself wrote the same answer', () => {
    const chat = new GeminiChat().user('u1', 'One').model('m1', ANSWER);

    const { blocks } = parseGeminiTranscriptFile(chat.text);

    expect(blocks.map(({ type }) => type)).toEqual(['user_message', 'assistant_text']);
  });
});
