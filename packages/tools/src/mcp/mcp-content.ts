/** A prompt that a server offers; people run it by name. */
export interface McpPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  /** Named values it takes, in their order. */
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** Something to read that a server offers. */
export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly uri?: unknown;
  readonly mimeType?: unknown;
  readonly resource?: unknown;
}

/** The texts of what a server sent; what is no text is named in its place. */
export function textOfContent(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => textOfPart(part as ContentPart | null)).join('\n');
}

function textOfPart(part: ContentPart | null): string {
  if (typeof part?.text === 'string') return part.text;
  if (part?.resource !== undefined) return textOfPart(part.resource as ContentPart);
  const kind = [part?.type, part?.mimeType, part?.uri].filter((word) => typeof word === 'string');
  return `[${kind.join(' ') || 'no text'}]`;
}
