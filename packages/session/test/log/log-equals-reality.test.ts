import { join } from 'node:path';
import { createAssistantMessage, type Message, type Provider } from '@robota-sdk/agent-core';
import { fakeTool } from '@robota-sdk/agent-core/testing';
import {
  FileSessionLogger,
  loadSessionLogEntries,
  redact,
  replaySessionLogEntries,
  type Session,
  type SessionLogData,
  type SessionLogger,
} from '@robota-sdk/agent-session';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';

/** Sometimes calls tools, sometimes breaks off, sometimes answers at length, and reports native payloads. */
function moodyProvider(): Provider {
  let asked = 0;
  return {
    name: 'moody',
    async chat(messages, options = {}): Promise<Message> {
      asked += 1;
      const native = { provider: 'moody', sequence: 0 };
      const payload = {
        model: 'm',
        input: messages.map(({ role, content }) => ({ role, content })),
      };
      options.onProviderNativeRawPayload?.({ ...native, payloadKind: 'request', payload });
      const prompt = String(messages.findLast(({ role }) => role === 'user')?.content);
      if (prompt === 'Please break') {
        options.onTextDelta?.('Broken o');
        throw new Error('connection lost');
      }
      if (prompt === 'Please tool' && messages.at(-1)?.role !== 'tool') {
        const call = { name: asked % 3 === 0 ? 'Unknown' : 'Look', arguments: '{}' };
        const toolCalls = [{ id: `c${asked}`, type: 'function' as const, function: call }];
        return createAssistantMessage(null, { toolCalls });
      }
      const text = prompt === 'Please long' ? 'many words '.repeat(100) : 'Short.';
      for (const delta of [text.slice(0, 3), text.slice(3)]) options.onTextDelta?.(delta);
      options.onProviderNativeRawPayload?.({
        ...native,
        payloadKind: 'response',
        payload: { text },
      });
      return createAssistantMessage(text, {
        metadata: { inputTokens: 900 + asked, outputTokens: 9 },
      });
    },
  };
}

/** Writes the file and keeps what each event held when it was logged. */
class TeeLogger implements SessionLogger {
  readonly seen: unknown[];
  readonly #file: FileSessionLogger;

  constructor(directory: string, seen: unknown[]) {
    this.seen = seen;
    this.#file = new FileSessionLogger(directory);
  }

  log(sessionId: string, event: string, data: SessionLogData): void {
    if (!event.endsWith('delta'))
      this.seen.push(JSON.parse(JSON.stringify({ event, ...redact(data) })));
    this.#file.log(sessionId, event, data);
  }

  close(): void {
    this.#file.close();
  }
}

type Step =
  | 'ask'
  | 'tool'
  | 'long'
  | 'break'
  | 'clear'
  | 'inject'
  | 'compact'
  | 'back'
  | 'system'
  | 'reopen';
const STEPS: readonly Step[] = [
  'ask',
  'tool',
  'long',
  'break',
  'clear',
  'inject',
  'compact',
  'back',
  'system',
  'reopen',
];

async function take(step: Step, session: Session): Promise<void> {
  switch (step) {
    case 'clear':
      return session.clearHistory();
    case 'inject':
      return session.injectMessage('user', 'from outside');
    case 'compact':
      return await session.compact();
    case 'back':
      return session.truncateHistory(Math.max(1, session.getHistory().length - 2));
    case 'system':
      return session.updateSystemMessage(`You help ${session.getHistory().length}.`);
    case 'reopen':
      return;
    default:
      await session.run(`Please ${step}`).catch(() => undefined);
  }
}

it('loads every event as it was logged and replays to what is current, whatever happened', async () => {
  const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 12 });
  const directory = temporaryDirectory();
  let number = 0;

  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      number += 1;
      const sessionId = `s${number}`;
      const seen: unknown[] = [];
      const open = () =>
        startSession(moodyProvider(), {
          sessionId,
          tools: [fakeTool('Look', () => 'a thing '.repeat(100))],
          permissionMode: 'bypassPermissions',
          sessionLogger: new TeeLogger(directory, seen),
        });
      let session = open();
      for (const step of ['ask' as const, ...taken, 'ask' as const]) {
        await take(step, session);
        if (step !== 'reopen') continue;
        const history = JSON.parse(JSON.stringify(session.getHistory()));
        await session.shutdown();
        session = open();
        session.restoreMessages(history);
      }
      await session.shutdown();

      const entries = loadSessionLogEntries(join(directory, `${sessionId}.jsonl`));

      const told = entries.filter(({ event }) => !event.endsWith('delta')).map(bare);
      expect(told).toEqual(seen);
      expect(replaySessionLogEntries(entries).messages).toEqual(session.getHistory());
    }),
    { numRuns: 40 },
  );
});

/** An entry without what the log adds to it. */
function bare(entry: object): unknown {
  const {
    timestamp: _t,
    sessionId: _s,
    epoch: _e,
    system: _y,
    ...rest
  } = JSON.parse(JSON.stringify(entry));
  if (rest.event === 'history_mutation' && rest.mutation !== 'truncate') delete rest.length;
  return rest;
}
