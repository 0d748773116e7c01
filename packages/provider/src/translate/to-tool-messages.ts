import type {
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider';
import type {
  ImageUriPart,
  InlineImagePart,
  MessagePart,
  ToolMessage,
} from '@robota-sdk/agent-core';
import { readImageAddress } from './image-address.ts';
import type { PromptRules } from './to-prompt.ts';
import { toUserContent } from './to-user-content.ts';
import { wellFormed } from './well-formed.ts';

type ImagePart = InlineImagePart | ImageUriPart;

/** The results of one round in one message, as every vendor requires. */
export function toToolMessages(
  group: readonly ToolMessage[],
  names: ReadonlyMap<string, string>,
  rules: PromptRules,
): LanguageModelV3Message[] {
  const results = group.map(
    (message): LanguageModelV3ToolResultPart => ({
      type: 'tool-result',
      toolCallId: rules.toolCallId(message.toolCallId),
      toolName: message.name ?? names.get(message.toolCallId) ?? 'unknown',
      output: toOutput(message, rules),
    }),
  );
  return [{ role: 'tool', content: results }, ...followingImages(group, rules)];
}

function toOutput(message: ToolMessage, rules: PromptRules): LanguageModelV3ToolResultOutput {
  const images = (message.parts ?? []).filter(isImage);
  if (images.length === 0 || rules.imagesFollowToolResults) {
    return { type: isFailure(message) ? 'error-text' : 'text', value: wellFormed(message.content) };
  }
  // Some vendors use only the text of a result, so there is always one.
  const text = { type: 'text' as const, text: wellFormed(message.content) || '(image)' };
  return { type: 'content', value: [text, ...images.map(toImageContent)] };
}

function isFailure(message: ToolMessage): boolean {
  return message.metadata?.success === false || message.metadata?.isError === true;
}

function toImageContent(image: ImagePart) {
  if (image.type === 'image_inline') return imageContent(image.mimeType, image.data);
  const address = readImageAddress(image.uri);
  switch (address.kind) {
    case 'inline':
      return imageContent(address.mimeType, address.data);
    case 'remote':
      return { type: 'image-url' as const, url: address.url.href };
    case 'local':
      return { type: 'text' as const, text: address.text };
  }
}

function imageContent(mediaType: string, data: string) {
  return { type: 'image-data' as const, data, mediaType };
}

function followingImages(
  group: readonly ToolMessage[],
  rules: PromptRules,
): LanguageModelV3Message[] {
  if (!rules.imagesFollowToolResults) return [];
  const parts = group.flatMap((message): MessagePart[] => {
    const images = (message.parts ?? []).filter(isImage);
    if (images.length === 0) return [];
    return [{ type: 'text', text: `Image from ${message.name ?? 'the tool'}:` }, ...images];
  });
  return parts.length === 0 ? [] : [{ role: 'user', content: toUserContent(parts) }];
}

function isImage(part: MessagePart): part is ImagePart {
  return part.type === 'image_inline' || part.type === 'image_uri';
}
