import type { ContentPart, ImageContent } from '../../blocks.ts';
import { asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { AgentQuery } from '../agent-architecture-adapter.ts';

/** The prompt in the protocol's format: the text, then the images. */
export function promptParts({
  query,
  images = [],
}: Pick<AgentQuery, 'query' | 'images'>): JsonRecord[] {
  const sent = images.map(({ source: { data, mediaType } }) => ({
    type: 'image',
    mimeType: mediaType,
    data,
  }));
  return [{ type: 'text', text: query }, ...sent];
}

/** The content of a user message: text, or text and images; `undefined` if it is empty. */
export function promptContent(
  parts: readonly unknown[],
  textOf: (part: unknown) => string,
): string | ContentPart[] | undefined {
  const images = parts.flatMap((part) => imageOf(asRecord(part)));
  const isImage = (part: unknown) => imageOf(asRecord(part)).length > 0;
  const text = parts
    .filter((part) => !isImage(part))
    .map(textOf)
    .join('');
  if (images.length > 0) return [{ type: 'text', text }, ...images];
  return text === '' ? undefined : text;
}

function imageOf({ type, mimeType, data }: JsonRecord): ImageContent[] {
  const mediaType = asString(mimeType);
  const bytes = asString(data);
  if (type !== 'image' || mediaType === undefined || bytes === undefined) return [];
  return [{ type: 'image', source: { type: 'base64', mediaType, data: bytes } }];
}
