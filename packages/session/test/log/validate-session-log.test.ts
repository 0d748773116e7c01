import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createAssistantMessage,
  type Provider,
  type SessionLogEntry,
} from '@robota-sdk/agent-core';
import {
  FileSessionLogger,
  loadSessionLogEntries,
  validateSessionReplayLogEntries,
} from '@robota-sdk/agent-session';
import { expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';

const scope = { executionId: 'e1', round: 1 };

function entry(event: string, data: object = {}): SessionLogEntry {
  return { timestamp: '2026-01-01T00:00:00.000Z', sessionId: 's1', event, ...scope, ...data };
}

const complete = [
  entry('history_mutation', { mutation: 'clear' }),
  entry('provider_request'),
  entry('provider_native_raw_payload', { payloadKind: 'stream_event' }),
  entry('provider_response_raw'),
  entry('provider_response_normalized'),
  entry('tool_execution_request', { toolName: 'Run', toolCallId: 'c1' }),
  entry('tool_execution_result', { toolName: 'Run', toolCallId: 'c1' }),
];

function codesWithout(event: string): string[] {
  const entries = complete.filter((each) => each.event !== event);
  return validateSessionReplayLogEntries(entries).issues.map(({ code }) => code);
}

it('finds nothing wrong with a log that has every piece', () => {
  expect(validateSessionReplayLogEntries(complete)).toEqual({
    ok: true,
    issues: [],
    isOldLog: false,
    skipped: [],
  });
});

it.each([
  ['provider_native_raw_payload', 'PROVIDER_NATIVE_RAW_PAYLOAD_MISSING'],
  ['provider_response_raw', 'PROVIDER_RESPONSE_RAW_MISSING'],
  ['provider_response_normalized', 'PROVIDER_RESPONSE_NORMALIZED_MISSING'],
  ['tool_execution_result', 'TOOL_RESULT_MISSING'],
  ['tool_execution_request', 'TOOL_REQUEST_MISSING'],
])('without %s reports %s', (event, code) => {
  expect(codesWithout(event)).toEqual([code]);
});

it('does not take a native request for an answer', () => {
  const entries = complete.map((each) =>
    each.event === 'provider_native_raw_payload' ? { ...each, payloadKind: 'request' } : each,
  );

  expect(validateSessionReplayLogEntries(entries).issues).toMatchObject([
    { code: 'PROVIDER_NATIVE_RAW_PAYLOAD_MISSING', eventIndex: 1, ...scope },
  ]);
});

it('pairs by execution and round', () => {
  const entries = [...complete, entry('provider_request', { round: 2 })];

  expect(validateSessionReplayLogEntries(entries).issues).toMatchObject([
    { code: 'PROVIDER_NATIVE_RAW_PAYLOAD_MISSING', round: 2 },
    { code: 'PROVIDER_RESPONSE_RAW_MISSING', round: 2 },
    { code: 'PROVIDER_RESPONSE_NORMALIZED_MISSING', round: 2 },
  ]);
});

it('names the tool call that has no partner', () => {
  const { ok, issues } = validateSessionReplayLogEntries(complete.slice(0, -1));

  expect(ok).toBe(false);
  expect(issues).toEqual([
    {
      code: 'TOOL_RESULT_MISSING',
      message: 'Tool Run: the request has no result.',
      eventIndex: 5,
      ...scope,
      toolCallId: 'c1',
    },
  ]);
});

it('reports external payloads that could not be resolved, at any depth', () => {
  const reference = { kind: 'external-payload', sha256: 'x', relativePath: 's1.payloads/x.json' };
  const entries = [
    ...complete,
    entry('tool_message_committed', { message: { parts: [reference] } }),
  ];

  expect(validateSessionReplayLogEntries(entries).issues).toMatchObject([
    { code: 'PAYLOAD_REFERENCE_INVALID', eventIndex: 7 },
  ]);
});

it('takes a log from before history mutations as an old log', () => {
  const entries = [entry('pre_run', { history: [] }), entry('provider_request')];

  expect(validateSessionReplayLogEntries(entries)).toMatchObject({ ok: true, isOldLog: true });
});

it('finds a real session valid and passes on which lines were skipped', async () => {
  const directory = temporaryDirectory();
  const provider: Provider = {
    name: 'native',
    async chat(_messages, options = {}) {
      options.onProviderNativeRawPayload?.({
        provider: 'native',
        payloadKind: 'response',
        payload: { text: 'Hi.' },
      });
      return createAssistantMessage('Hi.');
    },
  };
  const session = startSession(provider, {
    sessionId: 's1',
    sessionLogger: new FileSessionLogger(directory),
  });
  await session.run('Hello');
  appendFileSync(join(directory, 's1.jsonl'), '{"torn');

  const validation = validateSessionReplayLogEntries(
    loadSessionLogEntries(join(directory, 's1.jsonl')),
  );

  expect(validation).toMatchObject({ ok: true, skipped: [{ reason: 'torn' }] });
});
