import type { CallToolResult } from '@modelcontextprotocol/client';
import type { MessagePart, ToolOutcome } from '@robota-sdk/agent-core';
import { boundText } from '../bounded-text.ts';

const OUTPUT_CHARS = 100_000;

type Content = CallToolResult['content'][number];

/** A server's result, as text for the model plus images. */
export function toMcpOutcome(result: CallToolResult): ToolOutcome {
  const content = result.content ?? [];
  const text = boundText(textOf(result, content), OUTPUT_CHARS);
  const parts = content.flatMap(imagePart);
  return {
    success: result.isError !== true,
    data: text,
    ...(result.isError ? { error: text || 'The tool failed without a message' } : {}),
    ...(parts.length > 0 ? { parts } : {}),
  };
}

/** Servers repeat structured content as text for older clients; it is used only when they did not. */
function textOf({ structuredContent }: CallToolResult, content: readonly Content[]): string {
  const texts = content.map(describe);
  const hasText = content.some(({ type }) => type === 'text');
  if (!hasText && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  return texts.join('\n');
}

function describe(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
      return `[Image: ${content.mimeType}]`;
    case 'audio':
      return `[Audio: ${content.mimeType}, not shown]`;
    case 'resource_link':
      return `[Resource: ${content.name} ${content.uri}]`;
    case 'resource':
      return 'text' in content.resource
        ? content.resource.text
        : `[Resource: ${content.resource.uri}, binary]`;
    default:
      return '[Content of an unknown kind]';
  }
}

function imagePart(content: Content): MessagePart[] {
  if (content.type !== 'image') return [];
  return [{ type: 'image_inline', mimeType: content.mimeType, data: content.data }];
}
