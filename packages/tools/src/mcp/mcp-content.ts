/** A server's prompt; the user runs it by name. */
export interface McpPrompt {
  readonly server: string;
  readonly name: string;
  readonly description: string;
  /** Names of its arguments, in order. */
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** A server's resource. */
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

/** The text of a server's content; other parts are described in its place. */
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
