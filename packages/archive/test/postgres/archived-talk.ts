import type { SessionClaim } from '@robota-sdk/agent-archive';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { type LogSink, Session, type SessionOptions } from '@robota-sdk/agent-session';
import { line, sinkOf } from '../describe-shared-archive.ts';

/** Says one thing in a claimed session and hears an answer; gives the sink to write on. */
export async function talkInArchive(
  claim: SessionClaim,
  prompt: string,
  answer: string,
  options: Partial<SessionOptions> = {},
): Promise<{ readonly sink: LogSink; next(event: string, fields?: object): string }> {
  const provider: Provider = {
    name: 'echo',
    chat: async () => {
      const message = createAssistantMessage(answer);
      const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
      return { ...message, metadata: { ...message.metadata, usage, model: 'claude-sonnet-4-5' } };
    },
  };
  const saved = claim.hasLines ? await claim.records.open?.(claim.id) : undefined;
  const session = new Session({
    sessionId: claim.id,
    provider,
    model: 'claude-sonnet-4-5',
    tools: [],
    terminal: { write: () => undefined } as never,
    systemMessage: 'Be brief.',
    sessionLogger: claim.logger,
    sessionStore: claim.records,
    ...(saved && { restored: saved }),
    ...options,
  } as SessionOptions);
  await session.run(prompt);
  await session.shutdown();
  const sink = sinkOf(claim);
  let n = sink.lastNumber + 1_000;
  return { sink, next: (event, fields) => line(++n, event, fields) };
}
