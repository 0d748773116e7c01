import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  createProjectSessionStore,
  InteractiveSession,
  replaySession,
} from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  type ConversationState,
  EMPTY_CONVERSATION,
} from '@robota-sdk/agent-transcript';
import { RemoteSession } from '@robota-sdk/agent-transport/client';
import { createWsTransport } from '@robota-sdk/agent-transport/ws';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';

// The path of a prompt, step by step, as ARCHITECTURE.md shows it. Read this first.

let home = '';
let project = '';
const before = process.env.HOME;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'robota-journey-')));
  project = realpathSync(mkdtempSync(join(tmpdir(), 'robota-project-')));
  process.env.HOME = home;
  delete process.env.ROBOTA_HOME;
});

afterEach(() => {
  process.env.HOME = before;
  rmSync(home, { recursive: true, force: true });
  rmSync(project, { recursive: true, force: true });
});

it('takes a prompt from a surface to the model, a tool, the log and the store, and back to the surface', async () => {
  writeFileSync(join(project, 'AGENTS.md'), 'Answer in one sentence.');
  writeFileSync(join(project, 'notes.txt'), 'The answer is 42.\n');

  // Step 5: a model that reads a file, writes one, and answers.
  const provider = scriptedProvider(
    calls({ id: 'read-1', name: 'Read', args: { filePath: 'notes.txt' } }),
    calls({ id: 'write-1', name: 'Write', args: { filePath: 'answer.txt', content: '42' } }),
    says('The answer is 42.', {
      deltas: ['The answer ', 'is 42.'],
      metadata: { inputTokens: 120, outputTokens: 9 },
    }),
  );

  // Steps 1 and 9: a surface that shows blocks and answers questions.
  const session = new InteractiveSession({
    cwd: project,
    provider,
    sessionStore: createProjectSessionStore(project),
  });
  let screen: ConversationState = EMPTY_CONVERSATION;
  session.on('stream_event', (event) => {
    screen = applyStreamEvent(screen, event);
  });
  const questions: string[] = [];
  session.on('permission_request', ({ requestId, toolName }) => {
    questions.push(toolName);
    session.answerPermission(requestId, true);
  });

  // A remote surface: a WebSocket client that follows the same session.
  const transport = createWsTransport({ port: 0 });
  session.attachTransport(transport);
  await transport.start();
  const remote = new RemoteSession({
    url: transport.getUrl(),
    token: readFileSync(join(home, '.robota/server-token'), 'utf8').trim(),
    sessionId: session.sessionId,
    WebSocket,
  });
  await remote.whenReady();
  const farEnd = new Promise((resolve) => remote.on('complete', resolve));

  // Step 2: the interactive session accepts the prompt.
  const outcome = await session.submit('What is the answer? Write it down.');
  expect(outcome).toMatchObject({ status: 'completed', result: { response: 'The answer is 42.' } });

  // Steps 3 and 4: the session built the request, and the engine called the model three times.
  const [first, second, third] = provider.requests;
  expect(provider.requests).toHaveLength(3);
  expect(first?.[0]?.content).toContain('Answer in one sentence.');
  expect(first?.at(-1)).toMatchObject({
    role: 'user',
    content: 'What is the answer? Write it down.',
  });
  expect(second?.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'read-1' });
  expect(second?.at(-1)?.content).toContain('The answer is 42.');
  expect(third?.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'write-1' });

  // Step 6: the read was allowed, the write asked, and both happened.
  expect(questions).toEqual(['Write']);
  expect(readFileSync(join(project, 'answer.txt'), 'utf8')).toBe('42');

  // Step 9: the surface shows everything in order.
  expect(screen.blocks).toMatchObject([
    { type: 'user_message', content: 'What is the answer? Write it down.' },
    { type: 'tool_use', toolName: 'Read', status: 'success' },
    { type: 'tool_result', toolUseId: 'read-1', isError: false },
    { type: 'tool_use', toolName: 'Write', status: 'success' },
    { type: 'tool_result', toolUseId: 'write-1', isError: false },
    { type: 'assistant_text', content: 'The answer is 42.' },
  ]);
  expect(screen.metadata.usage).toMatchObject({ outputTokens: 9 });

  // Step 9, remote: the same blocks arrived over the wire.
  expect(await farEnd).toMatchObject({ response: 'The answer is 42.' });
  expect(remote.getBlocks()).toEqual(screen.blocks);
  remote.close();
  await transport.stop();
  await session.shutdown();

  // Step 7: the log alone gives the same blocks, with each request before its result.
  const replayed = replaySession(session.sessionId);
  expect(replayed.blocks.map(({ type }) => type)).toEqual(screen.blocks.map(({ type }) => type));
  const events = replayed.entries.map((entry) => entry.event);
  expect(events.indexOf('tool_execution_request')).toBeLessThan(
    events.indexOf('tool_execution_result'),
  );
  expect(events.at(-1)).toBe('session_shutdown');

  // Step 8: the next process resumes from the record.
  const next = scriptedProvider(says('Still 42.'));
  const resumed = new InteractiveSession({
    cwd: project,
    provider: next,
    sessionStore: createProjectSessionStore(project),
    resumeSessionId: session.sessionId,
  });
  await resumed.submit('And now?');
  await resumed.shutdown();
  const sent = (third ?? []).map(({ role, content }) => [role, content]);
  expect(
    next.requests[0]?.slice(0, sent.length).map(({ role, content }) => [role, content]),
  ).toEqual(sent);
});
