import type { WorkspaceFile } from '../session-data.ts';

/** The saved form of a file: text as it is, anything else in base64. */
export function toWorkspaceFile(path: string, bytes: Uint8Array): WorkspaceFile {
  const content = textOf(bytes);
  if (content !== undefined) return { path, content };
  return { path, content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
}

/** The bytes of a saved file; `undefined` if it was too large. */
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
