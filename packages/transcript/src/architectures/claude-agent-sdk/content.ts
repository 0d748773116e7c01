import type { ContentPart, ContentSource, MessageContent } from '../../blocks.ts';
import { asArray, asRecord, asString, isRecord } from '../../json-record.ts';
import type { OnSkipped } from './claude-record.ts';

/** Message content: a single text is a string, whether the agent wrote a string or a part. */
export function toMessageContent(
  content: unknown,
  onSkipped: OnSkipped,
): MessageContent | undefined {
  if (typeof content === 'string') return content;
  const parts = asArray(content).flatMap((part) => toContentPart(part, onSkipped));
  if (parts.length === 0) return undefined;
  const [first] = parts;
  return parts.length === 1 && first?.type === 'text' ? first.text : parts;
}

/** Tool output; unknown parts are passed through unchanged. */
export function toToolOutput(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? '';
  return content.map((part) => toContentPart(part, () => undefined)[0] ?? part);
}

/** The text of a content value, parts joined by line breaks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((part) => asString(asRecord(part).text))
    .filter((text) => text !== undefined)
    .join('\n');
}

function toContentPart(value: unknown, onSkipped: OnSkipped): ContentPart[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  const part = asRecord(value);
  if (part.type === 'text') return [{ type: 'text', text: asString(part.text) ?? '' }];
  const source = toSource(part.source);
  if (part.type === 'image' && source !== undefined) return [{ type: 'image', source }];
  if (part.type === 'document' && source !== undefined) {
    const title = asString(part.title);
    return [{ type: 'document', source, ...(title === undefined ? {} : { title }) }];
  }
  onSkipped(`content/${asString(part.type) ?? 'untyped'}`);
  return [];
}

function toSource(value: unknown): ContentSource | undefined {
  if (!isRecord(value)) return undefined;
  const mediaType = asString(value.media_type);
  const rest = mediaType === undefined ? {} : { mediaType };
  const data = asString(value.data);
  if (value.type === 'base64' && data !== undefined) return { type: 'base64', data, ...rest };
  if (value.type === 'text' && data !== undefined) return { type: 'text', data, ...rest };
  const url = asString(value.url) ?? asString(value.file_id);
  return url === undefined ? undefined : { type: 'url', data: url, ...rest };
}
