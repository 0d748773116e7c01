const SAFE = /^(?:https?:\/\/|mailto:)/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these characters before they read the scheme.
const DROPPED = /[\u0000-\u0020\u007f-\u009f]/;

/** An address that may become a link, or undefined: only the web and mail, spelled without hidden characters. */
export function safeLink(address: string): string | undefined {
  const trimmed = address.trim();
  if (!SAFE.test(trimmed) || DROPPED.test(trimmed)) return undefined;
  return URL.canParse(trimmed) ? trimmed : undefined;
}
