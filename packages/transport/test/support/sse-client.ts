import type { ServerMessage } from '@robota-sdk/agent-transport/protocol';
import { createParser } from 'eventsource-parser';

export interface SseMessage {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: ServerMessage;
}

/** The events of a response as they arrive; leaving the loop disconnects. */
export async function* readSse(response: Response): AsyncGenerator<SseMessage> {
  const messages: SseMessage[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => messages.push({ id, event, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk as Uint8Array, { stream: true }));
    yield* messages.splice(0);
  }
}

/** Reads until a message matches, and returns all of them. */
export async function readUntil(
  source: AsyncGenerator<SseMessage>,
  fits: (message: ServerMessage) => boolean,
): Promise<SseMessage[]> {
  const seen: SseMessage[] = [];
  for (;;) {
    const next = await source.next();
    if (next.done) throw new Error(`The stream ended after ${seen.map(({ event }) => event)}`);
    seen.push(next.value);
    if (fits(next.value.data)) return seen;
  }
}
