/** Quotes text as a word that every shell reads back unchanged. */
export function quoteWord(text: string): string {
  if (/^[A-Za-z0-9_.,:/@%+=-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Escapes text for use inside double quotes. */
export function escapeInQuotes(text: string): string {
  return text.replaceAll(/["$`\\]/g, '\\$&');
}
