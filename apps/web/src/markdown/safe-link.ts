const SAFE = /^(?:https?:\/\/|mailto:)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these characters before parsing the scheme.
const DROPPED = /[\u0000-\u0020\u007f-\u009f]/;

/** A URL that is safe to link, or undefined: only http(s) and mailto, without hidden characters. */
export function safeLink(address: string): string | undefined {
  const trimmed = address.trim();
  if (!SAFE.test(trimmed) || DROPPED.test(trimmed)) return undefined;
  return URL.canParse(trimmed) ? trimmed : undefined;
}
