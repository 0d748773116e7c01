import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { MessagePart } from '@robota-sdk/agent-core';

type UserContent = (LanguageModelV3TextPart | LanguageModelV3FilePart)[];

/** Text and images of a user message; vendors refuse an empty one, so it says that it is. */
export function toUserContent(parts: readonly MessagePart[]): UserContent {
  const content = parts.flatMap(toContentPart);
  return content.length > 0 ? content : [{ type: 'text', text: '(empty message)' }];
}

function toContentPart(part: MessagePart): UserContent {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'image_inline':
      return [{ type: 'file', mediaType: part.mimeType, data: part.data }];
    case 'image_uri':
      return [imageFromUri(part.uri, part.mimeType)];
    case 'thinking':
    case 'vendor':
      return [];
  }
}

function imageFromUri(uri: string, mimeType: string | undefined): LanguageModelV3FilePart {
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(uri);
  if (inline) return { type: 'file', mediaType: inline[1] ?? 'image/png', data: inline[2] ?? '' };
  return { type: 'file', mediaType: mimeType ?? 'image/*', data: new URL(uri) };
}
