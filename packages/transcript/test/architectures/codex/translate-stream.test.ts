import { createStreamTranslator, type StreamEvent } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { liveRecording } from './recordings.ts';

const NOW = '2026-01-01T00:00:00.000Z';

function translate(events: readonly unknown[]): StreamEvent[] {
  const translator = createStreamTranslator('codex', () => NOW);
  return [...events.flatMap((event) => translator.translate(event)), ...translator.end()];
}

/** The events, one line each. */
function steps(events: readonly StreamEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'metadata_update') return [];
    if (event.type === 'text_delta') return [`delta ${event.blockId} ${event.delta}`];
    if (event.type === 'block_update') {
      return [`update ${event.blockId} ${JSON.stringify(event.updates)}`];
    }
    const { block } = event;
    const status = 'status' in block ? ` ${block.status}` : '';
    const kind = event.type === 'block_start' ? 'start' : 'complete';
    return [`${kind} ${block.type} ${block.id}${status}`];
  });
}

describe('the app-server', () => {
  it('streams text, and calls from pending to their result', () => {
    const { events } = liveRecording('0.166.0/app-basic/live');

    const seen = steps(translate(events));

    expect(seen.slice(0, 14)).toEqual([
      'complete user_message 01a1e1cc-c6ea-7dc3-b58a-94dde91dc173',
      'start thinking rs_000133:0',
      'delta rs_000133:0 **Look**\n\nat it',
      'complete thinking rs_000133:0',
      'start assistant_text msg_000134:0',
      'delta msg_000134:0 Let me',
      'delta msg_000134:0  look.',
      'complete assistant_text msg_000134:0',
      'start tool_use call_000136 pending',
      'update call_000136 {"status":"running"}',
      'complete tool_use call_000136 success',
      'complete tool_result call_000136:result',
      'start tool_use call_000138 pending',
      'update call_000138 {"status":"running"}',
    ]);
  });

  it('separates reasoning parts by a newline, as a reload does', () => {
    const { events } = liveRecording('0.166.0/app-compact/live');

    const seen = steps(translate(events));

    expect(seen).toContain('delta rs_000189:0 \n**Finalising**\n\nOne sentence.');
  });

  it('shows a call that waits for permission as pending, with the request id', () => {
    const { events } = liveRecording('0.166.0/app-approve/live');

    const seen = steps(translate(events)).filter((step) => step.includes('call_000164'));

    expect(seen).toEqual([
      'start tool_use call_000164 pending',
      'update call_000164 {"status":"running"}',
      'update call_000164 {"status":"pending","metadata":{"permissionRequestId":"0"}}',
      'update call_000164 {"status":"running"}',
      'complete tool_use call_000164 error',
      'complete tool_result call_000164:result',
    ]);
  });

  it('ends open blocks after an interruption and reports it', () => {
    const { events } = liveRecording('0.166.0/app-interrupt/live');

    expect(steps(translate(events)).slice(3, 5)).toEqual([
      'complete tool_use call_000174 error',
      'complete system 01a1e1cc-d99d-7a92-bb47-af536a89fe57:aborted',
    ]);
  });

  it('emits subagent events in their thread, between a started and a completed block', () => {
    const { events } = liveRecording('0.166.0/app-spawn/live');
    const agentId = '01a1e1cd-47f9-7823-9d8a-75821dbbed47';

    const seen = translate(events).filter((event) => event.conversationId === agentId);

    expect(steps(seen).at(0)).toBe('complete system subagent:call_000002:started');
    expect(steps(seen).at(-1)).toBe('complete system subagent:call_000002:completed');
    expect(steps(translate(events))).toContain(
      `update subagent:call_000002 {"subagentId":"${agentId}","status":"running"}`,
    );
  });

  it('requests a reload when unknown turns were reverted', () => {
    const { events } = liveRecording('0.166.0/app-revert/live');

    expect(translate(events)).toContainEqual({
      type: 'metadata_update',
      metadata: { reloadNeeded: true },
      conversationId: 'main',
    });
  });

  it('supersedes turns missing in the response to a rollback', () => {
    const { events } = liveRecording('0.142.0/app-rollback/live');

    const taken = translate(events).filter(
      (event) => event.type === 'block_update' && event.updates.superseded === 'rewind',
    );

    expect(taken).toHaveLength(3);
  });

  it('reports retries, and a failed turn once', () => {
    const error = { message: 'Reconnecting... 1/5', codexErrorInfo: 'other' };
    const params = { threadId: 't', turnId: 'u', error };
    const failed = { id: 'u', status: 'failed', error: { message: 'No.' } };

    const events = translate([
      { method: 'error', params: { ...params, willRetry: true } },
      { method: 'error', params: { ...params, error: { message: 'No.' }, willRetry: false } },
      { method: 'turn/completed', params: { threadId: 't', turn: failed } },
    ]);

    expect(steps(events)).toEqual([
      'complete system live:main:notice:0',
      'complete system u:error',
      'complete system u:error',
    ]);
  });
});

describe('exec --json', () => {
  it('uses the ids live:main:<n> and completes blocks with their items', () => {
    const { events } = liveRecording('0.166.0/03-one-tool/stdout');

    expect(steps(translate(events))).toEqual([
      'complete thinking live:main:0',
      'complete assistant_text live:main:1',
      'start tool_use live:main:2 pending',
      'update live:main:2 {"status":"running"}',
      'complete tool_use live:main:2 success',
      'complete tool_result live:main:2:result',
      'complete assistant_text live:main:3',
    ]);
  });

  it('shows one error for a failed turn, after the reconnect attempts', () => {
    const { events } = liveRecording('0.166.0/12-api-errors/429.stdout');

    const blocks = translate(events).flatMap((event) =>
      event.type === 'block_complete' && event.block.type === 'system' ? [event.block] : [],
    );

    expect(blocks.map(({ subtype, message }) => `${subtype}: ${message}`)).toEqual([
      'status: Reconnecting... 1/1 (exceeded retry limit, last status: 429 Too Many Requests)',
      'error: exceeded retry limit, last status: 429 Too Many Requests',
    ]);
  });

  it("sets the agent's id once known, and completes it after the wait", () => {
    const { events } = liveRecording('0.166.0/08-subagent/stdout');

    const seen = steps(translate(events)).filter((step) => step.includes('subagent'));

    expect(seen).toEqual([
      'start subagent subagent:live:main:1 pending',
      'update subagent:live:main:1 {"status":"running"}',
      'update subagent:live:main:1 {"subagentId":"01a1e127-2bbc-7b30-bcc6-b4fa9141f7f4","status":"running"}',
      'complete subagent subagent:live:main:1 success',
    ]);
  });
});

describe('the stream before 0.42', () => {
  it('has the prompt, the settings, and calls with the ids of the rollout', () => {
    const { events } = liveRecording('0.29.0/tools/stdout');

    const translated = translate(events);

    expect(steps(translated).slice(0, 6)).toEqual([
      'complete user_message live:main:0',
      'complete thinking live:main:1',
      'complete assistant_text live:main:2',
      'start tool_use call_000004 pending',
      'update call_000004 {"status":"running"}',
      'complete tool_use call_000004 success',
    ]);
    expect(translated.findLast((event) => event.type === 'metadata_update')?.metadata).toEqual({
      usage: expect.objectContaining({ inputTokens: 2000, outputTokens: 40 }),
    });
  });
});

describe('anything else', () => {
  it.each([
    undefined,
    null,
    7,
    'text',
    [],
    {},
    { type: 'x' },
    { method: 'x' },
    { id: 1, result: 2 },
  ])('yields nothing: %j', (event) => {
    expect(translate([event])).toEqual([]);
  });
});
