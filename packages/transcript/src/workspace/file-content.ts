import type { WorkspaceFile } from '../session-data.ts';

/** The content of a file as it is kept: a text as it is, anything else in base64. */
export function toWorkspaceFile(path: string, bytes: Uint8Array): WorkspaceFile {
  const content = textOf(bytes);
  if (content !== undefined) return { path, content };
  return { path, content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
}

/** The bytes of a file that is kept; `undefined` of one that was too large. */
export function bytesOf({ content, encoding }: WorkspaceFile): Buffer | undefined {
  return content === undefined ? undefined : Buffer.from(content, encoding ?? 'utf8');
}

function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
