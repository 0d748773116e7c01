import { randomUUID } from 'node:crypto';
import { setImmediate as nextTick, setTimeout as wait } from 'node:timers/promises';
import type { ChatOptions, MessagePart, ToolCall } from '@robota-sdk/agent-core';
import type { DemoCall, DemoReply } from './reply.ts';

export interface StreamedReply {
  readonly text: string;
  readonly parts: readonly MessagePart[];
  readonly toolCalls: readonly ToolCall[];
  readonly isInterrupted: boolean;
}

/** Streams a reply word by word. An abort stops it between two words and keeps what was sent. */
export async function streamReply(
  reply: DemoReply,
  options: ChatOptions,
  wordDelayMs: number,
): Promise<StreamedReply> {
  const pace = { signal: options.signal, wordDelayMs };
  const wantsThinking = options.thinking !== 'off';
  const thinking = wantsThinking
    ? await sendWords(reply.thinking, pace, options.onThinkingDelta)
    : '';
  const text = await sendWords(reply.text, pace, options.onTextDelta);
  const toolCalls: ToolCall[] = [];
  for (const call of reply.calls) {
    const sent = await sendCall(call, pace, options.onToolCallDelta);
    if (sent) toolCalls.push(sent);
  }
  return {
    text,
    parts: [
      ...(thinking ? [{ type: 'thinking' as const, text: thinking }] : []),
      ...(text ? [{ type: 'text' as const, text }] : []),
    ],
    toolCalls,
    isInterrupted: options.signal?.aborted ?? false,
  };
}

interface Pace {
  readonly signal: AbortSignal | undefined;
  readonly wordDelayMs: number;
}

async function sendWords(
  text: string,
  pace: Pace,
  listener: ((delta: string) => void) | undefined,
): Promise<string> {
  let sent = '';
  for (const word of text.match(/\S+\s*/g) ?? []) {
    await pause(pace);
    if (pace.signal?.aborted) return sent;
    sent += word;
    listener?.(word);
  }
  return sent;
}

/** Undefined when aborted before the arguments were complete. */
async function sendCall(
  call: DemoCall,
  pace: Pace,
  listener: ChatOptions['onToolCallDelta'],
): Promise<ToolCall | undefined> {
  const id = `demo_${randomUUID()}`;
  const text = JSON.stringify(call.args);
  for (const argumentsDelta of text.match(/[\s\S]{1,24}/g) ?? []) {
    await pause(pace);
    if (pace.signal?.aborted) return undefined;
    listener?.({ id, name: call.name, argumentsDelta });
  }
  return { id, type: 'function', function: { name: call.name, arguments: text } };
}

/** Yields to the event loop between two words; an abort ends the pause early. */
async function pause({ signal, wordDelayMs }: Pace): Promise<void> {
  if (wordDelayMs <= 0) return nextTick();
  await wait(wordDelayMs, undefined, signal ? { signal } : {}).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
