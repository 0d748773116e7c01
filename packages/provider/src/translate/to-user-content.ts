import type { LanguageModelV3FilePart, LanguageModelV3TextPart } from '@ai-sdk/provider';
import type { MessagePart } from '@robota-sdk/agent-core';
import { readImageAddress } from './image-address.ts';
import { wellFormed } from './well-formed.ts';

type UserContent = (LanguageModelV3TextPart | LanguageModelV3FilePart)[];

/** Text, images and files of a user message; an empty message gets a placeholder, because vendors reject it. */
export function toUserContent(parts: readonly MessagePart[]): UserContent {
  const content = parts.flatMap(toContentPart);
  return content.length > 0 ? content : [{ type: 'text', text: '(empty message)' }];
}

function toContentPart(part: MessagePart): UserContent {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'text', text: wellFormed(part.text) }];
    case 'image_inline':
      return [{ type: 'file', mediaType: part.mimeType, data: part.data }];
    case 'file_inline': {
      const { mimeType: mediaType, data, name: filename } = part;
      return [{ type: 'file', mediaType, data, ...(filename !== undefined && { filename }) }];
    }
    case 'image_uri':
      return [imageFromUri(part.uri, part.mimeType)];
    case 'thinking':
    case 'vendor':
      return [];
  }
}

function imageFromUri(uri: string, mimeType: string | undefined): UserContent[number] {
  const address = readImageAddress(uri);
  switch (address.kind) {
    case 'inline':
      return { type: 'file', mediaType: address.mimeType, data: address.data };
    case 'remote':
      return { type: 'file', mediaType: mimeType ?? 'image/*', data: address.url };
    case 'local':
      return { type: 'text', text: address.text };
  }
}
