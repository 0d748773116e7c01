import type { ContentPart, MessageContent } from '../../blocks.ts';
import { asArray, asId, asRecord, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import {
  type OnSkipped,
  requestedCall,
  type Thought,
  type ToolCall,
  type ToolResponse,
} from './gemini-message.ts';

/** The parsed content of a message, which is a text, one part, or a list of parts. */
export interface MessageParts {
  readonly shown: readonly ContentPart[];
  readonly thoughts: readonly Thought[];
  readonly calls: readonly ToolCall[];
  readonly responses: readonly ToolResponse[];
}

export function readParts(content: unknown, messageId: string, onSkipped: OnSkipped): MessageParts {
  if (typeof content === 'string') return content === '' ? NO_PARTS : textParts(content);
  const shown: ContentPart[] = [];
  const thoughts: Thought[] = [];
  const calls: ToolCall[] = [];
  const values = partsOf(content);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    const part = typeof value === 'string' ? { text: value } : asRecord(value);
    if (isRecord(part.functionCall)) calls.push(partCall(part.functionCall, messageId, index));
    else if (isRecord(part.functionResponse)) continue;
    else if (part.thought === true) thoughts.push(parseThought(asString(part.text) ?? ''));
    else shown.push(...contentPart(part, onSkipped));
  }
  return { shown, thoughts, calls, responses: readResponses(values) };
}

function textParts(text: string): MessageParts {
  return { shown: [{ type: 'text', text }], thoughts: [], calls: [], responses: NO_RESPONSES };
}

/** The tool results among the parts; media parts belong to the last result. */
export function readResponses(parts: readonly unknown[]): readonly ToolResponse[] {
  const answers = parts.filter((part) => isRecord(asRecord(part).functionResponse));
  if (answers.length === 0) return NO_RESPONSES;
  const media = parts.flatMap((part) => mediaPart(asRecord(part)));
  return answers.map((part, index) => {
    const answer = asRecord(asRecord(part).functionResponse);
    const nested = asArray(answer.parts).flatMap((inner) => mediaPart(asRecord(inner)));
    const beside = index === answers.length - 1 ? media : [];
    return toResponse(answer, [...nested, ...beside]);
  });
}

/** Parses `**Subject** text`, the model's format for thoughts. */
export function parseThought(text: string): Thought {
  const [, subject, description] = /^\s*\*\*([^*]+)\*\*\s*([\s\S]*)$/.exec(text) ?? [];
  const isTitled = subject !== undefined && description !== undefined;
  return {
    subject: isTitled ? subject.trim() : '',
    description: isTitled ? description.trim() : text.trim(),
    timestamp: undefined,
  };
}

/** Text alone stays a string. */
export function messageContent(parts: readonly ContentPart[]): MessageContent | undefined {
  if (parts.every((part) => part.type === 'text')) {
    const text = textOf(parts);
    return text === '' ? undefined : text;
  }
  return parts;
}

export function textOf(parts: readonly ContentPart[]): string {
  const [only] = parts;
  if (parts.length === 1 && only?.type === 'text') return only.text;
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

export function partsOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return content === undefined || content === null || content === '' ? [] : [content];
}

function contentPart(part: JsonRecord, onSkipped: OnSkipped): ContentPart[] {
  const text = asString(part.text);
  if (text !== undefined) return text === '' ? [] : [{ type: 'text', text }];
  const media = mediaPart(part);
  if (media.length === 0) onSkipped(`part/${Object.keys(part)[0] ?? 'empty'}`);
  return media;
}

function mediaPart(part: JsonRecord): ContentPart[] {
  const inline = asRecord(part.inlineData);
  const file = asRecord(part.fileData);
  const data = asString(inline.data) ?? asString(file.fileUri);
  if (data === undefined) return [];
  const mediaType = asString(inline.mimeType) ?? asString(file.mimeType);
  const type = asString(inline.data) === undefined ? 'url' : 'base64';
  const source = { type, data, ...(mediaType === undefined ? {} : { mediaType }) } as const;
  const isImage = mediaType === undefined || mediaType.startsWith('image/');
  return [{ type: isImage ? 'image' : 'document', source }];
}

function partCall(call: JsonRecord, messageId: string, index: number): ToolCall {
  const id = asId(call.id) ?? `${messageId}:call:${index}`;
  return requestedCall(id, asString(call.name) ?? 'unknown', call.args);
}

function toResponse(answer: JsonRecord, media: readonly ContentPart[]): ToolResponse {
  const response = asRecord(answer.response);
  const error = response.error;
  const isError = error !== undefined && error !== null;
  const output = isError ? error : (response.output ?? answer.response ?? '');
  const text: ContentPart[] =
    typeof output === 'string' && output !== '' ? [{ type: 'text', text: output }] : [];
  return {
    callId: asString(answer.id) ?? '',
    name: asString(answer.name) ?? 'unknown',
    output: media.length === 0 ? output : [...text, ...media],
    isError,
  };
}

const NO_RESPONSES: readonly ToolResponse[] = [];
const NO_PARTS: MessageParts = { shown: [], thoughts: [], calls: [], responses: NO_RESPONSES };
