import type { ContentPart, ImageContent, MessageContent } from '../../blocks.ts';
import { asArray, asRecord, asString, type JsonRecord } from '../../json-record.ts';

/** User content from a turn item or a Responses message. Text alone stays a string. */
export function toUserContent(content: unknown): MessageContent {
  const parts = asArray(content).flatMap((part) => toContentPart(asRecord(part)));
  return parts.every((part) => part.type === 'text')
    ? parts.map((part) => part.text).join('')
    : parts;
}

/** User content from the event used before 0.148. */
export function toEventContent(event: JsonRecord): MessageContent {
  const text = asString(event.message) ?? '';
  const addresses = [...asArray(event.images), ...asArray(event.local_images)];
  const images = addresses.flatMap((address) =>
    typeof address === 'string' ? [toImage(address)] : [],
  );
  if (images.length === 0) return text;
  return text === '' ? images : [{ type: 'text', text }, ...images];
}

/** Tool output parts; unknown ones are passed through unchanged. */
export function toToolParts(content: readonly unknown[]): readonly unknown[] {
  return content.map((part) => toContentPart(asRecord(part))[0] ?? part);
}

/** The text of content parts, concatenated. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asArray(content)
    .map((part) => asString(asRecord(part).text) ?? '')
    .join('');
}

export function plainText(content: MessageContent): string {
  return typeof content === 'string' ? content : textOf(content);
}

function toContentPart(part: JsonRecord): ContentPart[] {
  const text = asString(part.text);
  if (text !== undefined) return [{ type: 'text', text }];
  const address = asString(part.image_url) ?? asString(part.url) ?? asString(part.imageUrl);
  if (address !== undefined) return [toImage(address)];
  const path = asString(part.path);
  if (path === undefined) return [];
  const isImage = part.type === 'local_image' || part.type === 'localImage';
  return isImage ? [toImage(path)] : [{ type: 'text', text: asString(part.name) ?? path }];
}

function toImage(address: string): ImageContent {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(address) ?? [];
  if (mediaType === undefined || data === undefined) {
    return { type: 'image', source: { type: 'url', data: address } };
  }
  return { type: 'image', source: { type: 'base64', data, mediaType } };
}

/** Whether a user message was written by the program. */
export function isProgramText(text: string): boolean {
  return PROGRAM_TEXT.test(text);
}

const PROGRAM_TEXT =
  /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|subagent_notification|skills?(?:_instructions)?|permissions instructions|collaboration_mode|model_switch|hook_prompt|user_shell_command|INSTRUCTIONS|apps_instructions|plugins_instructions|recommended_skills|realtime_conversation|codex_internal_context|goal_context|token_budget)\b|# AGENTS\.md instructions)/i;
