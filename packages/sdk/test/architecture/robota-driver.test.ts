import {
  calls,
  fails,
  fakeTool,
  type ScriptedReply,
  says,
  scriptedProvider,
} from '@robota-sdk/agent-core/testing';
import { createRobotaDriver } from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import { expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

function driverWith(...replies: ScriptedReply[]) {
  return createRobotaDriver({
    cwd: place.project,
    provider: scriptedProvider(...replies),
    tools: [fakeTool('Echo', () => 'hi')],
    permissionMode: 'bypassPermissions',
    bare: true,
  });
}

async function collect(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const collected: StreamEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}

it('streams a query, and the log it leaves parses to the same blocks', async () => {
  const driver = driverWith(
    calls({ id: 'a', name: 'Echo', args: {} }),
    says('done', { deltas: ['do', 'ne'] }),
  );

  const events = await collect(
    driver.executeQuery({ query: 'go', sessionId: 's1', isNewSession: true }),
  );
  const parsed = driver.parseTranscripts(await driver.readSessionTranscripts('s1'));

  const live = events.reduce(applyStreamEvent, EMPTY_CONVERSATION).blocks;
  const facts = (blocks: typeof live) => blocks.map(({ id, type }) => [id, type]);
  expect(facts(live).map(([, type]) => type)).toEqual([
    'user_message',
    'tool_use',
    'tool_result',
    'assistant_text',
  ]);
  expect(facts(parsed.blocks)).toEqual(facts(live));
});

it('goes on with a saved session', async () => {
  const driver = driverWith(says('one'), says('two'));

  await collect(driver.executeQuery({ query: 'first', sessionId: 's1', isNewSession: true }));
  await collect(driver.executeQuery({ query: 'second', sessionId: 's1', isNewSession: false }));

  const { blocks } = driver.parseTranscripts(await driver.readSessionTranscripts('s1'));
  expect(blocks.map((block) => 'content' in block && block.content)).toEqual([
    'first',
    'one',
    'second',
    'two',
  ]);
});

it('throws the failure of a turn after its events', async () => {
  const driver = driverWith(fails(new Error('no key')));
  const seen: string[] = [];

  const reading = (async () => {
    for await (const event of driver.executeQuery({
      query: 'go',
      sessionId: 's1',
      isNewSession: true,
    })) {
      seen.push(event.type);
    }
  })();

  await expect(reading).rejects.toThrow('no key');
  expect(seen.length).toBeGreaterThan(0);
});

it('aborts the turn of a reader that stops early', async () => {
  const driver = driverWith(says('a b c', { deltas: ['a ', 'b ', 'c'] }));

  for await (const event of driver.executeQuery({
    query: 'go',
    sessionId: 's1',
    isNewSession: true,
  })) {
    if (event.type === 'text_delta') break;
  }

  expect((await driver.readSessionTranscripts('s1')).main).toContain('session_shutdown');
});

it('restores transcripts to where a session looks for them', async () => {
  const driver = driverWith();
  const raw = { main: '{"event":"user"}\n', subagents: [{ id: 'sub-1', transcript: '{}\n' }] };

  await driver.setupSessionTranscripts('s2', raw);

  expect(await driver.readSessionTranscripts('s2')).toEqual(raw);
  await expect(driver.setupSessionTranscripts('../evil', raw)).rejects.toMatchObject({
    code: 'invalid_session_id',
  });
});
