import type { ContentPart, ContentSource } from '../blocks.ts';

/** Joins adjacent texts and describes parts that a target does not support as text. */
export function carryParts(
  parts: readonly ContentPart[],
  accepts: (part: Exclude<ContentPart, { type: 'text' }>) => boolean,
): readonly ContentPart[] {
  const carried: ContentPart[] = [];
  for (const part of parts) {
    const next =
      part.type === 'text' || accepts(part)
        ? part
        : ({ type: 'text', text: asText(part) } as const);
    const last = carried.at(-1);
    if (next.type !== 'text' || last?.type !== 'text') carried.push(next);
    else carried[carried.length - 1] = { type: 'text', text: `${last.text}\n${next.text}` };
  }
  return carried;
}

export function textOfParts(parts: readonly ContentPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The declared media type, or one detected from the start of the base64 data. */
export function mediaTypeOf({ mediaType, data }: ContentSource): string {
  if (mediaType !== undefined) return mediaType;
  const known = IMAGE_STARTS.find(([start]) => data.startsWith(start));
  return known?.[1] ?? 'image/png';
}

export function isWebAddress({ type, data }: ContentSource): boolean {
  return type === 'url' && /^https?:\/\//.test(data);
}

function asText(part: Exclude<ContentPart, { type: 'text' }>): string {
  const { source } = part;
  if (source.type === 'text') return source.data;
  const title = part.type === 'document' && part.title !== undefined ? ` ${part.title}` : '';
  const what = source.type === 'url' ? source.data : `${mediaTypeOf(source)}, not carried over`;
  return `[${part.type}${title}: ${what}]`;
}

const IMAGE_STARTS: readonly (readonly [string, string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lG', 'image/gif'],
  ['UklG', 'image/webp'],
];
