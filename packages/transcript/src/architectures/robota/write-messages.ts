import type { AssistantMessage, Message, MessagePart, ToolMessage } from '@robota-sdk/agent-core';
import type { ContentPart } from '../../blocks.ts';
import { carryParts, isWebAddress, mediaTypeOf, textOfParts } from '../../hand-over/carry-parts.ts';
import type { HandOverCall, HandOverStep, ModelStep } from '../../hand-over/steps.ts';
import { dated, handOverNote, type NewTranscript } from '../../hand-over/transcript-writer.ts';
import { uuidOf } from '../../hand-over/wire-names.ts';

/**
 * Converts the conversation for our own engine: every call has a result, no message is empty. Thinking is left out,
 * because only models of the same vendor accept it.
 */
export function toMessages(steps: readonly HandOverStep[], session: NewTranscript): Message[] {
  const messages: Message[] = [];
  const stamp = (at: string) => ({
    id: uuidOf(`${session.id}:${messages.length}`),
    timestamp: new Date(dated(at, session)),
    state: 'complete' as const,
  });
  let note = handOverNote(session);
  for (const step of steps) {
    if (step.role === 'assistant') {
      const message = assistantMessage(step, stamp(step.at));
      if (message === undefined) continue;
      messages.push(message);
      for (const call of callsOf(step)) messages.push(toolMessage(call, stamp(call.result.at)));
      continue;
    }
    if (step.role === 'summary') {
      const content = `${SUMMARY_MARK}\n${step.text}`;
      messages.push({ ...stamp(step.at), role: 'assistant', content });
      continue;
    }
    const parts = carryImages(step.parts);
    const images = imagesOf(parts);
    const content = textOfParts(parts);
    // `parts` are sent to the model, `content` is shown to the user.
    const sent = [...textPart(note), ...textPart(content), ...images];
    const isPlain = images.length === 0 && note === '';
    messages.push({ ...stamp(step.at), role: 'user', content, ...(!isPlain && { parts: sent }) });
    note = '';
  }
  return messages;
}

/** The mark our own compaction puts before its summary. */
export const SUMMARY_MARK = '[Context Summary]';

type Stamp = Pick<AssistantMessage, 'id' | 'timestamp' | 'state'>;

function assistantMessage(step: ModelStep, stamp: Stamp): AssistantMessage | undefined {
  const texts = step.pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []));
  const calls = callsOf(step);
  if (texts.length === 0 && calls.length === 0) return undefined;
  const content = texts.length === 0 ? null : texts.join('\n\n');
  const toolCalls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { ...stamp, role: 'assistant', content, ...(calls.length > 0 && { toolCalls }) };
}

function callsOf({ pieces }: ModelStep): readonly HandOverCall[] {
  return pieces.flatMap((piece) => (piece.type === 'call' ? [piece.call] : []));
}

function toolMessage({ id, name, result }: HandOverCall, stamp: Stamp): ToolMessage {
  const parts = carryImages(result.parts);
  const images = imagesOf(parts);
  const content = textOfParts(parts) || '(no output)';
  return {
    ...stamp,
    role: 'tool',
    content,
    toolCallId: id,
    name,
    metadata: { success: !result.isError },
    ...(images.length > 0 && { parts: [{ type: 'text' as const, text: content }, ...images] }),
  };
}

function carryImages(parts: readonly ContentPart[]): readonly ContentPart[] {
  return carryParts(parts, ({ type, source }) => {
    return type === 'image' && (source.type === 'base64' || isWebAddress(source));
  });
}

function imagesOf(parts: readonly ContentPart[]): MessagePart[] {
  return parts.flatMap((part): MessagePart[] => {
    if (part.type !== 'image') return [];
    const { source } = part;
    return source.type === 'url'
      ? [{ type: 'image_uri', uri: source.data }]
      : [{ type: 'image_inline', mimeType: mediaTypeOf(source), data: source.data }];
  });
}

function textPart(text: string): MessagePart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}
