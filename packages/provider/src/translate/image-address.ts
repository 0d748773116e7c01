/** An image URI: inline data, a URL the vendor can fetch, or a local path. */
export type ImageAddress =
  | { readonly kind: 'inline'; readonly mimeType: string; readonly data: string }
  | { readonly kind: 'remote'; readonly url: URL }
  | { readonly kind: 'local'; readonly text: string };

export function readImageAddress(uri: string): ImageAddress {
  const inline = /^data:([^;,]+);base64,(.*)$/s.exec(uri);
  if (inline) return { kind: 'inline', mimeType: inline[1] ?? '', data: inline[2] ?? '' };
  if (/^(?:https?|gs):/i.test(uri) && URL.canParse(uri))
    return { kind: 'remote', url: new URL(uri) };
  return { kind: 'local', text: `[image: ${uri}]` };
}
