import type { ImageContent, ToolResultBlock } from '@robota-sdk/agent-transcript';

/** Images in a tool result, in the formats of the different agents. */
export function picturesOf(result: ToolResultBlock | undefined): readonly ImageContent[] {
  if (!Array.isArray(result?.output)) return [];
  return result.output.flatMap((part: unknown) => pictureIn(part) ?? []);
}

function pictureIn(part: unknown): ImageContent | undefined {
  if (!isRecord(part) || part.type !== 'image') return undefined;
  const source = isRecord(part.source) ? part.source : part;
  const mediaType = source.mediaType ?? source.media_type ?? source.mimeType;
  if (typeof source.data !== 'string' || typeof mediaType !== 'string') return undefined;
  return { type: 'image', source: { type: 'base64', data: source.data, mediaType } };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
